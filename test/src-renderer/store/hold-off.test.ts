import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MINUTE } from '../../../src-shared/durations.ts'
import { holdOffUpdates } from '../../../src-renderer/store/hold-off.ts'
import type { StationSession } from '../../../src-renderer/store/station-session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function session(host: 'electron' | 'headless') {
  const asked: unknown[] = []
  const made = {
    store: { getState: () => ({ status: { host } }) },
    call: (name: string, input: unknown) => {
      asked.push([name, input])
      return Promise.resolve({ ok: true, value: {} })
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a session as holding off needs
  return { asked, session: made as unknown as Pick<StationSession, 'call' | 'store'> }
}

it('holds updates off for as long as something stands here that is kept nowhere else', () => {
  const { asked, session: one } = session('electron')
  let isHeld = true
  holdOffUpdates(one, 'a case', () => isHeld)
  holdOffUpdates(one, 'a case', () => isHeld)
  expect(asked).toEqual([['updates.holdOff', { seconds: 90 }]])
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked).toHaveLength(6)
  isHeld = false
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked).toHaveLength(6)
  isHeld = true
  holdOffUpdates(one, 'a case', () => isHeld)
  expect(asked).toHaveLength(7)
})

it('has nothing to hold off where a browser shows the screens', () => {
  const { asked, session: one } = session('headless')
  holdOffUpdates(one, 'another case', () => true)
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked).toEqual([])
})
