/** The patient and visit that one picture, or all pictures of a submission, claim to be of, and the evidence of it. */
import { type Profile, profileById } from '../../../../src-shared/profile.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import { factsColumn, type NamedOnly, recordIn, type StoredIdentity } from '../../json-columns.ts'
import type { SidecarRecordRow } from '../../outbox/files.ts'
import type { ImageCopy } from '../../outbox/images.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { ImageRow } from '../../outbox/rows.ts'
import { otherPatients } from '../completeness.ts'
import {
  type ContentFacts,
  type EyeFinding,
  eyesOf,
  foldPath,
  type Sidecar,
  type Stated,
  stemKeyOf,
} from '../evidence.ts'
import { type PathReading, readPath } from '../names/group.ts'
import { isAlikeId, isDivision, isSameId, readName, shapeOf } from '../names/names.ts'

/** One picture with all its files: its own, its DICOM twin, copies under other names. */
export type VisitEvidence = {
  /** The readings of the paths, sorted by path, so that the order of arrival decides nothing. */
  readonly paths: readonly PathReading[]
  readonly facts: readonly ContentFacts[]
  /** Records of data files that name these files, or govern their folder. */
  readonly records: readonly Sidecar[]
  /** The record that governs the whole folder of the visit, if there is one. */
  readonly folderRecord: { readonly id: number; readonly sidecar: Sidecar } | null
  /** Records of other data files about a patient, by history number. */
  readonly recordsOfPatient: (historyNumber: string) => readonly Sidecar[]
  /** Local `YYYY-MM-DDTHH:MM:SS` of the file: the fallback if nothing states a date. */
  readonly fileTime: string
}

export type VisitIdentity = {
  /** Equal for all pictures of one patient and visit in one watched folder; never shown, never sent. */
  readonly key: string
  readonly historyNumber: Stated<string> | null
  /** `YYYY-MM-DD`; with the source `fileTime` if nothing states a date. */
  readonly visitDate: Stated<string>
  /** Contradictory ids, none of which can be chosen. */
  readonly conflict: readonly string[] | null
  readonly idsInPaths: readonly string[]
  /** Every id that a data file or the image itself states. */
  readonly statedIds: readonly string[]
  readonly records: readonly Sidecar[]
  /** The best known time of capture, `YYYY-MM-DDTHH:MM:SS`. */
  readonly takenAt: string
}

/**
 * The identity of one picture.
 *
 * The patient is the one stated by a data file or the image itself, else the one named in the paths. If a path
 * contradicts a stated id (another id of the same shape), the picture stays apart from both patients, unless a data
 * file beside it makes its whole folder one visit: then the question concerns the visit as a whole.
 */
export function visitIdentityOf(evidence: VisitEvidence): VisitIdentity {
  const { paths, facts, folderRecord } = evidence
  const idsInPaths = unique(paths.flatMap((path) => idsOf(path)))
  const stated: Stated<string>[] = [
    ...evidence.records.flatMap(({ fields }) => statedValue(fields.history_number, 'sidecar')),
    ...facts.flatMap(({ fields }) => statedValue(fields.history_number, 'dicom')),
  ]
  const patient = patientOf(evidence, stated, idsInPaths)
  const ofPatient = patient.historyNumber ? evidence.recordsOfPatient(patient.historyNumber.value) : []
  const dated = datesOf(evidence, evidence.records)
  const fitting = ofPatient.filter(
    ({ fields }) => dated === null || fields.visit_date === undefined || fields.visit_date === dated.value,
  )
  const records = [...new Set([...evidence.records, ...fitting])]
  const date = dated ?? datesOf(evidence, fitting)
  const day = evidence.fileTime.slice(0, 10)
  const spelled = paths.find(({ otherDate }) => otherDate !== null)?.otherDate
  const visit = folderRecord === null ? (date?.value ?? spelled ?? day) : (date?.value ?? '')
  const visitDate: Stated<string> = date ?? { value: day, source: 'fileTime' }
  return {
    ...patient,
    key: JSON.stringify([...patient.owner, visit]),
    visitDate,
    idsInPaths,
    statedIds: unique(stated.map(({ value }) => value)),
    records,
    takenAt: takenAt(evidence, visitDate),
  }
}

type IdentifiedPatient = Pick<VisitIdentity, 'historyNumber' | 'conflict'> & {
  readonly owner: readonly string[]
}

