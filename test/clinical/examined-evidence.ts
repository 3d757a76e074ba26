/** Everything that the examined station knows of one picture, as the station's decisions take it. */
import { type EyeRead, eyesDescribed, readEyes } from '../../src-main/station/intake/dicom/eyes.ts'
import type { StatedEye } from '../../src-main/station/intake/evidence.ts'
import { readByConfirmed } from '../../src-main/station/intake/profile/strict.ts'
import { eyesIn, type HeldRecord } from '../../src-main/station/intake/proof/binding.ts'
import type { Person } from '../../src-main/station/intake/proof/people.ts'
import type { Statement } from '../../src-main/station/intake/proof/verdict.ts'
import type { PictureEvidence } from '../../src-main/station/intake/proof/visit.ts'
import type { ConfirmedProfile } from '../../src-shared/confirmed-profile.ts'
import type { BondedRecord } from './examined-records.ts'
import type { DicomHeader } from './world.ts'

/** A picture: every file of one photograph. */
export type KnownPicture = {
  readonly id: string
  readonly photograph: string
  readonly paths: string[]
  readonly headers: { readonly path: string; readonly header: DicomHeader }[]
  readonly seenMs: number
  readonly mtimeMs: number
}

export type Surroundings = {
  readonly bonds: readonly BondedRecord[]
  /** The confirmed profiles that prove files of its age. */
  readonly proving: readonly ConfirmedProfile[]
  readonly isReused: boolean
  readonly isInSharedFolder: boolean
}

export function evidenceOf(picture: KnownPicture, around: Surroundings): PictureEvidence {
  const { id, paths, headers, seenMs, mtimeMs } = picture
  const { bonds, proving, isReused, isInSharedFolder } = around
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
    ...[...bound, ...hints].map(({ record, path }) => statement(personOfRecord(record), 'sidecar', path)),
    ...headers.map(({ header, path }) => statement(personOfHeader(header), 'dicom', path)),
  ]
  const fieldOf = (
    records: readonly HeldRecord[],
    field: 'history_number' | 'visit_date',
  ): readonly Statement<string>[] =>
    records.flatMap(({ record, path }) => stated(record.fields[field], 'sidecar', path))
  const eyesOf = (wanted: BondedRecord['bond']): readonly Statement<StatedEye>[] =>
    bonds.flatMap(({ held, path, bond }) =>
      bond === wanted ? eyesIn(held, path).map((value) => statement(value, 'sidecar', held.path)) : [],
    )
  return {
    id,
    paths,
    ids: [
      ...read.map(({ path, reading: { historyNumber } }) =>
        statement(historyNumber.value, historyNumber.source, path),
      ),
      ...fieldOf(bound, 'history_number'),
      ...headers.flatMap(({ header, path }) =>
        (header.patientId?.split('\\') ?? []).flatMap((id) => stated(id, 'dicom', path)),
      ),
    ],
    issuers: [],
    people,
    births: people.flatMap(({ value }) => value.birthDate ?? []),
    idHints: fieldOf(hints, 'history_number'),
    days: [
      ...read.flatMap(({ path, reading: { visitDate } }) =>
        visitDate ? [statement(visitDate.value, visitDate.source, path)] : [],
      ),
      ...fieldOf(bound, 'visit_date'),
      ...headers.flatMap(({ header, path }) => stated(dayOf(header.studyDate), 'dicom', path)),
    ],
    dayHints: fieldOf(hints, 'visit_date'),
    eyes: [
      ...read.flatMap(({ path, reading: { eye } }) => (eye ? [statement(eye.value, eye.source, path)] : [])),
      ...eyesOf('bound'),
      ...headers.flatMap(({ header, path }) =>
        [eyesOfHeader(header).eye ?? []].flat().map((eye) => statement(eye, 'dicom', path)),
      ),
    ],
    eyeDoubts: headers.flatMap(({ header, path }) =>
      [...eyesDescribed(header.seriesDescription ?? '')].map((eye) => statement(eye, 'dicom', path)),
    ),
    explained: headers.flatMap(({ header }) =>
      [header.studyInstanceUid ?? [], header.seriesDescription ?? []].flat(),
    ),
    isEyeDisputed: headers.some(({ header }) => eyesOfHeader(header).trouble !== null),
    eyeHints: eyesOf('hint'),
    link:
      headers.find(({ header }) => header.studyInstanceUid !== undefined)?.header.studyInstanceUid ?? null,
    isOverwritten: isReused || hints.some(({ hasHeldAnother }) => hasHeldAnother),
    isInSharedFolder,
    isNamedByRecord: bound.some(({ record }) => record.files.length > 0),
    instants: [mtimeMs],
    seenOn: localDay(seenMs),
    fileDay: localDay(mtimeMs),
    takenAt: mtimeMs,
    doProfilesDiffer: readings.some(({ found }) => found.kind === 'disputed'),
    isReadByProfile: read.length === paths.length,
    profiles: [],
    isImported: false,
  }
}

export function personOfRecord({ fields, birthDate }: HeldRecord['record']): Person {
  const { last_name: lastName = null, first_name: firstName = null, gender } = fields
  return { lastName, firstName, birthDate, sex: gender === undefined ? null : gender === 1 ? 'F' : 'M' }
}

function personOfHeader({ patientName, birthDate, sex }: DicomHeader): Person {
  const [lastName, firstName] = (patientName ?? '').split('^')
  return {
    lastName: lastName || null,
    firstName: firstName || null,
    birthDate: dayOf(birthDate),
    sex: sex ?? null,
  }
}

function eyesOfHeader({ imageLaterality = '', laterality = '' }: DicomHeader): EyeRead {
  const terms = `${imageLaterality}\\${laterality}`.split('\\').filter((term) => term !== '')
  return readEyes({ terms, frames: [] })
}

function statement<Value>(value: Value, source: Statement<Value>['source'], where: string): Statement<Value> {
  return { value, source, where }
}

function stated(
  value: string | null | undefined,
  source: 'sidecar' | 'dicom',
  where: string,
): readonly Statement<string>[] {
  const text = value?.trim() ?? ''
  return text === '' ? [] : [statement(text, source, where)]
}

function dayOf(date: string | undefined): string | null {
  const match = /^(\d{4})(\d\d)(\d\d)$/.exec(date ?? '')
  return match ? `${match[1]}-${match[2]}-${match[3]}` : null
}

function localDay(ms: number): string {
  const date = new Date(ms)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
