/** What a folder's own visits make unusual: one eye where both are normal, and one number photographed twice. */
import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type TestIntake, watchingIntake } from '../intake-with.ts'

let drawn = 0

/** `R 09:15:00`: the eye, and when it was photographed. */
async function arrive(station: TestIntake, patientId: string, ...shots: readonly string[]): Promise<void> {
  for (const shot of shots) {
    const [laterality = '', time = '10:00:00'] = shot.split(' ')
    drawn += 1
    const bytes = await dicomFile({
      patientId,
      patientName: '',
      laterality,
      studyDate: '20261120',
      acquisitionDateTime: `20261120${time.replaceAll(':', '')}`,
      sopUid: `2.25.${drawn}`,
    })
    await station.arrive(`export/IMG_${drawn}.dcm`, bytes)
  }
}

/** The state of the newest case of this patient, and what it shows. */
function shownOf(station: TestIntake, patientId: string): readonly string[] {
  const found = station.open().findLast(({ fields }) => fields.history_number === patientId)
  if (found === undefined) return []
  const shown = found.oddities.filter(({ kind }) => kind === 'checkProposal').map(({ message }) => message)
  return [found.state, ...shown]
}

type Habit = readonly (readonly string[])[]

const BOTH: Habit = [
  ['R', 'L'],
  ['L', 'R', 'R'],
  ['R', 'L'],
]

async function after(habit: Habit, folder: Parameters<typeof watchingIntake>[0] = {}): Promise<TestIntake> {
  const station = await watchingIntake({ sendWithoutReview: true, ...folder })
  for (const [at, shots] of habit.entries()) {
    await arrive(station, `H-9010${at}`, ...shots)
    await station.quiet()
    expect(shownOf(station, `H-9010${at}`)).toEqual(['waiting'])
  }
  return station
}

const RIGHT = 'All 2 images are of the right eye. Is one of the left eye, or was the left eye not taken?'
const LEFT = 'All 3 images are of the left eye. Is one of the right eye, or was the right eye not taken?'

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

const TWICE = 'These images were taken in two series with both eyes each. Check that they are of one patient.'

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
    ['soon after', '09:14:00', ['review', TWICE]],
    ['an hour after', '10:01:00', ['waiting']],
  ])('in another case %s it', async (_what, time, shown) => {
    const station = await after([], { visitGapMinutes: 5 })
    await arrive(station, 'H-00101', 'R 09:00:00', 'L 09:01:00')
    await station.quiet()
    expect(shownOf(station, 'H-00101')).toEqual(['waiting'])
    await arrive(station, 'H-00101', `R ${time}`, `L ${time.replace(/00$/, '40')}`)
    await station.quiet()
    expect(station.open()).toHaveLength(2)
    expect(shownOf(station, 'H-00101')).toEqual(shown)
  })
})