function patientOf(
  { paths, folderRecord }: VisitEvidence,
  stated: readonly Stated<string>[],
  idsInPaths: readonly string[],
): IdentifiedPatient {
  const [first] = stated
  if (first !== undefined) {
    const others = stated.filter(({ value }) => !isSamePatient(value, first.value)).map(({ value }) => value)
    const rivals = unique([...others, ...otherPatients(idsInPaths, first.value)])
    const matching = folderRecord === null ? rivals : []
    return {
      owner: ownerOfIds([first.value, ...matching]),
      historyNumber: first,
      conflict: rivals.length > 0 ? [first.value, ...rivals] : null,
    }
  }
  const own: IdentifiedPatient = patientOfPaths(paths, idsInPaths)
  return folderRecord === null ? own : { ...own, owner: ['record', String(folderRecord.id)] }
}

function patientOfPaths(paths: readonly PathReading[], idsInPaths: readonly string[]): IdentifiedPatient {
  const [id] = idsInPaths
  if (id === undefined) return { owner: paths[0]?.owner ?? [], historyNumber: null, conflict: null }
  const isOne =
    idsInPaths.every((other) => isAlikeId(other, id)) && paths.every((path) => path.conflict === null)
  if (!isOne) return { owner: ownerOfIds(idsInPaths), historyNumber: null, conflict: idsInPaths }
  const naming = paths.find((path) => path.historyNumber !== null)
  return { owner: ownerOfIds([id]), historyNumber: naming?.historyNumber ?? null, conflict: null }
}

function statedValue(value: string | undefined, source: Stated<string>['source']): Stated<string>[] {
  return value === undefined || value === '' ? [] : [{ value, source }]
}

function idsOf(path: PathReading): string[] {
  return [...(path.historyNumber ? [path.historyNumber.value] : []), ...(path.conflict ?? [])]
}

/** The first is the patient, the others only separate the picture: their order means nothing. */
function ownerOfIds(ids: readonly string[]): string[] {
  const [first = '', ...others] = ids.map((id) => id.toLowerCase())
  return ['patient', first, ...others.toSorted()]
}

/** A letter prefix is how a clinic marks an id that its camera stores without one (Phelcom's clinic prefix). */
function isSamePatient(one: string, other: string): boolean {
  if (isSameId(one, other) || isAlikeId(one, other)) return true
  return withoutPrefix(one) === withoutPrefix(other) && shapeOf(one) !== shapeOf(other)
}

function withoutPrefix(id: string): string {
  return id.toLowerCase().replace(/^[a-z]{1,8}-?(?=\d)/, '')
}

/** The date from the best source that states one; null if none does, or if equal sources disagree. */
function datesOf({ paths, facts }: VisitEvidence, records: readonly Sidecar[]): Stated<string> | null {
  const bySource: readonly (readonly Stated<string>[])[] = [
    records.flatMap(({ fields }) => statedValue(fields.visit_date, 'sidecar')),
    facts.flatMap(({ fields }) => statedValue(fields.visit_date, 'dicom')),
    paths.flatMap(({ visitDate }) => (visitDate === null ? [] : [visitDate])),
  ]
  const dates = bySource.find((of) => of.length > 0) ?? []
  const [first] = dates
  return first !== undefined && dates.every(({ value }) => value === first.value) ? first : null
}

function takenAt({ paths, facts, fileTime }: VisitEvidence, visitDate: Stated<string>): string {
  const byCamera = facts.find(({ capturedAt }) => capturedAt !== null)?.capturedAt
  if (byCamera !== undefined && byCamera !== null) return byCamera
  const time = paths.find((path) => path.time !== null)?.time
  return time === undefined || time === null ? fileTime : `${visitDate.value}T${time}`
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}

/** What only the file names of this picture state, and no data file or attribute. */
function namedOnlyIn({ visitDate, statedIds, records }: VisitIdentity): readonly NamedOnly[] {
  const isPatientStated =
    statedIds.length > 0 || records.some(({ fields }) => fields.history_number !== undefined)
  const isDayStated =
    visitDate.source === 'sidecar' ||
    visitDate.source === 'dicom' ||
    records.some(({ fields }) => fields.visit_date !== undefined)
  return [...(isPatientStated ? [] : (['patient'] as const)), ...(isDayStated ? [] : (['visitDay'] as const))]
}

