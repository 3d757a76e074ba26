/** Everything that the examined station knows of one picture, as the station's decisions take it. */
import type { StatedEye } from '../../src-shared/measurement-ranges.ts'
import { readDicomFacts } from '../../src-main/station/intake/dicom/facts.ts'
import { openDicom } from '../../src-main/station/intake/dicom/values.ts'
import { type ContentFacts, doubtOfRecord } from '../../src-main/station/intake/evidence.ts'
import { readAtOfBytes } from '../../src-main/station/intake/formats/bytes.ts'
import { readByConfirmed } from '../../src-main/station/intake/profile/strict.ts'
import {
  eyesIn,
  type HeldRecord,
  isOfEither,
  type NameUse,
} from '../../src-main/station/intake/proof/binding.ts'
import { type Person, personIn } from '../../src-main/station/intake/meaning/persons.ts'
import type { Statement } from '../../src-main/station/intake/proof/verdict.ts'
import type { PictureEvidence } from '../../src-main/station/intake/proof/visit.ts'
import type { ConfirmedProfile } from '../../src-shared/confirmed-profile.ts'
import type { BondedRecord } from './examined-records.ts'
import { dicomBytes } from './dicom-bytes.ts'
import type { FileEvent } from './world.ts'

/** A picture: every file of one photograph. */
export type KnownPicture = {
  readonly id: string
  readonly photograph: string
  readonly paths: string[]
  /** Of its DICOM files, as the station's reader of bytes states them. */
  readonly facts: { readonly path: string; readonly facts: ContentFacts }[]
  readonly seenMs: number
  readonly mtimeMs: number
}

export type Surroundings = {
  readonly bonds: readonly BondedRecord[]
  /** The confirmed profiles that prove files of its age. */
  readonly proving: readonly ConfirmedProfile[]
  readonly use: NameUse
  readonly isInSharedFolder: boolean
}

/** What the DICOM files of a clinic state, by the bytes of their pictures: written as files, and read as the station does. */
export async function readHeaders(events: readonly FileEvent[]): Promise<ReadonlyMap<string, ContentFacts>> {
  const found = new Map<string, ContentFacts>()
  for (const { content } of events) {
    if (content.kind === 'data' || content.dicom === null || found.has(content.bytes)) continue
    const bytes = dicomBytes(content.dicom)
    found.set(content.bytes, await readDicomFacts(await openDicom(readAtOfBytes(bytes), bytes.length)))
  }
  return found
}

