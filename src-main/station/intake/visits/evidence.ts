/** Collects from the outbox all evidence about one picture and its visit. */
import type { ImageType } from '../../../../src-shared/measurement-ranges.ts'
import { profileById } from '../../../../src-shared/profile.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import { factsColumn, recordIn } from '../../json-columns.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { ImageRow } from '../../outbox/rows.ts'
import type { SidecarRecordRow } from '../../outbox/files.ts'
import { type ContentFacts, type EyeFinding, eyesOf, foldPath, type Sidecar, stemKeyOf } from '../evidence.ts'
import { type PathReading, type PathRules, readPath } from '../names/group.ts'
import { isDivision, readName } from '../names/names.ts'
import { type VisitEvidence, type VisitIdentity, visitIdentityOf } from './identity.ts'

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

/** An image file, stored already or about to be. */
export type ImageFile = {
  readonly id: string
  readonly fileName: string
  readonly contentType: ImageType
  readonly mtimeMs: number
  readonly facts: ContentFacts | null
  readonly recordId: number | null
}

export type VisitContext = { readonly outbox: Outbox; readonly settings: () => Settings }

/** How the paths of a watched folder are read, by its current settings. */
export function pathRulesOf(settings: Settings, folderPath: string): PathRules {
  const id = settings.folders.find((folder) => folder.path === folderPath)?.profile ?? 'auto'
  const isOwnProfile = settings.profiles.some((profile) => profile.id === id)
  return { profile: profileById(id, settings.profiles), isOwnProfile }
}

export function imageFileOf(row: {
  readonly id: string
  readonly file_name: string
  readonly content_type: ImageType
  readonly mtime_ms: number
  readonly facts: string | null
  readonly record_id: number | null
}): ImageFile {
  return {
    id: row.id,
    fileName: row.file_name,
    contentType: row.content_type,
    mtimeMs: row.mtime_ms,
    facts: row.facts === null ? null : factsColumn.read(row.facts),
    recordId: row.record_id,
  }
}

/** Names and facts of a picture's files and of copies under other names. */
type ImageEvidence = {
  readonly paths: readonly PathReading[]
  readonly names: readonly string[]
  readonly facts: readonly ContentFacts[]
}

/** The statements of one picture's own files, copies included, in an order that does not depend on arrival. */
function imageEvidenceOf(
  context: VisitContext,
  folderPath: string,
  files: readonly ImageFile[],
): ImageEvidence {
  const rules = pathRulesOf(context.settings(), folderPath)
  const copies = files.flatMap((file) => context.outbox.images.copiesOf(file.id))
  const names = [...files.map((file) => file.fileName), ...copies.map((copy) => copy.file_name)].toSorted()
  const facts = [
    ...files.flatMap((file) => (file.facts === null ? [] : [JSON.stringify(file.facts)])),
    // A copy's facts count as well; unreadable ones are ignored.
    ...copies.flatMap(({ facts: text }) => (text !== null && factsColumn.canRead(text) ? text : [])),
  ].toSorted()
  return {
    names,
    paths: names.map((name) => readPath(rules, name)),
    facts: facts.map((one) => factsColumn.read(one)),
  }
}

/** By the name of the data file, then in the order within the file, so that the order of arrival decides nothing. */
function sortedByName(rows: readonly SidecarRecordRow[]): SidecarRecordRow[] {
  return rows.toSorted((one, other) =>
    one.relative_path === other.relative_path
      ? one.id - other.id
      : one.relative_path < other.relative_path
        ? -1
        : 1,
  )
}

function sidecarOf(row: SidecarRecordRow): Sidecar[] {
  return recordIn(row.content)
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
  const fields = Object.fromEntries(
    Object.entries({ history_number, first_name, last_name, gender }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Sidecar['fields']
  return { ...record, fields, eyes: {}, rejected: [] }
}

/** The identity of one picture, from all current evidence. */
export function visitIdentityFor(
  context: VisitContext,
  folderPath: string,
  files: readonly ImageFile[],
): VisitIdentity {
  const { outbox } = context
  const { names, paths, facts } = imageEvidenceOf(context, folderPath, files)
  const hasRecords = outbox.sidecars.exist(folderPath)
  const keys = new Set(hasRecords ? names.flatMap((name) => [foldPath(name), stemKeyOf(name)]) : [])
  const named = [...keys].flatMap((key) => outbox.sidecars.matching(folderPath, { kind: 'file', key }))
  const copies = files.flatMap((file) => outbox.images.copiesOf(file.id))
  const folderRows = [...files.map((file) => file.recordId), ...copies.map((copy) => copy.record_id)].flatMap(
    (id) => (id === null ? [] : (outbox.sidecars.record(id) ?? [])),
  )
  const governing = new Map(
    folderRows.flatMap((row) => (row.content === null ? [] : [[row.id, row] as const])),
  )
  // If the files of one picture lie in folders of two visits, neither governs and both count.
  const folderRow = governing.size === 1 ? [...governing.values()][0] : undefined
  const rows = new Map(
    [...named, ...governing.values()].map((row): [number, SidecarRecordRow] => [row.id, row]),
  )
  const [folderSidecar] = folderRow ? sidecarOf(folderRow) : []
  const evidence: VisitEvidence = {
    paths,
    facts,
    records: sortedByName([...rows.values()]).flatMap(sidecarOf),
    folderRecord: folderRow && folderSidecar ? { id: folderRow.id, sidecar: folderSidecar } : null,
    recordsOfPatient: (historyNumber) => {
      if (!hasRecords) return []
      const match = { kind: 'patient', key: foldPath(historyNumber) } as const
      return sortedByName(outbox.sidecars.matching(folderPath, match))
        .filter((row) => !rows.has(row.id))
        .flatMap((row) =>
          sidecarOf(row).map((record) => (isOfVisit(row, record, names) ? record : ofPatient(record))),
        )
    },
    fileTime: localTime(Math.min(...files.map((file) => file.mtimeMs))),
  }
  return visitIdentityOf(evidence)
}

/** All current evidence about the pictures of one submission. */
export type SubmissionEvidence = {
  /** Empty for a case created by hand: names on a private disk are no export. */
  readonly identities: readonly VisitIdentity[]
  readonly pictures: readonly ImageEvidence[]
  /** By the id of the image; a twin has none of its own. */
  readonly eyes: ReadonlyMap<string, EyeFinding>
}

/** One picture: an image followed by its twins. */
type Picture = {
  readonly image: ImageRow
  readonly rows: readonly ImageRow[]
  readonly evidence: ImageEvidence
}

function pictureOf(context: VisitContext, image: ImageRow, all: readonly ImageRow[]): Picture {
  const rows = [image, ...all.filter((other) => other.twin_of === image.id)]
  return { image, rows, evidence: imageEvidenceOf(context, image.folder_path ?? '', rows.map(imageFileOf)) }
}

export function collectEvidence(context: VisitContext, images: readonly ImageRow[]): SubmissionEvidence {
  const pictures = images
    .filter((image) => image.twin_of === null)
    .map((image) => pictureOf(context, image, images))
  // Excluded images no longer speak for the visit, unless there are no others.
  const taken = pictures.filter(({ image }) => image.excluded_because === null)
  const speaking = taken.length > 0 ? taken : pictures
  const identities = speaking.flatMap(({ image, rows }) =>
    image.folder_path === null ? [] : [visitIdentityFor(context, image.folder_path, rows.map(imageFileOf))],
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
