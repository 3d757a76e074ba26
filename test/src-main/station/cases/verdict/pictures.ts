/** Builds the evidence of synthetic pictures in one line each, and shows a verdict in words that fit a table. */
import { expect } from 'vitest'
import { NOTHING_LEARNT, clearanceOf } from '../../../../tools/nothing-learnt.ts'
import type { StatedEye } from '../../../../../src-shared/measurement-ranges.ts'
import type {
  FolderMemory,
  PictureEvidence,
  Statement,
  Verdict,
} from '../../../../../src-main/station/cases/verdict/evidence.ts'
import type { Person } from '../../../../../src-main/station/cases/meaning/persons.ts'
import { groupOf, verdictOnVisit } from '../../../../../src-main/station/cases/verdict/visit.ts'

/** The day on which every picture is taken and seen, unless a row says otherwise. */
export const TODAY = '2026-11-20'

/** No name of the tables holds this time of day, in any spelling. */
const NOON = '13:37:10'

/** What one source says. `name` is `Last^First`. */
export type Stated = {
  readonly id?: string
  readonly day?: string
  readonly eye?: StatedEye
  readonly name?: string
  readonly birth?: string
  readonly sex?: string
  readonly issuer?: string
  /** Its source contradicts itself. */
  readonly isBroken?: boolean
}

export type Circumstances = {
  readonly dicom?: Stated
  /** A data file that is bound to the picture. */
  readonly record?: Stated
  /** The record of the folder, which does not name the picture. */
  readonly folder?: Stated
  /** The Study Instance UID. */
  readonly study?: string
  /** Further paths of the same picture: a twin, a copy. */
  readonly also?: readonly string[]
  /** The time of the camera and of the file on `taken`. */
  readonly at?: string
  /** The day of the file's own time. */
  readonly taken?: string
  /** The day on which the station first saw the file. */
  readonly seen?: string
  readonly isImported?: boolean
  readonly isNamedByRecord?: boolean
  readonly isOverwritten?: boolean
  readonly isReadByProfile?: boolean
  readonly isInSharedFolder?: boolean
  readonly doProfilesDiffer?: boolean
  /** What a description in its attributes names. */
  readonly described?: Stated
  /** What its attributes call something else. */
  readonly explained?: readonly string[]
  /** Its attributes name both eyes. */
  readonly isEyeDisputed?: boolean
}

/** One picture with what its sources say. */
export function picture(path: string, circumstances: Circumstances = {}): PictureEvidence {
  const { dicom, record, folder, study, also = [], at = NOON } = circumstances
  const { taken = TODAY, seen = taken } = circumstances
  const proving = [...sayingOf(record, 'sidecar', `${path}.json`), ...sayingOf(dicom, 'dicom', path)]
  const hints = sayingOf(folder, 'sidecar', 'case.json')
  const takenAt = new Date(`${taken}T${at}`).getTime()
  const people = [...proving, ...hints].flatMap(({ stated, source, where }) => {
    const person = personOf(stated)
    return person === null ? [] : [{ value: person, source, where }]
  })
  return {
    id: path,
    paths: [path, ...also],
    ids: statementsOf(proving, 'id'),
    idHints: statementsOf(hints, 'id'),
    days: statementsOf(proving, 'day'),
    dayHints: statementsOf(hints, 'day'),
    eyes: statementsOf(proving, 'eye'),
    eyeHints: statementsOf(hints, 'eye'),
    eyeDoubts: statementsOf(sayingOf(circumstances.described, 'dicom', path), 'eye'),
    explained: circumstances.explained ?? [],
    isEyeDisputed: circumstances.isEyeDisputed ?? false,
    issuers: statementsOf(proving, 'issuer'),
    people,
    births: people.flatMap(({ value }) => value.birthDate ?? []),
    link: study ?? null,
    takenAt,
    instants: [takenAt],
    seenOn: seen,
    fileDay: taken,
    isImported: circumstances.isImported ?? false,
    isNamedByRecord: circumstances.isNamedByRecord ?? false,
    isOverwritten: circumstances.isOverwritten ?? false,
    isReadByProfile: circumstances.isReadByProfile ?? false,
    profiles: [],
    isInSharedFolder: circumstances.isInSharedFolder ?? false,
    doProfilesDiffer: circumstances.doProfilesDiffer ?? false,
  }
}

/** Pictures that differ in nothing but their paths. */
export function named(...paths: readonly string[]): readonly PictureEvidence[] {
  return paths.map((path) => picture(path))
}

type Saying = {
  readonly stated: Stated
  readonly source: Statement<unknown>['source']
  readonly where: string
}

function sayingOf(stated: Stated | undefined, source: Saying['source'], where: string): readonly Saying[] {
  return stated === undefined ? [] : [{ stated, source, where }]
}

function statementsOf<Key extends keyof Stated>(
  sayings: readonly Saying[],
  key: Key,
): readonly Statement<NonNullable<Stated[Key]>>[] {
  return sayings.flatMap(({ stated, source, where }) => {
    const value = stated[key]
    const doubt = stated.isBroken === true ? { doubt: 'notIntact' as const } : {}
    return value === undefined ? [] : [{ value, source, where, ...doubt }]
  })
}

