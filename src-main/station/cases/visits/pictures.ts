/** Collects what the outbox holds about a picture: each statement with its source and what keeps it from being proof. */
import type { ConfirmedProfile } from '../../../../src-shared/confirmed-profile.ts'
import {
  type FolderReading,
  folderReadingSchema,
  type FolderSettings,
} from '../../../../src-shared/folder-settings.ts'
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import { factsColumn, fieldsColumn, sourcesColumn } from '../../json-columns.ts'
import type { ImageCopy } from '../../outbox/seen-files.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { UnusableRow } from '../../outbox/unusable-files.ts'
import { localDate } from '../meaning/dates.ts'
import { bareId } from '../meaning/numbers.ts'
import { type Person, personIn } from '../meaning/persons.ts'
import { type ContentFacts, doubtOfRecord, type Sidecar } from '../meaning/sources.ts'
import { comparePhotographs } from './twins.ts'
import {
  confirmationOf,
  firstReviewsLeft,
  provesFile,
  readByConfirmed,
  type StrictReading,
} from '../profiles/strict.ts'
import { type Bond, bondOf, eyesIn, type HeldRecord, isOfEither } from '../verdict/binding.ts'
import { isOfOtherVisit } from '../verdict/day.ts'
import { type Doubt, type PictureEvidence, type Statement, statementOf } from '../verdict/evidence.ts'
import { folderOfVisit } from '../names/tokens.ts'
import type { Reserve } from '../verdict/visit.ts'
import type { CaseReads, ImageFile } from './reads.ts'
import { isBesideAnother, othersBelow, recordsAbout, useOfName } from './records.ts'

/** A file that cannot be used, as an image of which nothing but the name and the time is known. */
export function unusableImage(
  file: Pick<UnusableRow, 'id' | 'relative_path' | 'size_bytes' | 'mtime_ms' | 'seen_at'>,
): ImageFile {
  return {
    id: file.id,
    file_name: file.relative_path,
    content_type: 'image/jpeg',
    size_bytes: file.size_bytes,
    mtime_ms: file.mtime_ms,
    added_at: file.seen_at,
    facts: null,
    grey: null,
    record_id: null,
    imported_at: null,
  }
}

/** What reading a case takes; nothing is written. */
export type ReadContext = {
  readonly outbox: CaseReads
  readonly settings: () => Settings
  /** The people whom the clinic's patient list has under this number, if there is a list: two if it is of two. */
  readonly peopleInPatientList?: (historyNumber: string) => readonly Sidecar[]
}

export type VisitContext = ReadContext & { readonly outbox: Outbox }

/** The same for the cases of one watched folder. */
export type InFolder<Context = ReadContext> = Context & { readonly folderPath: string }

export function folderSettingsOf(
  { settings }: Pick<ReadContext, 'settings'>,
  folderPath: string | null,
): FolderSettings | null {
  return settings().folders.find(({ path }) => path === folderPath) ?? null
}

const PLAIN_READING = folderReadingSchema.parse({})

/** How the files of a folder are read, by its current settings. */
export function readingOf(folder: Pick<InFolder, 'settings' | 'folderPath'>): FolderReading {
  return folderSettingsOf(folder, folder.folderPath) ?? PLAIN_READING
}

/** One picture with everything that its files, their names and the data files say. */
export type CollectedPicture = PictureEvidence & {
  readonly facts: readonly ContentFacts[]
  /** Records that are bound to it, and those of its folder: their values fill the form. */
  readonly records: readonly Sidecar[]
  readonly boundRecords: readonly Sidecar[]
  /** When the first of its files was first seen, ms since 1970. */
  readonly cameAt: number
  /** Not known to be one photograph with the file beside it: what that file states proves nothing. */
  readonly isTwinUnproven: boolean
  /** What confirmed profiles of its folder say of its names that they do not prove. */
  readonly reserve: Reserve | null
}

/**
 * Collects what is known of one picture: its own file, its twin, its copies under other names. `trusted`: which confirmed
 * profiles read its names; `all` also those that prove nothing of it yet.
 */
