/** What the files of one picture state: their names by confirmed profiles, their records, their DICOM attributes. Pure. */
import type { ConfirmedProfile } from '../../../../src-shared/confirmed-profile.ts'
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { type ContentFacts, doubtOfRecord, type Sidecar } from '../meaning/sources.ts'
import { type Person, personIn } from '../meaning/persons.ts'
import { readByConfirmed, type StrictReading } from '../profiles/strict.ts'
import { type Bond, type HeldRecord, isOfEither, type NameUse } from './binding.ts'
import type { PictureEvidence } from './evidence.ts'
import type { Doubt, Statement } from './verdict.ts'

/** A record about a picture, with the eyes that it states for it. */
export type BondedRecord = {
  readonly held: HeldRecord
  readonly bond: Exclude<Bond, 'none'>
  readonly eyes: readonly StatedEye[]
}

/** What is known of one picture before any of it is weighed. */
export type KnownPicture = Pick<
  PictureEvidence,
  'id' | 'paths' | 'seenOn' | 'fileDay' | 'isImported' | 'isInSharedFolder'
> & {
  /** Of its files, ms since 1970. */
  readonly mtimes: readonly number[]
  /** `isShared`: another picture, of other pixels, has the same SOP Instance UID. */
  readonly headers: readonly {
    readonly facts: ContentFacts
    readonly path: string
    readonly isShared: boolean
  }[]
  readonly bonds: readonly BondedRecord[]
  /** What else its folder has had under its names. */
  readonly uses: readonly NameUse[]
  /** The confirmed profiles that may prove its names. */
  readonly proving: readonly ConfirmedProfile[]
  /** Not known to be one photograph with the file beside it: what that file states proves nothing. */
  readonly isTwinUnproven: boolean
}

