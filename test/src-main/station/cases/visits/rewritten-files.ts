/** Data files that are written over beside images, and what becomes of the cases. */
import { expect } from 'vitest'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type TestCases, watchingCases } from '../cases-with.ts'

export type Row = Readonly<Record<string, string>>

/** Objects are data files, texts are the content of some, null is a picture, a dicom is the file of a number. */
export type Content = object | string | null | { readonly dicom: string }

/** In their order. */
export type Files = readonly (readonly [string, Content])[]

export const DAY = { visit_date: '2026-11-20' }
export const ANA = { history_number: 'H-00101', ...DAY }
export const BEA = { history_number: 'H-00202', ...DAY }
export const SYNTHIA = { ...ANA, last_name: 'Synthia', first_name: 'Ana' }
export const PLACEBA = { ...ANA, last_name: 'Placeba', first_name: 'Otto' }

export const COLUMNS = ['history_number', 'visit_date', 'last_name', 'file', 'eye']

export function table(...rows: readonly Row[]): string {
  const lines = [COLUMNS.join(), ...rows.map((row) => COLUMNS.map((name) => row[name] ?? '').join())]
  return `${lines.join('\n')}\n`
}

export const named = (patient: object, eye = 'OD', file = 'K1.png'): object => ({
  ...patient,
  images: { [file]: eye },
})

export const at = (path: string, ...contents: readonly Content[]): Files =>
  contents.map((content) => [path, content] as const)
export const record = (...contents: readonly Content[]): Files => at('scan/case.json', ...contents)
export const document = (...contents: readonly object[]): Files => at('scan/K1.json', ...contents)
export const list = (...rows: readonly Row[]): Files => at('list.csv', ...rows.map((row) => table(row)))
export const IMAGE = at('scan/K1.png', null)
export const BESIDE = at('K1.png', null)
export const dicomOf = (number: string, path = 'scan/K1.dcm'): Files => at(path, { dicom: number })

export async function stationWith(...files: Files): Promise<TestCases> {
  const station = await watchingCases({ sendWithoutReview: true })
  for (const [path, content] of files) {
    await station.clock.turn(1_000)
    if (content === null || typeof content === 'string') await station.arrive(path, content ?? undefined)
    else if ('dicom' in content) {
      const { dicom: patientId } = content
      const own = { patientId, patientName: '', studyDate: '20261120', laterality: 'R' }
      await station.arrive(path, await dicomFile(own))
    } else await station.arrive(path, JSON.stringify(content))
  }
  await station.quiet()
  return station
}

/** The verdicts and the state of every case. */
export const verdicts = async (files: Files): Promise<string[]> =>
  (await stationWith(...files)).open().map(({ verdict, images, state }) => {
    const eyes = images.map(({ id }) => verdict.eyes[id]?.kind)
    return `who ${verdict.who.kind}, day ${verdict.day.kind}, eye ${eyes.join()}: ${state}`
  })

export const PROVEN = 'who proven, day proven, eye proven: waiting'
export const WHO_DISPUTED = [expect.stringMatching(/^who disputed.*incomplete$/)]

export const ROW = { ...ANA, file: 'K1.png', eye: 'OD' }