export function collectPicture(
  context: InFolder,
  files: readonly ImageFile[],
  trusted: 'proving' | 'all' = 'proving',
): CollectedPicture {
  const { outbox, folderPath } = context
  const copies = files.flatMap((file) => outbox.copiesOf(file.id))
  const paths = [
    ...files.map(({ file_name }) => file_name),
    ...copies.map(({ file_name }) => file_name),
  ].toSorted()
  const facts = factsOf(files, copies)
  const uses = paths.map((path) => useOfName(context, path, files, copies))
  const isReused = uses.includes('reused')
  const when = {
    paths,
    seenOn: localDate(Math.max(...files.map(({ added_at }) => added_at))),
    fileDay: localDate(Math.min(...files.map(({ mtime_ms }) => mtime_ms))),
    isImported: files.every(({ imported_at }) => imported_at !== null),
  }
  const ownDays = [...facts.map(({ fields }) => fields.visit_date), ...daysEntered(context, files)]
  const held = recordsAbout(context, paths, [...files, ...copies], isReused).map((one) =>
    isOfOtherVisit(one.record.fields.visit_date, when, ownDays) || isBesideAnother(context, one, files)
      ? { ...one, onlyDoubts: true }
      : one,
  )
  const bonds = held.flatMap((record): BondedRecord[] => {
    const others = othersBelow(context, record)
    const ofPaths = paths.map((path) => {
      // Of copies no one knows since when.
      const cameAt = files.find((file) => file.file_name === path)?.added_at ?? Infinity
      const isWithdrawn = record.withdrawnAt !== null && record.withdrawnAt <= cameAt
      const use = isReused || isWithdrawn ? 'reused' : uses.includes('sharedStem') ? 'sharedStem' : 'once'
      return { path, bond: bondOf(record, path, use, others) }
    })
    const bond = (['bound', 'hint'] as const).find((kind) => ofPaths.some((one) => one.bond === kind))
    if (bond === undefined) return []
    // A table may name the JPEG and the DICOM file of a picture, and state an eye for each.
    const eyes = ofPaths.flatMap((one) => (one.bond === bond ? eyesIn(record, one.path, others) : []))
    return [{ held: record, bond, eyes: [...new Set(eyes)] }]
  })
  // What was imported was there before: no one knows since when.
  const seenAt = Math.min(...files.map((file) => (file.imported_at === null ? file.added_at : 0)))
  const folder = folderSettingsOf(context, folderPath)
  const inForce = (folder?.confirmedProfiles ?? []).filter(
    (one) => confirmationOf(one) !== null || one.proposes,
  )
  const reserves = new Map(inForce.map((one) => [one, reserveOf(context, folder, one, seenAt)]))
  const proving = trusted === 'all' ? inForce : inForce.filter((one) => reserves.get(one) === null)
  const read = paths.map((path) => ({ path, found: readByConfirmed(proving, path) }))
  const ids = files.map(({ id }) => id)
  const isTwinUnproven = files.some(
    ({ grey }, at) => at > 0 && comparePhotographs(files[0]?.grey ?? null, grey) !== 'same',
  )
  const stated = statementsOf(bonds, isTwinUnproven, {
    headers: facts.map((one) => ({
      facts: one,
      path: paths[0] ?? '',
      isShared: one.sopUid !== null && outbox.isSharedUid(one.sopUid, ids),
    })),
    names: read.flatMap(({ path, found }) => (found.kind === 'proven' ? [{ ...found, path }] : [])),
  })
  const [bound, hints] = [heldBy(bonds, 'bound'), heldBy(bonds, 'hint')]
  const mtimes = files.map(({ mtime_ms }) => mtime_ms)
  // Without a zone, so it is the station's.
  const captured = facts.flatMap(({ capturedAt }) => (capturedAt === null ? [] : [Date.parse(capturedAt)]))
  const boundRecords = bound.map(({ record }) => record)
  return {
    ...when,
    ...stated,
    id: ids[0] ?? '',
    births: stated.people.flatMap(({ value }) => value.birthDate ?? []),
    isEyeDisputed: facts.some(({ rejected }) => rejected.some(({ field }) => field === 'eye')),
    explained: facts.flatMap((one) => one.stated?.explained ?? []),
    link: isTwinUnproven ? null : (facts.find(({ studyUid }) => studyUid)?.studyUid ?? null),
    isNamedByRecord: bound.some(({ record }) => record.files.length > 0),
    isOverwritten: isReused || hints.some((hint) => hint.onlyDoubts || isOfEither(hint, uses)),
    doProfilesDiffer: read.some(({ found }) => found.kind === 'disputed'),
    isReadByProfile: read.every(({ found }) => found.kind === 'proven'),
    profiles: read.flatMap(({ found }) => (found.kind === 'proven' ? [found.profileId] : [])),
    instants: [...new Set([...captured, ...mtimes])],
    takenAt: captured[0] ?? Math.min(...mtimes),
    isInSharedFolder: paths.some((path) => {
      const own = folderOfVisit(path)
      return own !== null && isSharedFolder(context, own)
    }),
    facts,
    records: [...boundRecords, ...hints.map(({ record }) => record)],
    boundRecords,
    cameAt: Math.min(...files.map(({ added_at }) => added_at)),
    isTwinUnproven,
    reserve: reserveOn(paths, inForce, reserves),
  }
}

