/** What a folder's own visits make unusual: several images of one eye, where both are normal. */
import { describe, expect, it } from 'vitest'
import { after, arrive, BOTH, type Habit, shownOf } from './visits-of-eyes.ts'

const RIGHT = 'All 2 images are of the right eye – OD. Was the other eye not taken?'
const LEFT = 'All 3 images are of the left eye – OS. Was the other eye not taken?'

describe('several images of one eye', () => {
  it.each<readonly [what: string, habit: Habit, shots: readonly string[], shown: readonly string[]]>([
    ['two, where both are normal', BOTH, ['R', 'R'], ['review', RIGHT]],
    ['three of the other eye', BOTH, ['L', 'L', 'L'], ['review', LEFT]],
    ['beside one earlier visit of one eye', [...BOTH, ['L']], ['R', 'R'], ['review', RIGHT]],
    ['one alone', BOTH, ['R'], ['waiting']],
    ['both', BOTH, ['R', 'R', 'L'], ['waiting']],
    ['of a folder that has shown nothing yet', [['R', 'L']], ['R', 'R'], ['waiting']],
    [
      'of a clinic for one eye at a time',
      [['R', 'R'], ['L', 'L'], ['R', 'L'], ['L'], ['R']],
      ['R', 'R'],
      ['waiting'],
    ],
  ])('%s', async (_what, habit, shots, shown) => {
    const station = await after(habit)
    await arrive(station, 'H-00101', ...shots)
    await station.quiet()
    expect(shownOf(station, 'H-00101')).toEqual(shown)
  })

  it('are answered once by a person, and not by an image of the same eye', async () => {
    const station = await after(BOTH)
    await arrive(station, 'H-00101', 'R', 'R')
    await station.quiet()
    const shown = station.open().findLast(({ fields }) => fields.history_number === 'H-00101')
    await station.approve(shown?.id ?? '')
    expect(shownOf(station, 'H-00101')[0]).toBe('waiting')
    await arrive(station, 'H-00101', 'R')
    await station.quiet()
    expect(shownOf(station, 'H-00101')[0]).toBe('review')
  })
})
