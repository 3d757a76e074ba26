/** Visits of a folder whose patients are known by number alone, image by image. */
import { expect } from 'vitest'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type TestCases, watchingCases } from '../cases-with.ts'

let drawn = 0

/** `R 09:15:00`: the eye, and when it was photographed. */
export async function arrive(
  station: TestCases,
  patientId: string,
  ...shots: readonly string[]
): Promise<void> {
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
export function shownOf(station: TestCases, patientId: string): readonly string[] {
  const found = station.open().findLast(({ fields }) => fields.history_number === patientId)
  if (found === undefined) return []
  const shown = found.oddities.filter(({ kind }) => kind === 'checkProposal').map(({ message }) => message)
  return [found.state, ...shown]
}

export type Habit = readonly (readonly string[])[]

export const BOTH: Habit = [
  ['R', 'L'],
  ['L', 'R', 'R'],
  ['R', 'L'],
]

export async function after(
  habit: Habit,
  folder: Parameters<typeof watchingCases>[0] = {},
): Promise<TestCases> {
  const station = await watchingCases({ sendWithoutReview: true, ...folder })
  for (const [at, shots] of habit.entries()) {
    await arrive(station, `H-9010${at}`, ...shots)
    await station.quiet()
    expect(shownOf(station, `H-9010${at}`)).toEqual(['waiting'])
  }
  return station
}