/** A record about a picture, with the eyes that it states for it. */
type BondedRecord = {
  readonly held: HeldRecord
  readonly bond: Exclude<Bond, 'none'>
  readonly eyes: readonly StatedEye[]
}

function heldBy(bonds: readonly BondedRecord[], wanted: BondedRecord['bond']): readonly HeldRecord[] {
  return bonds.flatMap(({ held, bond }) => (bond === wanted ? [held] : []))
}

/** `isShared`: another picture, of other pixels, has the same SOP Instance UID. */
type Header = { readonly facts: ContentFacts; readonly path: string; readonly isShared: boolean }

type NameRead = { readonly path: string; readonly reading: StrictReading }

/** Everything that is stated of a picture, each with its source, its place and what keeps it from being proof. */
function statementsOf(
  bonds: readonly BondedRecord[],
  isTwinUnproven: boolean,
  { headers, names }: { readonly headers: readonly Header[]; readonly names: readonly NameRead[] },
) {
  const [bound, hints] = [heldBy(bonds, 'bound'), heldBy(bonds, 'hint')]
  /** What the attributes state of one thing, each with what keeps it from being proof. */
  const inDicom = <Stated extends { readonly value: unknown }>(
    of: (facts: ContentFacts) => readonly Stated[],
  ): readonly (Stated & Statement<Stated['value']>)[] =>
    headers.flatMap(({ facts, path, isShared }) => {
      const isIntact = (facts.stated?.isIntact ?? true) && !isShared
      const doubt = isTwinUnproven ? ('noLink' as const) : isIntact ? undefined : ('notIntact' as const)
      return of(facts).map((stated) => ({
        ...stated,
        ...statementOf(stated.value, 'dicom', path),
        ...(doubt && { doubt }),
      }))
    })
  const inBound = (of: Text, what: 'day' | 'all'): readonly Statement<string>[] =>
    bound.flatMap((held) => inRecord(held, of).map((one) => withDoubt(one, doubtOfRecord(held.record, what))))
  const eyesOf = (wanted: BondedRecord['bond']): readonly Statement<StatedEye>[] =>
    bonds.flatMap(({ held: { record, path }, eyes, bond }) =>
      bond === wanted
        ? eyes.map((eye) => withDoubt(statementOf(eye, 'sidecar', path), doubtOfRecord(record)))
        : [],
    )
  return {
    ids: [
      ...names.map(({ path, reading: { historyNumber } }) =>
        statementOf(historyNumber.value, historyNumber.source, path),
      ),
      ...inBound(numberIn, 'all'),
      ...inDicom((facts) => valuesOf(facts.stated?.numbers ?? [numberIn(facts)])),
    ],
    issuers: inDicom(({ stated }) => valuesOf([stated?.issuer ?? undefined])),
    idHints: hints.flatMap((held) => inRecord(held, numberIn)),
    people: [
      ...names.flatMap(({ path, reading }) => {
        const person = personRead(reading)
        return person === null ? [] : [statementOf(person, 'fileName', path)]
      }),
      ...[...bound, ...hints].map(({ record, path }) => statementOf(personIn(record), 'sidecar', path)),
      ...headers.flatMap(({ facts, path }) =>
        [personIn(facts), ...(facts.stated?.people ?? [])].map((person) =>
          statementOf(person, 'dicom', path),
        ),
      ),
    ],
    days: [
      ...names.flatMap(({ path, reading: { visitDate } }) =>
        visitDate ? [statementOf(visitDate.value, visitDate.source, path)] : [],
      ),
      ...inBound(dayIn, 'day'),
      ...inDicom((facts) => facts.stated?.days ?? valuesOf([dayIn(facts)])),
    ],
    dayHints: hints.flatMap((held) => inRecord(held, dayIn)),
    eyes: [
      ...names.flatMap(({ path, reading: { eye } }) =>
        eye ? [statementOf(eye.value, eye.source, path)] : [],
      ),
      ...eyesOf('bound'),
      ...inDicom(({ eye }) => (eye === null ? [] : [{ value: eye }])),
    ],
    eyeDoubts: inDicom(({ stated }) => stated?.eyes ?? []),
    eyeHints: eyesOf('hint'),
  }
}