/** Everything that is known of a picture, each statement with its source, its place and what keeps it from being proof. */
export function pictureOf(known: KnownPicture): PictureEvidence {
  const { id, paths, mtimes, headers, bonds, uses, proving, isTwinUnproven } = known
  const bound = bonds.filter(({ bond }) => bond === 'bound').map(({ held }) => held)
  const hints = bonds.filter(({ bond }) => bond === 'hint').map(({ held }) => held)
  const confirmed = paths.map((path) => ({ path, found: readByConfirmed(proving, path) }))
  const read = confirmed.flatMap(({ path, found }) =>
    found.kind === 'proven' ? [{ path, reading: found.reading, profileId: found.profileId }] : [],
  )
  const people = [
    ...read.flatMap(({ path, reading }) => {
      const person = personRead(reading)
      return person === null ? [] : [statement(person, 'fileName', path)]
    }),
    ...[...bound, ...hints].map(({ record, path }) => statement(personIn(record), 'sidecar', path)),
    ...headers.flatMap(({ facts, path }) =>
      [personIn(facts), ...(facts.stated?.people ?? [])].map((person) => statement(person, 'dicom', path)),
    ),
  ]
  // Without a zone, so it is the station's.
  const captured = headers.flatMap(({ facts: { capturedAt } }) =>
    capturedAt === null ? [] : [Date.parse(capturedAt)],
  )
  /** What the attributes state of one thing, each with what keeps it from being proof. */
  const inDicom = <Stated extends { readonly value: unknown }>(
    of: (facts: ContentFacts) => readonly Stated[],
  ): readonly (Stated & Statement<Stated['value']>)[] =>
    headers.flatMap(({ facts, path, isShared }) => {
      const isIntact = (facts.stated?.isIntact ?? true) && !isShared
      const doubt = isTwinUnproven ? ('noLink' as const) : isIntact ? undefined : ('notIntact' as const)
      return of(facts).map((stated) => ({
        ...stated,
        ...statement(stated.value, 'dicom', path),
        ...(doubt && { doubt }),
      }))
    })
  const inBound = (of: Text, what: 'day' | 'all'): readonly Statement<string>[] =>
    bound.flatMap((held) => inRecord(held, of).map((one) => withDoubt(one, doubtOfRecord(held.record, what))))
  const eyesOf = (wanted: BondedRecord['bond']): readonly Statement<StatedEye>[] =>
    bonds.flatMap(({ held: { record, path }, eyes, bond }) =>
      bond === wanted
        ? eyes.map((eye) => withDoubt(statement(eye, 'sidecar', path), doubtOfRecord(record)))
        : [],
    )
  return {
    id,
    paths,
    seenOn: known.seenOn,
    fileDay: known.fileDay,
    isImported: known.isImported,
    isInSharedFolder: known.isInSharedFolder,
    ids: [
      ...read.map(({ path, reading: { historyNumber } }) =>
        statement(historyNumber.value, historyNumber.source, path),
      ),
      ...inBound(numberIn, 'all'),
      ...inDicom((facts) => valuesOf(facts.stated?.numbers ?? [numberIn(facts)])),
    ],
    issuers: inDicom(({ stated }) => valuesOf([stated?.issuer ?? undefined])),
    idHints: hints.flatMap((held) => inRecord(held, numberIn)),
    people,
    births: people.flatMap(({ value }) => value.birthDate ?? []),
    days: [
      ...read.flatMap(({ path, reading: { visitDate } }) =>
        visitDate ? [statement(visitDate.value, visitDate.source, path)] : [],
      ),
      ...inBound(dayIn, 'day'),
      ...inDicom((facts) => facts.stated?.days ?? valuesOf([dayIn(facts)])),
    ],
    dayHints: hints.flatMap((held) => inRecord(held, dayIn)),
    eyes: [
      ...read.flatMap(({ path, reading: { eye } }) => (eye ? [statement(eye.value, eye.source, path)] : [])),
      ...eyesOf('bound'),
      ...inDicom(({ eye }) => (eye === null ? [] : [{ value: eye }])),
    ],
    eyeDoubts: inDicom(({ stated }) => stated?.eyes ?? []),
    eyeHints: eyesOf('hint'),
    isEyeDisputed: headers.some(({ facts }) => facts.rejected.some(({ field }) => field === 'eye')),
    explained: headers.flatMap(({ facts }) => facts.stated?.explained ?? []),
    link: isTwinUnproven ? null : (headers.find(({ facts }) => facts.studyUid)?.facts.studyUid ?? null),
    isNamedByRecord: bound.some(({ record }) => record.files.length > 0),
    isOverwritten: uses.includes('reused') || hints.some((hint) => hint.onlyDoubts || isOfEither(hint, uses)),
    doProfilesDiffer: confirmed.some(({ found }) => found.kind === 'disputed'),
    isReadByProfile: read.length === paths.length,
    profiles: read.map(({ profileId }) => profileId),
    instants: [...new Set([...captured, ...mtimes])],
    takenAt: captured[0] ?? Math.min(...mtimes),
  }
}

function inRecord({ record, path }: HeldRecord, of: Text): readonly Statement<string>[] {
  return valuesOf([of(record)]).map(({ value }) => statement(value, 'sidecar', path))
}

type Text = (record: Pick<Sidecar, 'fields'>) => string | undefined
const numberIn: Text = ({ fields }) => fields.history_number
const dayIn: Text = ({ fields }) => fields.visit_date

/** The person whose name a confirmed profile read; all of it if it does not know the parts. */
function personRead({ lastName, firstName, name }: StrictReading): Person | null {
  const isParted = lastName !== null || firstName !== null
  const [last, first] = isParted ? [lastName, firstName] : [name, null]
  if (last === null && first === null) return null
  return { lastName: last?.value ?? null, firstName: first?.value ?? null, birthDate: null, sex: null }
}

function statement<Value>(value: Value, source: Statement<Value>['source'], where: string): Statement<Value> {
  return { value, source, where }
}

function valuesOf(values: readonly (string | undefined)[]): readonly { readonly value: string }[] {
  return values.flatMap((value) =>
    value === undefined || value.trim() === '' ? [] : [{ value: value.trim() }],
  )
}

function withDoubt<Value>(one: Statement<Value>, doubt: Doubt | undefined): Statement<Value> {
  return doubt === undefined ? one : { ...one, doubt }
}