/** What all pictures of a case claim together. What a person decided on it before stays. */
export function identityOf(
  identities: readonly VisitIdentity[],
  stored: Pick<StoredIdentity, 'isAddendumAccepted' | 'isAtWork' | 'unitChanged' | 'joinedAfterEntry'>,
): StoredIdentity {
  const named = identities.find((visit) => visit.historyNumber !== null)?.historyNumber ?? null
  const dated = (
    identities.find((visit) => visit.visitDate.source !== 'fileTime') ??
    identities.toSorted((one, other) => (one.takenAt < other.takenAt ? -1 : 1))[0]
  )?.visitDate
  const conflict = unique(identities.flatMap((visit) => visit.conflict ?? []))
  const namedOnly = unique(identities.flatMap(namedOnlyIn))
  return {
    // Nothing reads it any more; earlier versions require it.
    certainty: 'none',
    conflict: conflict.length > 0 ? conflict : null,
    historyNumber: named?.value ?? null,
    historyNumberSource: named?.source ?? null,
    visitDate: dated?.value ?? null,
    visitDateSource: dated?.source ?? null,
    idsInPaths: unique(identities.flatMap((visit) => visit.idsInPaths)),
    statedIds: unique(identities.flatMap((visit) => visit.statedIds)),
    isAddendumAccepted: stored.isAddendumAccepted,
    namedOnly,
    ...(stored.isAtWork && { isAtWork: stored.isAtWork }),
    ...(stored.unitChanged && { unitChanged: stored.unitChanged }),
    ...(stored.joinedAfterEntry && { joinedAfterEntry: stored.joinedAfterEntry }),
  }
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}