function inRecord({ record, path }: HeldRecord, of: Text): readonly Statement<string>[] {
  return valuesOf([of(record)]).map(({ value }) => statementOf(value, 'sidecar', path))
}

type Text = (record: Pick<Sidecar, 'fields'>) => string | undefined
const numberIn: Text = ({ fields }) => fields.history_number
const dayIn: Text = ({ fields }) => fields.visit_date

/** The person whose name a confirmed profile read; all of it if it does not know the parts. */
function personRead({ lastName, firstName, name }: StrictReading): Person | null {
  const isParted = lastName !== null || firstName !== null
  const [last, first] = isParted ? [lastName, firstName] : [name, null]
  return last === null && first === null
    ? null
    : { lastName: last, firstName: first, birthDate: null, sex: null }
}

function valuesOf(values: readonly (string | undefined)[]): readonly { readonly value: string }[] {
  return values.flatMap((value) =>
    value === undefined || value.trim() === '' ? [] : [{ value: value.trim() }],
  )
}

function withDoubt<Value>(one: Statement<Value>, doubt: Doubt | undefined): Statement<Value> {
  return doubt === undefined ? one : { ...one, doubt }
}

function daysEntered({ outbox }: ReadContext, files: readonly ImageFile[]): readonly (string | undefined)[] {
  return files.map(({ id }) => {
    const home = id === '' ? undefined : outbox.imageById(id)?.submission_id
    const row = home === undefined ? undefined : outbox.rowOf(home)
    const isEntered = row !== undefined && sourcesColumn.read(row.sources).visit_date === 'person'
    return isEntered ? fieldsColumn.read(row.fields).visit_date : undefined
  })
}

/** True if a folder has held the images of two patients: it holds nothing together any more. */
export function isSharedFolder({ outbox, folderPath }: InFolder, directory: string): boolean {
  return new Set(outbox.numbersInFolder(folderPath, directory).map(bareId)).size > 1
}

/** Why a profile proves nothing of a file that was first seen at this instant; null if it proves it. */
function reserveOf(
  { outbox }: ReadContext,
  folder: FolderSettings | null,
  profile: ConfirmedProfile,
  seenAt: number,
): Reserve | null {
  if (confirmationOf(profile) === null) return 'firstReviews'
  if (folder === null || !provesFile(profile, seenAt)) return 'beforeConfirmation'
  return firstReviewsLeft(outbox, folder, profile) > 0 ? 'firstReviews' : null
}

/** `notConfirmed`: the folder has confirmed profiles, and none of them reads one of these paths. */
function reserveOn(
  paths: readonly string[],
  inForce: readonly ConfirmedProfile[],
  reserves: ReadonlyMap<ConfirmedProfile, Reserve | null>,
): Reserve | null {
  if (inForce.length === 0) return null
  const readers = paths.map((path) =>
    inForce.filter((profile) => readByConfirmed([profile], path).kind !== 'none'),
  )
  if (readers.some((profiles) => profiles.length === 0))
    return inForce.some((profile) => confirmationOf(profile) !== null) ? 'notConfirmed' : null
  const found = new Set(readers.flat().map((profile) => reserves.get(profile) ?? null))
  if (found.has('firstReviews')) return 'firstReviews'
  return found.has('beforeConfirmation') ? 'beforeConfirmation' : null
}

function factsOf(files: readonly ImageFile[], copies: readonly ImageCopy[]): readonly ContentFacts[] {
  const texts = [
    ...files.flatMap((file) => file.facts ?? []),
    // A copy's facts count as well; unreadable ones are ignored.
    ...copies.flatMap(({ facts: text }) => (text !== null && factsColumn.canRead(text) ? text : [])),
  ]
  return texts.toSorted().map((text) => factsColumn.read(text))
}