export function evidenceOf(picture: KnownPicture, around: Surroundings): PictureEvidence {
  const { id, paths, facts, seenMs, mtimeMs } = picture
  const { bonds, proving, use, isInSharedFolder } = around
  const bound = bonds.filter(({ bond }) => bond === 'bound').map(({ held }) => held)
  const hints = bonds.filter(({ bond }) => bond === 'hint').map(({ held }) => held)
  const readings = paths.map((path) => ({ path, found: readByConfirmed(proving, path) }))
  const read = readings.flatMap(({ path, found }) =>
    found.kind === 'proven' ? [{ path, reading: found.reading }] : [],
  )
  const people = [
    ...read.flatMap(({ path, reading: { lastName, firstName, name } }): Statement<Person>[] => {
      const person = {
        // The whole name, if the profile does not know its parts.
        lastName: (lastName ?? (firstName === null ? name : null))?.value ?? null,
        firstName: firstName?.value ?? null,
        birthDate: null,
        sex: null,
      }
      return person.lastName === null && person.firstName === null
        ? []
        : [{ value: person, source: 'fileName', where: path }]
    }),
    ...[...bound, ...hints].map(({ record, path }) => statement(personIn(record), 'sidecar', path)),
    ...facts.flatMap(({ facts: one, path }) =>
      [personIn(one), ...(one.stated?.people ?? [])].map((person) => statement(person, 'dicom', path)),
    ),
  ]
  const fieldOf = (
    records: readonly HeldRecord[],
    field: 'history_number' | 'visit_date',
  ): readonly Statement<string>[] =>
    records.flatMap(({ record, path }) =>
      valuesOf([record.fields[field]]).map(({ value }) =>
        withDoubt(
          statement(value, 'sidecar', path),
          doubtOfRecord(record, field === 'visit_date' ? 'day' : 'all'),
        ),
      ),
    )
  const eyesOf = (wanted: BondedRecord['bond']): readonly Statement<StatedEye>[] =>
    bonds.flatMap(({ held, path, bond }) =>
      bond === wanted
        ? eyesIn(held, path).map((value) =>
            withDoubt(statement(value, 'sidecar', held.path), doubtOfRecord(held.record)),
          )
        : [],
    )
  // Without a zone, so it is the station's.
  const captured = facts.flatMap(({ facts: { capturedAt } }) =>
    capturedAt === null ? [] : [Date.parse(capturedAt)],
  )
  /** What the attributes state of one thing; a file that contradicts itself proves none of it. */
  const inDicom = <Stated extends { readonly value: unknown }>(
    of: (one: ContentFacts) => readonly Stated[],
  ): readonly (Stated & Statement<Stated['value']>)[] =>
    facts.flatMap(({ facts: one, path }) =>
      of(one).map((stated) => ({
        ...stated,
        ...statement(stated.value, 'dicom', path),
        ...(one.stated?.isIntact === false && { doubt: 'notIntact' as const }),
      })),
    )
  return {
    id,
    paths,
    ids: [
      ...read.map(({ path, reading: { historyNumber } }) =>
        statement(historyNumber.value, historyNumber.source, path),
      ),
      ...fieldOf(bound, 'history_number'),
      ...inDicom(({ fields, stated }) => valuesOf(stated?.numbers ?? [fields.history_number])),
    ],
    issuers: inDicom(({ stated }) => valuesOf([stated?.issuer])),
    people,
    births: people.flatMap(({ value }) => value.birthDate ?? []),
    idHints: fieldOf(hints, 'history_number'),
    days: [
      ...read.flatMap(({ path, reading: { visitDate } }) =>
        visitDate ? [statement(visitDate.value, visitDate.source, path)] : [],
      ),
      ...fieldOf(bound, 'visit_date'),
      ...inDicom(({ fields, stated }) => stated?.days ?? valuesOf([fields.visit_date])),
    ],
    dayHints: fieldOf(hints, 'visit_date'),
    eyes: [
      ...read.flatMap(({ path, reading: { eye } }) => (eye ? [statement(eye.value, eye.source, path)] : [])),
      ...eyesOf('bound'),
      ...inDicom(({ eye }) => (eye === null ? [] : [{ value: eye }])),
    ],
    eyeDoubts: inDicom(({ stated }) => stated?.eyes ?? []),
    explained: facts.flatMap(({ facts: { stated } }) => stated?.explained ?? []),
    isEyeDisputed: facts.some(({ facts: { rejected } }) => rejected.some(({ field }) => field === 'eye')),
    eyeHints: eyesOf('hint'),
    link: facts.find(({ facts: { studyUid } }) => studyUid)?.facts.studyUid ?? null,
    isOverwritten: use === 'reused' || hints.some((hint) => hint.onlyDoubts || isOfEither(hint, [use])),
    isInSharedFolder,
    isNamedByRecord: bound.some(({ record }) => record.files.length > 0),
    instants: [...new Set([...captured, mtimeMs])],
    seenOn: localDay(seenMs),
    fileDay: localDay(mtimeMs),
    takenAt: captured[0] ?? mtimeMs,
    doProfilesDiffer: readings.some(({ found }) => found.kind === 'disputed'),
    isReadByProfile: read.length === paths.length,
    profiles: [],
    isImported: false,
  }
}

function withDoubt<Value>(one: Statement<Value>, doubt: Statement<Value>['doubt']): Statement<Value> {
  return doubt === undefined ? one : { ...one, doubt }
}

function statement<Value>(value: Value, source: Statement<Value>['source'], where: string): Statement<Value> {
  return { value, source, where }
}

function valuesOf(values: readonly (string | null | undefined)[]): readonly { readonly value: string }[] {
  return values.flatMap((value) => {
    const text = value?.trim() ?? ''
    return text === '' ? [] : [{ value: text }]
  })
}

function localDay(ms: number): string {
  const date = new Date(ms)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
