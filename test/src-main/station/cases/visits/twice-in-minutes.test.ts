/** One number with both eyes twice within minutes is looked at. */
import { describe, expect, it } from 'vitest'
import { startAttempt } from '../../../../tools/outbox-with.ts'
import { after, arrive, shownOf } from './visits-of-eyes.ts'

const TWICE = 'Two series, each with both eyes. Check that they are of one patient.'

describe('one number with both eyes twice', () => {
  it.each<readonly [what: string, shots: readonly string[], shown: readonly string[]]>([
    ['after eight minutes', ['R 09:00:00', 'L 09:00:40', 'R 09:08:40', 'L 09:09:10'], ['review', TWICE]],
    ['after nineteen', ['L 09:00:00', 'R 09:01:00', 'L 09:20:00', 'R 09:21:00'], ['review', TWICE]],
    [
      'after four, and a third time',
      ['R 09:00:00', 'L 09:01:00', 'R 09:05:00', 'L 09:06:00', 'R 09:30:00'],
      ['review', TWICE],
    ],
    ['after half an hour, widened', ['R 09:00:00', 'L 09:01:00', 'R 09:31:00', 'L 09:32:00'], ['waiting']],
    ['to and fro', ['R 09:00:00', 'L 09:00:30', 'R 09:01:00', 'L 09:02:30'], ['waiting']],
    ['and one eye again', ['R 09:00:00', 'L 09:01:00', 'R 09:09:00', 'R 09:10:00'], ['waiting']],
  ])('%s', async (_what, shots, shown) => {
    const station = await after([])
    await arrive(station, 'H-00101', ...shots)
    await station.quiet()
    expect(shownOf(station, 'H-00101')).toEqual(shown)
  })

  it.each([
    ['soon after', '09:14:00', ['incomplete', TWICE]],
    ['an hour after', '10:01:00', ['incomplete']],
  ])('in another case, which is on its way, %s it', async (_what, time, shown) => {
    const station = await after([])
    await arrive(station, 'H-00101', 'R 09:00:00', 'L 09:01:00')
    await station.quiet()
    expect(shownOf(station, 'H-00101')).toEqual(['waiting'])
    startAttempt(station.test, station.all()[0]?.id ?? '')
    await arrive(station, 'H-00101', `R ${time}`, `L ${time.replace(/00$/, '40')}`)
    await station.quiet()
    expect(station.all()).toHaveLength(2)
    expect(shownOf(station, 'H-00101')).toEqual(shown)
  })
})
