import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src-main/station/ports.ts'
import { DAY } from '../../../src-shared/durations.ts'

describe("the system's clock", () => {
  it('states the time in milliseconds, and measures without jumps', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000)
    expect(systemClock.monotonicMs()).toBeLessThanOrEqual(systemClock.monotonicMs())
  })

  it('runs what is due, and not what was cancelled', async () => {
    const ran: string[] = []
    const cancel = systemClock.after(1, () => void ran.push('cancelled'))
    cancel()
    await new Promise<void>((resolve) => void systemClock.after(2, resolve))
    expect(ran).toEqual([])
  })

  it('does not run at once what is due in a month: a timer of Node holds 24 days', async () => {
    let hasRun = false
    const cancel = systemClock.after(30 * DAY, () => void (hasRun = true))
    await new Promise((resolve) => setTimeout(resolve, 15))
    cancel()
    expect(hasRun).toBe(false)
  })
})