/** The local day of an instant, `YYYY-MM-DD`. */
export function localDate(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The local time of an instant, `YYYY-MM-DDTHH:MM:SS`. */
export function localTime(at: number): string {
  const date = new Date(at)
  return `${localDate(at)}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Minutes between two local times; infinite if one is invalid. */
export function minutesBetween(one: string, other: string): number {
  const minutes = Math.abs(Date.parse(`${one}Z`) - Date.parse(`${other}Z`)) / 60_000
  return Number.isNaN(minutes) ? Infinity : minutes
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/**
 * The folder of the visit that contains a file: folders that only divide it by eye or kind (`OD`, `FOP`) are skipped.
 */
export function visitFolderOf(relativePath: string): string {
  let folder = parentOf(relativePath)
  while (folder !== '' && isDivision(readName(folder.slice(folder.lastIndexOf('/') + 1))))
    folder = parentOf(folder)
  return folder
}

/** An image file, stored already or about to be: then its id is empty. */
export type ImageFile = Pick<
  ImageRow,
  'id' | 'file_name' | 'content_type' | 'mtime_ms' | 'facts' | 'record_id'
>

export type VisitContext = { readonly outbox: Outbox; readonly settings: () => Settings }

/** How the paths of a watched folder are read, by its current settings; null for `auto`. */
export function profileOf({ folders, profiles }: Settings, folderPath: string): Profile | null {
  const id = folders.find((folder) => folder.path === folderPath)?.profile ?? 'auto'
  return profileById(id, profiles)
}

type ImageEvidence = {
  readonly paths: readonly PathReading[]
  readonly names: readonly string[]
  readonly facts: readonly ContentFacts[]
  readonly copies: readonly ImageCopy[]
}

/** The statements of one picture's own files, copies included, in an order that does not depend on arrival. */
function imageEvidenceOf(
  context: VisitContext,
  folderPath: string,
  files: readonly ImageFile[],
): ImageEvidence {
  const profile = profileOf(context.settings(), folderPath)
  const copies = files.flatMap((file) => context.outbox.images.copiesOf(file.id))
  const names = [...files.map((file) => file.file_name), ...copies.map((copy) => copy.file_name)].toSorted()
  const facts = [
    ...files.flatMap((file) => file.facts ?? []),
    // A copy's facts count as well; unreadable ones are ignored.
    ...copies.flatMap(({ facts: text }) => (text !== null && factsColumn.canRead(text) ? text : [])),
  ].toSorted()
  return {
    names,
    paths: names.map((name) => readPath(profile, name)),
    facts: facts.map((one) => factsColumn.read(one)),
    copies,
  }
}

/** By the name of the data file, then in the order within the file, so that the order of arrival decides nothing. */
function sortedByName(rows: readonly SidecarRecordRow[]): SidecarRecordRow[] {
  return rows.toSorted((one, other) => {
    if (one.relative_path === other.relative_path) return one.id - other.id
    return one.relative_path < other.relative_path ? -1 : 1
  })
}

/** True if a record is about this very visit: by its day, or because it lies beside the picture. */
function isOfVisit(row: SidecarRecordRow, record: Sidecar, names: readonly string[]): boolean {
  if (record.fields.visit_date !== undefined) return true
  const folder = visitFolderOf(row.relative_path)
  return names.some((name) => folder === '' || visitFolderOf(name) === folder)
}

/** What a record of another day still states about the patient: identity, but no measurements. */
function ofPatient(record: Sidecar): Sidecar {
  const { history_number, first_name, last_name, gender } = record.fields
  const stated = Object.entries({ history_number, first_name, last_name, gender })
  const fields = Object.fromEntries(stated.filter(([, value]) => value !== undefined)) as Sidecar['fields']
  return { ...record, fields, eyes: {}, rejected: [] }
}

/** The identity of one picture, from all current evidence. */
export function visitIdentityFor(
  context: VisitContext,
  folderPath: string,
  files: readonly ImageFile[],
): VisitIdentity {
  const { outbox } = context
  const { names, paths, facts, copies } = imageEvidenceOf(context, folderPath, files)
  const hasRecords = outbox.sidecars.exist(folderPath)
  const keys = new Set(hasRecords ? names.flatMap((name) => [foldPath(name), stemKeyOf(name)]) : [])
  const named = [...keys].flatMap((key) => outbox.sidecars.matching(folderPath, { kind: 'file', key }))
  const folderRows = [
    ...files.map((file) => file.record_id),
    ...copies.map((copy) => copy.record_id),
  ].flatMap((id) => (id === null ? [] : (outbox.sidecars.record(id) ?? [])))
  const governing = new Map(
    folderRows.flatMap((row) => (row.content === null ? [] : [[row.id, row] as const])),
  )
  // If the files of one picture lie in folders of two visits, neither governs and both count.
  const folderRow = governing.size === 1 ? [...governing.values()][0] : undefined
  const rows = new Map(
    [...named, ...governing.values()].map((row): [number, SidecarRecordRow] => [row.id, row]),
  )
  const [folderSidecar] = recordIn(folderRow?.content ?? null)
  return visitIdentityOf({
    paths,
    facts,
    records: sortedByName([...rows.values()]).flatMap((row) => recordIn(row.content)),
    folderRecord: folderRow && folderSidecar ? { id: folderRow.id, sidecar: folderSidecar } : null,
    recordsOfPatient: (historyNumber) => {
      if (!hasRecords) return []
      const match = { kind: 'patient', key: foldPath(historyNumber) } as const
      return sortedByName(outbox.sidecars.matching(folderPath, match))
        .filter((row) => !rows.has(row.id))
        .flatMap((row) =>
          recordIn(row.content).map((record) => (isOfVisit(row, record, names) ? record : ofPatient(record))),
        )
    },
    fileTime: localTime(Math.min(...files.map((file) => file.mtime_ms))),
  })
}

/** All current evidence about the pictures of one submission. */
export type SubmissionEvidence = {
  /** Empty for a case created by hand: names on a private disk are no export. */
  readonly identities: readonly VisitIdentity[]
  readonly pictures: readonly ImageEvidence[]
  /** By the id of the image; a twin has none of its own. */
  readonly eyes: ReadonlyMap<string, EyeFinding>
}

export function collectEvidence(context: VisitContext, images: readonly ImageRow[]): SubmissionEvidence {
  const pictures = images
    .filter((image) => image.twin_of === null)
    .map((image) => {
      const rows = [image, ...images.filter((other) => other.twin_of === image.id)]
      return { image, rows, evidence: imageEvidenceOf(context, image.folder_path ?? '', rows) }
    })
  // Excluded images no longer speak for the visit, unless there are no others.
  const taken = pictures.filter(({ image }) => image.excluded_because === null)
  const speaking = taken.length > 0 ? taken : pictures
  const identities = speaking.flatMap(({ image, rows }) =>
    image.folder_path === null ? [] : [visitIdentityFor(context, image.folder_path, rows)],
  )
  const eyesInRecords = [...new Set(identities.flatMap((visit) => visit.records))].map(
    (record) => record.eyes,
  )
  const seen = pictures.map(({ image, evidence }) => ({ id: image.id, ...evidence }))
  return {
    identities,
    pictures: speaking.map(({ evidence }) => evidence),
    eyes: eyesOf(seen, eyesInRecords),
  }
}
