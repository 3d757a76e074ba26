/** What a data file stated before and states now: which record takes the place of which, and what is remembered. Pure. */
import { FIELD_NAMES, type FieldName } from '../../../../src-shared/fields.ts'
import { recordIn, statedBeforeIn } from '../../json-columns.ts'
import type { SidecarRecordRow } from '../../outbox/files.ts'
import { foldPath, type Sidecar } from '../evidence.ts'
import { doEyesDiffer, type HeldRecord } from '../proof/binding.ts'
import { compareIds } from '../meaning/numbers.ts'
import { contradictionOf, isSameTerm, nameTerms, personIn } from '../meaning/persons.ts'

type Earlier = { readonly row: SidecarRecordRow; readonly record: Sidecar | null }

/** The earlier records of a data file, added oldest first. */
export function earlierRecords(form: HeldRecord['form']) {
  const all: Earlier[] = []
  // A table of years has a row for each visit.
  const byVisit = new Map<string | null, Earlier[]>()
  return {
    add: (rows: readonly SidecarRecordRow[]): void => {
      for (const row of rows) {
        const one = { row, record: recordIn(row.content)[0] ?? null }
        const key = one.record && visitKey(one.record)
        const ofVisit = byVisit.get(key) ?? []
        ofVisit.push(one)
        byVisit.set(key, ofVisit)
        all.push(one)
      }
    },
    rows: (): readonly SidecarRecordRow[] => all.map(({ row }) => row),
    hasReadable: (): boolean => all.some(({ record }) => record !== null),
    /**
     * The row that this record replaces: an identical one, one of the same visit, or one that was unreadable;
     * none that stated another person or another eye, because one of the two is wrong.
     * `isReplaced`: was this row replaced already? Two records of one file never replace the same one.
     */
    findReplaced: (record: Sidecar, isReplaced: (id: number) => boolean): SidecarRecordRow | null => {
      const isFree = ({ row }: { readonly row: SidecarRecordRow }): boolean => !isReplaced(row.id)
      const { fields, files } = record
      const ofVisit = (byVisit.get(visitKey(record)) ?? []).filter(isFree)
      const content = JSON.stringify(record)
      const same = ofVisit.find(({ row }) => row.content === content)
      if (same) return same.row
      // A row of a table is identified by patient, day and files; any other file holds one visit.
      const found =
        form === 'table'
          ? ofVisit.findLast(
              (one) =>
                (one.record === null || includes(record, one.record)) &&
                (fields.history_number !== undefined || isAnyOf(one.record?.files ?? [], files)),
            )
          : (ofVisit.findLast((one) => one.record === null || mayReplace(one.record, record)) ??
            all.findLast(
              (one) =>
                isFree(one) &&
                (one.record === null ||
                  (mayBeOneVisit(one.record, record) && mayReplace(one.record, record))),
            ))
      return found?.row ?? null
    },
  }
}

function visitKey({ fields }: Sidecar): string {
  return JSON.stringify([fields.history_number ?? null, fields.visit_date ?? null])
}

function mayBeOneVisit({ fields: one }: Sidecar, { fields: other }: Sidecar): boolean {
  return (['history_number', 'visit_date'] as const).every(
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

const OF_VISIT: readonly FieldName[] = ['history_number', 'visit_date', 'last_name', 'first_name', 'gender']

/** More are not needed: they contradict one another, and a record can agree with one of them only. */
const MOST_REMEMBERED = 8

/**
 * What a data file has stated of patient, day and eyes and does not state any more, once `now` takes the place of `row`, as
 * JSON: a record that says less must not hide what the file said before.
 */
export function statedBeforeAfter(row: SidecarRecordRow, now: Sidecar | null): string | null {
  const all = [...statedBeforeIn(row.stated_before), ...recordIn(row.content).map(ofVisitOnly)]
  const merged: Sidecar[] = []
  for (const one of all.filter((before) => now === null || !includes(now, before))) {
    const at = merged.findIndex((other) => mayBeMerged(other, one))
    const other = merged[at]
    if (other === undefined) merged.push(one)
    else merged[at] = mergedWith(other, one)
  }
  return merged.length === 0 ? null : JSON.stringify(merged.slice(-MOST_REMEMBERED))
}

function ofVisitOnly(record: Sidecar): Sidecar {
  const stated = FIELD_NAMES.filter((name) => OF_VISIT.includes(name) && record.fields[name] !== undefined)
  const fields = Object.fromEntries(stated.map((name) => [name, record.fields[name]]))
  return { ...record, fields, rejected: [], ignoredCount: 0 }
}

/** True if nothing of patient, day, eyes and files that the one stated is missing or otherwise in the other. */
function includes(now: Sidecar, before: Sidecar): boolean {
  return (
    OF_VISIT.every((name) => {
      const [was, is] = [before.fields[name], now.fields[name]]
      return was === undefined || was === is || (isName(name) && includesName(is, was))
    }) &&
    (before.birthDate === null || before.birthDate === now.birthDate) &&
    (before.ownEyes ?? []).every((eye) => now.ownEyes?.includes(eye)) &&
    Object.entries(before.eyes).every(
      ([file, eye]) => eye === 'unknown' || eyesOfFile(now, file).includes(eye),
    ) &&
    before.files.every((file) => isAnyOf([file], now.files)) &&
    !doEyesDiffer(before, now)
  )
}

function isName(name: FieldName): boolean {
  return name === 'last_name' || name === 'first_name'
}

/** Ana Maria says all that Ana and A. do. */
function includesName(now: unknown, before: unknown): boolean {
  if (typeof now !== 'string' || typeof before !== 'string') return false
  const terms = nameTerms(now)
  return nameTerms(before).every((term) =>
    terms.some((known) => isSameTerm(term, known) && known.length >= term.length),
  )
}

function eyesOfFile({ eyes }: Sidecar, file: string): readonly string[] {
  return Object.entries(eyes).flatMap(([name, eye]) => (foldPath(name) === foldPath(file) ? [eye] : []))
}

function isAnyOf(some: readonly string[], files: readonly string[]): boolean {
  const folded = new Set(files.map(foldPath))
  return some.some((file) => folded.has(foldPath(file)))
}

/** Two statements that together state no more and no less than each of them does. */
function mayBeMerged(one: Sidecar, other: Sidecar): boolean {
  const [ours, theirs] = [one.ownEyes ?? [], other.ownEyes ?? []]
  return (
    OF_VISIT.every(
      (name) =>
        one.fields[name] === undefined ||
        other.fields[name] === undefined ||
        one.fields[name] === other.fields[name],
    ) &&
    (one.birthDate === null || other.birthDate === null || one.birthDate === other.birthDate) &&
    (ours.length === 0 || theirs.length === 0 || ours.join() === theirs.join()) &&
    !doEyesDiffer(one, other)
  )
}

function mergedWith(one: Sidecar, other: Sidecar): Sidecar {
  const ownEyes = [...new Set([...(one.ownEyes ?? []), ...(other.ownEyes ?? [])])]
  return {
    ...one,
    fields: { ...one.fields, ...other.fields },
    birthDate: one.birthDate ?? other.birthDate,
    files: [...new Set([...one.files, ...other.files])],
    eyes: { ...one.eyes, ...other.eyes },
    ...(ownEyes.length > 0 && { ownEyes }),
  }
}
