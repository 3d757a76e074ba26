import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce, announcements } from '../../../src-renderer/shell/toast.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

it('says the first at once, and collects what follows for five seconds', () => {
  const announced: string[] = []
  const stop = announcements.subscribe(({ text }) => announced.push(text))
  announce('One case was sent.')
  announce('A second one.')
  announce('A third one.')
  announce('A third one.')
  expect(announced).toEqual(['One case was sent.'])
  vi.advanceTimersByTime(4_999)
  expect(announced).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(announced).toEqual(['One case was sent.', 'A second one. A third one.'])
  stop()
})

it('says the same words a second time so that they are heard again', () => {
  const announced: string[] = []
  const stop = announcements.subscribe(({ text }) => announced.push(text))
  announce('Saved.')
  vi.advanceTimersByTime(10_000)
  announce('Saved.')
  expect(announced.map((text) => text.trim())).toEqual(['Saved.', 'Saved.'])
  expect(new Set(announced).size).toBe(2)
  stop()
})
