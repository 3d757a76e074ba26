/** A folder that has held two patients holds nothing together any more. */
import { expect, it } from 'vitest'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type TestCases, watchingCases } from '../cases-with.ts'

let drawn = 0

const dicomOf = (patientId: string): Promise<Buffer> => {
  drawn += 1
  return dicomFile({ patientId, studyDate: '20261120', laterality: 'R', sopUid: `2.25.${drawn}` })
}

/** The files of each case, and what is asked of it first. */
const cases = (station: TestCases): unknown[] =>
  station
    .open()
    .map(({ images, reasons }) => [
      images.map(({ fileName }) => fileName).toSorted(),
      reasons.find(({ kind }) => kind === 'howManyPatients')?.kind ?? null,
    ])

const MORNING = new Date(2026, 10, 20, 9).getTime()
const HOUR = 3_600_000

/** Two images without a number in a folder of their own, an hour apart, each after the other eye. */
async function twoVisits(station: TestCases): Promise<void> {
  for (const [name, at] of [
    ['Maria/a_OD.png', MORNING],
    ['Maria/b_OS.png', MORNING + HOUR],
  ] as const) {
    await station.write(name, undefined, at)
    await station.see(name)
  }
}

const LOOSE = ['Maria/a_OD.png', 'Maria/b_OS.png']

it('images without a number are held together by a folder of their own', async () => {
  const station = await watchingCases()
  await twoVisits(station)
  await station.quiet()
  expect(cases(station)).toEqual([[LOOSE, null]])
})

it.each([
  ['before', true],
  ['after', false],
])('but not by one in which two patients were seen %s them, also after a restart', async (_what, isFirst) => {
  const station = await watchingCases()
  if (!isFirst) await twoVisits(station)
  await station.arrive('Maria/x1.dcm', await dicomOf('H-00101'))
  await station.arrive('Maria/x2.dcm', await dicomOf('H-00202'))
  await station.restart()
  if (isFirst) await twoVisits(station)
  await station.quiet()
  const together = cases(station).filter((one) => JSON.stringify(one).includes('png'))
  // They are apart, or a person is asked.
  if (together.length === 1) expect(together).toEqual([[LOOSE, 'howManyPatients']])
  else expect(together).toEqual(LOOSE.map((name) => [[name], null]))
})

it('one patient with two visits does not share it', async () => {
  const station = await watchingCases()
  await station.arrive('Maria/x1.dcm', await dicomOf('H-00101'))
  await station.arrive(
    'Maria/x2.dcm',
    await dicomFile({ patientId: 'H-00101', studyDate: '20261121', sopUid: '2.25.99' }),
  )
  await twoVisits(station)
  await station.quiet()
  expect(cases(station)).toContainEqual([LOOSE, null])
})
