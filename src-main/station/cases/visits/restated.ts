/** What a data file stated before and states now: which record takes the place of which, and what is remembered. Pure. */
import { hash } from 'node:crypto'
import type { FieldName } from '../../../../src-shared/fields.ts'
import { recordIn, statedBeforeIn } from '../../json-columns.ts'
import type { SidecarRecordRow } from '../../outbox/files.ts'
import { foldPath, type Sidecar, withFields } from '../meaning/sources.ts'
import { doEyesDiffer, type HeldRecord } from '../verdict/binding.ts'
import { compareIds } from '../meaning/numbers.ts'
import { contradictionOf, isNameField, isSameTerm, nameTerms, personIn } from '../meaning/persons.ts'

/** The earlier records of a data file, oldest first, each read when asked: a long list would fill the memory. */
export function earlierRecords(form: HeldRecord['form'], read: (id: number) => SidecarRecordRow | null) {
  const ids: number[] = []
  const stated: number[] = []
  // A table of years has a row for each visit.
  const byContent = new Map<string, number[]>()
  const byVisit = new Map<string, number[]>()
  let readable = 0

  const last = (
    found: readonly number[],
    fits: (row: SidecarRecordRow) => boolean,
  ): SidecarRecordRow | null => {
    for (const id of found.toReversed()) {
      const row = read(id)
      if (row !== null && fits(row)) return row
    }
    return null
  }

  return {
    add: (rows: readonly SidecarRecordRow[]): void => {
      for (const { id, content, withdrawn_at: withdrawnAt } of rows) {
        ids.push(id)
        if (withdrawnAt === null) stated.push(id)
        const [record] = recordIn(content)
        if (content === null || record === undefined) continue
        readable += 1
        addTo(byContent, digestOf(content), id)
        for (const key of visitKeys(record, form)) addTo(byVisit, key, id)
      }
    },
    first: (): SidecarRecordRow | null => (ids[0] === undefined ? null : read(ids[0])),
    /** Those that the file stated when it was last read. */
    stated: (): readonly number[] => stated,
    hasReadable: (): boolean => readable > 0,
    /**
     * The row to replace: the identical one, one of the same visit, or an unreadable one; never one of another person
     * or eye, as one of the two is wrong. `isReplaced`: no row is replaced twice.
     */
    findReplaced: (record: Sidecar, isReplaced: (id: number) => boolean): SidecarRecordRow | null => {
      const free = (some: readonly number[]): readonly number[] => some.filter((id) => !isReplaced(id))
      const [same] = free(byContent.get(digestOf(JSON.stringify(record))) ?? [])
      if (same !== undefined) return read(same)
      const keys = visitKeys(record, form)
      const ofVisit = free([...new Set(keys.flatMap((key) => byVisit.get(key) ?? []))])
      // A row of a table is identified by patient, day and files; any other file holds one visit.
      return form === 'table'
        ? last(
            ofVisit,
            supersededIf((before) => includes(record, before)),
          )
        : (last(
            ofVisit,
            supersededIf((before) => mayReplace(before, record)),
          ) ??
            last(
              free(ids),
              supersededIf((before) => areAlikeIn(VISIT, before, record) && mayReplace(before, record)),
            ))
    },
  }
}

/** One that was unreadable gives its place to anything. */
function supersededIf(fits: (before: Sidecar) => boolean): (row: SidecarRecordRow) => boolean {
  return ({ content }) => {
    const [before] = recordIn(content)
    return before === undefined || fits(before)
  }
}

function addTo(index: Map<string, number[]>, key: string, id: number): void {
  const known = index.get(key)
  if (known === undefined) index.set(key, [id])
  else known.push(id)
}

function digestOf(content: string): string {
  return hash('sha256', content, 'base64')
}

/** A row of a table that states no number is found by the files that it names. */
function visitKeys({ fields, files }: Sidecar, form: HeldRecord['form']): readonly string[] {
  const visit = [fields.history_number ?? null, fields.visit_date ?? null]
  if (form !== 'table' || fields.history_number !== undefined) return [JSON.stringify(visit)]
  return files.map((file) => JSON.stringify([...visit, foldPath(file)]))
}

