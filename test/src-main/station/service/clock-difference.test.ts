import { describe, expect, it } from 'vitest'
import { clockDifference, createClockWatch } from '../../../../src-main/station/service/exchange.ts'
import { DAY, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openService } from './client-with.ts'

const NOW = Date.UTC(2026, 10, 20, 9)
const dated = (at: number): Record<string, string> => ({ date: new Date(at).toUTCString() })

describe('the clock of this computer', () => {
  const watched = () => {
    const clock = new ManualClock({ now: NOW })
    const watch = createClockWatch(clock, () => undefined)
    return { clock, watch, agree: () => watch.note(dated(clock.now()), clock.now(), clock.now()) }
  }

  it('is known as right only after several answers of this session', () => {
    const { watch, agree } = watched()
    const kinds = [watch.reading().kind]
    for (let count = 0; count < 3; count += 1) {
      agree()
      kinds.push(watch.reading().kind)
    }
    expect(kinds).toEqual(['unknown', 'unknown', 'unknown', 'right'])
  })

  it('stays right while nobody sets it, and is unknown once somebody has, until answers agree again', async () => {
    const { clock, watch, agree } = watched()
    for (let count = 0; count < 3; count += 1) agree()
    await clock.turn(3 * DAY)
    expect(watch.reading().kind).toBe('right')
    clock.set(3 * 365 * DAY)
    expect(watch.reading().kind).toBe('unknown')
    for (const kind of ['unknown', 'unknown', 'right']) {
      agree()
      expect(watch.reading().kind).toBe(kind)
    }
    clock.set(-365 * DAY)
    expect(watch.reading().kind).toBe('unknown')
  })
})

describe('the difference of two clocks', () => {
  it.each<
    [name: string, headers: Record<string, string>, sentAt: number, receivedAt: number, ms: number | null]
  >([
    ['is none within the way there and back', dated(NOW), NOW - 200, NOW + 900, 0],
    ['is none for an answer that took long', dated(NOW), NOW - 9 * MINUTE, NOW + MINUTE, 0],
    ['is what is left of it', dated(NOW), NOW + 10 * MINUTE, NOW + 11 * MINUTE, 10 * MINUTE - SECOND],
    ['is negative where ours is behind', dated(NOW), NOW - DAY, NOW - DAY + SECOND, -DAY + SECOND],
    ['is unknown without a date', {}, NOW, NOW, null],
    ['is unknown of what is no date', { date: 'soon' }, NOW, NOW, null],
    ['is unknown of an answer that was kept on the way', { ...dated(NOW), age: '600' }, NOW, NOW, null],
  ])('%s', (_name, headers, sentAt, receivedAt, ms) => {
    expect(clockDifference(headers, sentAt, receivedAt)).toBe(ms)
  })

  it('is reported after several answers, with the least of them, and is gone with the first that agrees', () => {
    let changes = 0
    const watch = createClockWatch(new ManualClock(), () => (changes += 1))
    const note = (aheadMs: number): void => watch.note(dated(NOW), NOW + aheadMs, NOW + aheadMs)
    note(DAY)
    note(9 * MINUTE)
    expect(watch.reading()).toEqual({ kind: 'unknown' })
    note(7 * MINUTE)
    expect(watch.reading()).toEqual({ kind: 'wrong', differenceMs: 7 * MINUTE - SECOND })
    note(0)
    expect(watch.reading()).toEqual({ kind: 'unknown' })
    expect(changes).toBe(2)
  })

  it('that is now ahead and now behind is a service with two clocks', () => {
    const watch = createClockWatch(new ManualClock(), () => undefined)
    for (const aheadMs of [DAY, -DAY, DAY, -DAY]) watch.note(dated(NOW), NOW + aheadMs, NOW + aheadMs)
    expect(watch.reading()).toEqual({ kind: 'unknown' })
  })
})

it('is found in the answers of a service, and stops nothing', async () => {
  const service = await openService(() => ({ json: [] }))
  // The clock of the test is in 2026, the server's is the machine's.
  for (let count = 0; count < 3; count += 1)
    expect(await service.client.listCases()).toMatchObject({ ok: true })
  const difference = service.clock.now() - Date.now()
  const found = service.client.clockReading()
  if (Math.abs(difference) < 6 * MINUTE) expect(found).not.toHaveProperty('differenceMs')
  else {
    expect(found.kind).toBe('wrong')
    expect(Math.abs((found.kind === 'wrong' ? found.differenceMs : 0) - difference)).toBeLessThan(10 * SECOND)
  }
})
