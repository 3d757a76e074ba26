/** Two windows at one station: each sees what the other has open, and one that is alone costs nothing. */
import { describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { partsWith, type TestParts } from './parts-with.ts'

const show = (test: TestParts, windowId: string, submissionId: string | null = null, by = '') =>
  test.call('windows.show', { windowId, submissionId, by })

/** What was announced since the last time, each window as `id:case:initials`. */
const announced = (test: TestParts): string[] =>
  test.windows
    .splice(0)
    .map(({ windows }) => windows.map((one) => [one.windowId, one.submissionId, one.by].join(':')).join(' '))

describe('a window', () => {
  it('that is alone says once that it is there, and no timer runs for it', async () => {
    const test = await partsWith()
    const before = test.clock.timerCount
    expect(await show(test, 'a')).toMatchObject({
      value: { windows: [{ windowId: 'a', submissionId: null }] },
    })
    expect([announced(test), test.clock.timerCount]).toEqual([['a::'], before])
    await test.clock.turn(60 * MINUTE)
    expect(announced(test)).toEqual([])
  })

  it('that comes finds one that was alone for long once that has answered, and each shows what it has open', async () => {
    const test = await partsWith()
    await show(test, 'a')
    await test.clock.turn(60 * MINUTE)
    announced(test)
    // The first may be gone: it is there again when it has heard of the second.
    await show(test, 'b')
    expect(announced(test)).toEqual(['b::'])
    await show(test, 'a', 'case-1', 'AB')
    await show(test, 'b', 'case-1')
    expect(announced(test)).toEqual(['b:: a:case-1:AB', 'b:case-1: a:case-1:AB'])
    await show(test, 'b', 'case-1')
    expect(announced(test)).toEqual([])
  })

  it('that has gone is dropped when it was silent for so long, whatever the wall clock says', async () => {
    const test = await partsWith()
    await show(test, 'a', 'case-1')
    await show(test, 'b', 'case-1', 'CD')
    announced(test)
    for (let minutes = 0; minutes < 2; minutes += 0.5) {
      test.clock.set(minutes === 1 ? 9 * 60 * MINUTE : 0)
      await test.clock.turn(30 * SECOND)
      await show(test, 'a', 'case-1')
      if (minutes === 0) await show(test, 'b', 'case-1', 'CD')
    }
    expect(announced(test)).toEqual(['a:case-1:'])
    const timers = test.clock.timerCount
    await show(test, 'a', 'case-2')
    await test.clock.turn(60 * MINUTE)
    expect([announced(test), test.clock.timerCount]).toEqual([['a:case-2:'], timers])
  })

  it('says nothing else of its case and its person', async () => {
    const test = await partsWith()
    await test.call('windows.show', {
      windowId: 'a',
      submissionId: 'x',
      by: 'AB',
      fields: { last_name: 'Testwood' },
    })
    expect(test.windows).toEqual([{ windows: [{ windowId: 'a', submissionId: 'x', by: 'AB' }] }])
  })
})