/** True if nothing that both state in these fields differs. */
function areAlikeIn(
  names: readonly FieldName[],
  { fields: one }: Sidecar,
  { fields: other }: Sidecar,
): boolean {
  return names.every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  )
}

function mayReplace(before: Sidecar, now: Sidecar): boolean {
  return mayBeOfOnePatient(before, now) && !doEyesDiffer(before, now)
}

type OfPatient = Pick<Sidecar, 'fields' | 'birthDate'>

/** False if two records name two people: by their numbers, or by what they say of the person. */
export function mayBeOfOnePatient(one: OfPatient, other: OfPatient): boolean {
  const [ours, theirs] = [one.fields.history_number, other.fields.history_number]
  if (ours !== undefined && theirs !== undefined && compareIds(ours, theirs) === 'other') return false
  return contradictionOf(personIn(one), personIn(other)) === null
}

/** True if two records name two people under one number. */
export function areTwoOfOneNumber(one: OfPatient, other: OfPatient): boolean {
  const [ours, theirs] = [one.fields.history_number, other.fields.history_number]
  return (
    ours !== undefined &&
    theirs !== undefined &&
    compareIds(ours, theirs) !== 'other' &&
    contradictionOf(personIn(one), personIn(other)) !== null
  )
}

/** True if two records of one data file state another day, or another eye of an image, of what may be one patient. */
export function doVisitsDiffer(one: Sidecar, other: Sidecar): boolean {
  const [day, otherDay] = [one.fields.visit_date, other.fields.visit_date]
  const isOtherDay = day !== undefined && otherDay !== undefined && day !== otherDay
  return mayBeOfOnePatient(one, other) && (isOtherDay || doEyesDiffer(one, other))
}

const VISIT = ['history_number', 'visit_date'] as const

const OF_VISIT: readonly FieldName[] = ['history_number', 'visit_date', 'last_name', 'first_name', 'gender']

/** Enough for a program that writes its record again with each image, and names the last one only. */
const MOST_REMEMBERED = 200

/**
 * What a data file has stated of patient, day and eyes and does not state any more, once `now` takes the place of `row`, as
 * JSON: a record that says less must not hide what the file said before.
 */
export function statedBeforeAfter(row: SidecarRecordRow, now: Sidecar | null): string | null {
  const all = [
    ...statedBeforeIn(row.stated_before),
    ...recordIn(row.content).map((record) => withFields(record, OF_VISIT)),
  ]
  const gone = all
    .filter((before) => now === null || !includes(now, before))
    .map((one) => JSON.stringify(one))
  const kept = [...new Set(gone)].slice(-MOST_REMEMBERED)
  return kept.length === 0 ? null : `[${kept.join(',')}]`
}

/** True if nothing of patient, day, eyes and files that the one stated is missing or otherwise in the other. */
function includes(now: Sidecar, before: Sidecar): boolean {
  const files = new Set(now.files.map(foldPath))
  const eyes = new Set(Object.entries(now.eyes).map(([file, eye]) => `${eye} ${foldPath(file)}`))
  return (
    OF_VISIT.every((name) => {
      const [was, is] = [before.fields[name], now.fields[name]]
      return was === undefined || was === is || (isNameField(name) && includesName(is, was))
    }) &&
    (before.birthDate === null || before.birthDate === now.birthDate) &&
    (before.ownEyes ?? []).every((eye) => now.ownEyes?.includes(eye)) &&
    Object.entries(before.eyes).every(
      ([file, eye]) => eye === 'unknown' || eyes.has(`${eye} ${foldPath(file)}`),
    ) &&
    before.files.every((file) => files.has(foldPath(file))) &&
    !doEyesDiffer(before, now)
  )
}

/** Ana Maria says all that Ana and A. do. */
function includesName(now: unknown, before: unknown): boolean {
  if (typeof now !== 'string' || typeof before !== 'string') return false
  const terms = nameTerms(now)
  return nameTerms(before).every((term) =>
    terms.some((known) => isSameTerm(term, known) && known.length >= term.length),
  )
}
