/** Visits of synthetic people as persons approved them, with the paths that one convention gives their images. */
import type { Approval } from '../../../../../src-main/station/cases/profiles/align.ts'

type Eye = 'right' | 'left'

/** What a convention may write into a path. */
export type ImageFacts = {
  readonly id: string
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly last: string
  readonly first: string
  readonly eye: Eye
  /** Counts the images of one eye from 1, and those of the visit from 1. */
  readonly ofEye: number
  readonly ofVisit: number
  /** `HHMMSS`. */
  readonly time: string
  readonly birth: string
  readonly hex: (length: number) => string
  readonly digits: (length: number) => string
}

export type Convention = {
  readonly path: (facts: ImageFacts) => string
  /** The number of the patient with this index. */
  readonly id?: (index: number) => string
  readonly imagesPerEye?: number
  /** The approved cases have names: from DICOM, a data file or a person. */
  readonly areNamed?: boolean
  readonly lastNames?: readonly string[]
}

/** Names with traps: eye words, particles, apostrophes, marks, several words. */
const LAST_NAMES = [
  'LOPEZ GARCIA',
  'BAKER',
  'QUIROGA',
  'IZQUIERDO',
  "O'DELL-RAY",
  'VAN OS',
  'GARCÍA',
  'DUPONT',
  'NG',
  'ODIER',
]
const FIRST_NAMES = [
  'Ana',
  'Tom',
  'Elsa',
  'Luis Mari',
  'Odette',
  'Rod',
  'Björn',
  'Mary Ann',
  'Kenji',
  'Lea',
  'Sol',
]

/** Pseudo-random, the same in each run. */
export function drawing(seed: number): (below: number) => number {
  let state = seed * 7_919 + 17
  return (below) => {
    state = (state * 48_271 + 11) % 2_147_483_647
    return Math.floor(state / 16) % below
  }
}

function pad(number: number, width: number): string {
  return String(number).padStart(width, '0')
}

export function dayOf(index: number): string {
  return `2026-${pad(5 + (Math.floor(index / 3) % 4), 2)}-${pad(3 + ((index * 5) % 25), 2)}`
}

export function visitsOf(convention: Convention, count: number, seed = 1): readonly Approval[] {
  const draw = drawing(seed)
  const idOf = convention.id ?? ((index: number) => pad(4_512 + index * 7_919, 6))
  return Array.from({ length: count }, (_, index): Approval => {
    const patient = index % 11 === 10 ? index - 5 : index
    const id = idOf(patient)
    const lastNames = convention.lastNames ?? LAST_NAMES
    const last = lastNames[patient % lastNames.length] ?? ''
    const first = FIRST_NAMES[(patient * 3 + Math.floor(patient / 10)) % FIRST_NAMES.length] ?? ''
    const day = dayOf(index)
    const birth = `${1_930 + (patient % 60)}${pad(1 + (patient % 12), 2)}${pad(1 + (patient % 28), 2)}`
    const imagesPerEye = convention.imagesPerEye ?? 2
    const files = Array.from({ length: imagesPerEye * 2 }, (_, image) => {
      const eye: Eye = image < imagesPerEye ? 'right' : 'left'
      const time = `${pad(8 + draw(10), 2)}${pad(draw(60), 2)}${pad(draw(60), 2)}`
      const run = (letters: string) => (length: number) =>
        Array.from({ length }, () => letters[draw(letters.length)]).join('')
      const path = convention.path({
        id,
        day,
        last,
        first,
        eye,
        ofEye: (image % imagesPerEye) + 1,
        ofVisit: image + 1,
        time,
        birth,
        hex: run('0123456789abcdef'),
        digits: run('0123456789'),
      })
      return { path, eye }
    })
    return {
      caseId: `case-${seed}-${index}`,
      patient: id,
      visitDay: day,
      files,
      historyNumber: id,
      lastName: convention.areNamed ? last : null,
      firstName: convention.areNamed ? first : null,
      corrected: false,
    }
  })
}

export function pathsOf(visits: readonly Approval[]): readonly string[] {
  return visits.flatMap(({ files }) => files.map(({ path }) => path))
}

export function compact(day: string): string {
  return day.replaceAll('-', '')
}

/** `02-06-2026`. */
export function dayFirst(day: string, mark: string): string {
  return day.split('-').toReversed().join(mark)
}
