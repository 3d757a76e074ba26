import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useLoaded, useToday } from '../../../src-renderer/components/browser.tsx'

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 23, 59, 50) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Today() {
  return useToday()
}

it('goes on to the next day though it is rendered often, and ends its timer', async () => {
  const page = document.createElement('div')
  const root = createRoot(page)
  for (let count = 0; count < 30; count += 1) {
    await act(async () => root.render(<Today />))
    await act(() => vi.advanceTimersByTimeAsync(400))
  }
  expect(page.textContent).toBe('2026-11-24')
  await act(async () => root.unmount())
  expect(vi.getTimerCount()).toBe(0)
})

/** Loads by key; the test decides when each load ends, and sees what was released. */
function setLoading() {
  const loads: PromiseWithResolvers<string>[] = []
  const released: string[] = []
  const load = (): Promise<string> => {
    const one = Promise.withResolvers<string>()
    loads.push(one)
    return one.promise
  }
  const release = (value: string): void => void released.push(value)
  function Loading({ of }: { readonly of: string | null }) {
    const loaded = useLoaded(of, load, release)
    return loaded.kind === 'ready' ? loaded.value : loaded.kind
  }
  const page = document.createElement('div')
  const root = createRoot(page)
  const show = async (of: string | null): Promise<string | null> => {
    await act(async () => root.render(<Loading of={of} />))
    return page.textContent
  }
  const settle = async (index: number, value: string): Promise<string | null> => {
    await act(async () => loads[index]?.resolve(value))
    return page.textContent
  }
  return { loads, page, released, root, settle, show }
}

describe('what is loaded', () => {
  it('is never shown under another key, and is released when it comes too late', async () => {
    const { released, settle, show } = setLoading()
    expect(await show('a')).toBe('loading')
    expect(await show('b')).toBe('loading')
    expect(await settle(0, 'of a')).toBe('loading')
    expect(released).toEqual(['of a'])
    expect(await settle(1, 'of b')).toBe('of b')
  })

  it.each([[null], ['b']])('is not shown again once it is released, after %s', async (between) => {
    const { released, settle, show } = setLoading()
    await show('a')
    expect(await settle(0, 'of a')).toBe('of a')
    expect(await show(between)).toBe('loading')
    expect(released).toEqual(['of a'])
    expect(await show('a')).toBe('loading')
  })

  it('is released with its component, also when it comes later', async () => {
    const { loads, page, released, root, settle, show } = setLoading()
    await show('a')
    await act(async () => root.unmount())
    await settle(0, 'of a')
    expect([page.textContent, released, loads.length]).toEqual(['', ['of a'], 1])
  })

  it('has failed if its promise was rejected', async () => {
    const { loads, page, show } = setLoading()
    await show('a')
    await act(async () => loads[0]?.reject(new Error('gone')))
    expect(page.textContent).toBe('failed')
  })
})