/** The person that a source describes; null if it describes none. */
function personOf({ name, birth, sex }: Stated): Person | null {
  if (name === undefined && birth === undefined && sex === undefined) return null
  const [lastName = '', firstName = ''] = (name ?? '').split('^')
  return {
    lastName: lastName === '' ? null : lastName,
    firstName: firstName === '' ? null : firstName,
    birthDate: birth ?? null,
    sex: sex ?? null,
  }
}

/** What a folder has learnt: patients, shapes and words by value; pairs of numbers that are of one patient. */
export type Learnt = {
  readonly patients?: readonly string[]
  readonly shapes?: readonly string[]
  readonly constants?: readonly string[]
  /** The words of earlier names, by number. */
  readonly terms?: Readonly<Record<string, readonly string[]>>
  /** Whom data files and the patient list name, by number. */
  readonly found?: Readonly<Record<string, readonly Stated[]>>
  readonly noPatients?: readonly string[]
  readonly same?: readonly (readonly [string, string])[]
  /** Pairs of names that are of one patient. */
  readonly onePerson?: readonly (readonly [string, string])[]
}

export function memoryOf(learnt: Learnt): FolderMemory {
  const { patients, shapes, constants, terms, found, noPatients, same, onePerson } = learnt
  return {
    ...NOTHING_LEARNT,
    isPatient: (id) => patients?.includes(id) ?? false,
    isShapeOfIds: (shape) => shapes?.includes(shape) ?? false,
    isConstant: (term) => constants?.includes(term) ?? false,
    holderOf: (id) => {
      const known = terms?.[id]
      return known === undefined
        ? null
        : { terms: known, people: [], source: 'sentCase', where: 'FC7K3M9QXAW' }
    },
    peopleOf: (id) =>
      (found?.[id] ?? []).flatMap((stated) => {
        const value = personOf(stated)
        return value === null ? [] : [{ value, source: 'sidecar', where: 'list.csv' }]
      }),
    isNoPatientNumber: (number) => noPatients?.includes(number) ?? false,
    areSamePatient: (one, other) => isPairIn(same, one, other),
    areOnePerson: (one, other) => isPairIn(onePerson, one, other),
    answeredBy: () => 'AB',
  }
}

function isPairIn(pairs: Learnt['same'], one: string, other: string): boolean {
  return pairs?.some((pair) => one !== other && pair.includes(one) && pair.includes(other)) ?? false
}

/**
 * A verdict for a table: the kind, the value, and, unless it is the usual one of its kind, the reason in brackets; a
 * dispute with what its sources say. `eyes` holds one entry for each picture, in order, joined by commas.
 */
export type Shown = {
  readonly who: string
  readonly day: string
  readonly eyes: string
  readonly together: string
  readonly clearance: string
}

/** What a row expects; what it leaves out is of no interest to it. */
export type Expected = Partial<Shown>

export function shown(pictures: readonly PictureEvidence[], learnt: Learnt = {}): Shown {
  const verdict = verdictOnVisit(pictures, memoryOf(learnt))
  const { who, day, eyes, together } = verdict
  return {
    who: textFor(who),
    day: textFor(day),
    eyes: pictures
      .map(({ id }) => textFor(eyes.get(id) ?? { kind: 'unknown', why: 'nothingStated' }))
      .join(', '),
    together:
      together.kind === 'unknown'
        ? `unknown, ${together.groups.length} groups`
        : together.kind === 'proven'
          ? 'proven'
          : `proposed${reasonFor('proposed', together.why)}`,
    clearance: clearanceOf(verdict),
  }
}

function textFor(verdict: Verdict<string>): string {
  switch (verdict.kind) {
    case 'proven':
      return `proven ${verdict.value}`
    case 'proposed':
      return `proposed ${verdict.value}${reasonFor(verdict.kind, verdict.why, verdict.about)}`
    case 'disputed':
      return `disputed ${verdict.statements.map(({ value }) => value).join(' | ')}${reasonFor(verdict.kind, verdict.why)}`
    case 'unknown':
      return `unknown${reasonFor(verdict.kind, verdict.why)}`
  }
}

/** The reason that a kind of verdict has as a rule. */
const USUAL = { proposed: 'readFromNames', disputed: 'sourcesDiffer', unknown: 'nothingStated' }

function reasonFor(kind: keyof typeof USUAL, why: string, about?: string): string {
  return why === USUAL[kind] ? '' : ` (${about === undefined ? why : `${why} ${about}`})`
}

/** The case that a path joins by its names alone. */
export function identityOf(path: string, ids: readonly string[] = [], shared?: string): string {
  const isSharedFolder = (folder: string): boolean => folder === shared
  const { kind, of } = groupOf({ path, ids, study: null, isSharedFolder, instants: [] })
  return `${kind === 'weakNumber' ? 'patient' : kind} ${of.join(' ')}`
}

/**
 * A row of a table of visits. A path alone is a picture without statements; a text alone is what the table asks about.
 */
export type VisitRow = [
  title: string,
  pictures: Taken | readonly Taken[],
  expected: string | Expected,
  learnt?: Learnt,
]

type Taken = string | PictureEvidence

/** What checks the rows of a table that asks about one part of the verdict. */
export function asking(about: keyof Shown): (...row: VisitRow) => void {
  return (_title, pictures, expected, learnt) => {
    const taken = [pictures].flat().map((one) => (typeof one === 'string' ? picture(one) : one))
    const parts = typeof expected === 'string' ? { [about]: expected } : expected
    expect(shown(taken, learnt)).toMatchObject(parts)
  }
}
