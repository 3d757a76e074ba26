import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { StationSession } from '../../../src-renderer/store/store.ts'
import { deferUpdates } from '../../../src-renderer/store/use-station.ts'
import { MINUTE } from '../../../src-shared/durations.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Host = 'electron' | 'headless'

function session(host: Host | null) {
  const asked: unknown[] = []
  const store = createStore<{ status: { host: Host } | null }>(() => ({
    status: host === null ? null : { host },
  }))
  const made = {
    store,
    call: (name: string, input: unknown) => {
      asked.push([name, input])
      return Promise.resolve({ ok: true, value: {} })
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a session as holding off needs
  return { asked, store, session: made as unknown as Pick<StationSession, 'call' | 'store'> }
}

it('holds updates off for as long as something stands here that is kept nowhere else', () => {
  const { asked, session: one } = session('electron')
  let isHeld = true
  deferUpdates(one, 'a case', () => isHeld)
  deferUpdates(one, 'a case', () => isHeld)
  // Longer than a page out of sight may be late to ask again.
  expect(asked).toEqual([['updates.holdOff', { seconds: 300 }]])
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked).toHaveLength(6)
  isHeld = false
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked).toHaveLength(6)
  isHeld = true
  deferUpdates(one, 'a case', () => isHeld)
  expect(asked).toHaveLength(7)
})

it('has nothing to hold off where a browser shows the screens', () => {
  const { asked, session: one } = session('headless')
  deferUpdates(one, 'another case', () => true)
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked).toEqual([])
})

it('holds them off as soon as the station has said what it is, where the typing began before', () => {
  const { asked, store, session: one } = session(null)
  let isHeld = true
  deferUpdates(one, 'an early case', () => isHeld)
  expect(asked).toEqual([])
  store.setState({ status: { host: 'electron' } })
  expect(asked).toHaveLength(1)
  vi.advanceTimersByTime(MINUTE)
  expect(asked).toHaveLength(2)
  isHeld = false
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked).toHaveLength(2)
})
