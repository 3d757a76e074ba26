/** What becomes of one image beside a data file, in a folder that sends without review. */
import { type TestCases, watchingCases } from '../cases-with.ts'

/** `waiting` if it leaves, else the state with what is asked and why a part is no proof. */
function shownAs(station: TestCases): string {
  const [found] = station.open()
  if (found === undefined) return 'no case'
  const { state, reasons, verdict } = found
  const whys = [verdict.who, verdict.day, ...Object.values(verdict.eyes)].flatMap(({ why }) => why ?? [])
  const asked = state === 'review' ? [] : reasons.map(({ kind }) => kind)
  return [state, ...asked, ...new Set(whys)].join(' ')
}

export const TAKEN_AT = Date.parse('2026-11-20T09:10:00')

/** What becomes of one image beside this data file. */
export async function becomes(name: string, text: string): Promise<string> {
  const station = await watchingCases({ sendWithoutReview: true })
  await station.write(`export/${name}`, text)
  await station.write('export/4f2a.png', undefined, TAKEN_AT)
  await station.see(`export/${name}`, 'export/4f2a.png')
  await station.quiet()
  return shownAs(station)
}

/** The parts of a JSON object: a key may be stated twice. */
export const json = (...parts: readonly string[]): string => `{${parts.join(',')}}`
export const NUMBER = '"patientId":"H-00417"'
export const DAY = '"examDate":"2026-11-20"'
export const EYE = '"eye":"OD"'
export const WHOLE = [NUMBER, DAY, EYE, '"lastName":"Haas","firstName":"Nora","birthDate":"1970-06-02"']

export type Row = readonly [what: string, text: string, becomes: string]

export const DOUBTED = 'review notIntact'
