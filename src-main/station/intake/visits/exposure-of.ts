/** Gathers from the outbox everything that speaks of one picture. */
import { factsColumn, recordIn } from '../../json-columns.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import type { ImageType } from '../../../../src-shared/image-type.ts'
import { profileById } from '../../../../src-shared/shipped-profiles.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { SidecarRecordRow } from '../../outbox/sidecar-store.ts'
import type { ContentFacts, Sidecar } from '../recognition.ts'
import { localTime } from './local-time.ts'
import { visitIdentityOf, type VisitIdentity, type VisitEvidence } from './claim-of.ts'
import { readPath, type PathReading, type PathRules } from './path-reading.ts'
import { foldPath, stemKeyOf } from './twins.ts'
import { visitFolderOf } from './visit-folder.ts'

/** A file as it is known: an image that is kept, or one that is about to be. */
export type ImageFile = {
  readonly id: string
  readonly fileName: string
  readonly contentType: ImageType
  readonly mtimeMs: number
  readonly facts: ContentFacts | null
  readonly recordId: number | null
}

export type VisitContext = { readonly outbox: Outbox; readonly settings: () => Settings }

/** How the paths of a watched folder are read, as its settings say now. */
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
export type ImageEvidence = {
  readonly paths: readonly PathReading[]
  readonly names: readonly string[]
  readonly facts: readonly ContentFacts[]
}

/** What the files of one picture say by themselves, copies included, in an order that does not depend on arrival. */
export function imageEvidenceOf(
  context: VisitContext,
  folderPath: string,
  files: readonly ImageFile[],
): ImageEvidence {
  const rules = pathRulesOf(context.settings(), folderPath)
  const copies = files.flatMap((file) => context.outbox.images.copiesOf(file.id))
  const names = [...files.map((file) => file.fileName), ...copies.map((copy) => copy.file_name)].toSorted()
  const facts = [
    ...files.flatMap((file) => (file.facts === null ? [] : [JSON.stringify(file.facts)])),
    // What a copy says counts as well, and one that cannot be read says nothing.
    ...copies.flatMap(({ facts: text }) => (text !== null && factsColumn.canRead(text) ? text : [])),
  ].toSorted()
  return {
    names,
    paths: names.map((name) => readPath(rules, name)),
    facts: facts.map((one) => factsColumn.read(one)),
  }
}

/** By the name of the data file, and in one file as it tells them: which file came first decides nothing. */
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

/** Does a record speak of this very visit: by its day, or because it lies where the picture lies? */
function isOfVisit(row: SidecarRecordRow, record: Sidecar, names: readonly string[]): boolean {
  if (record.fields.visit_date !== undefined) return true
  const folder = visitFolderOf(row.relative_path)
  return names.some((name) => folder === '' || visitFolderOf(name) === folder)
}

/** What a record of another day still says of the patient: who he is, and not what was measured. */
function ofPatient(record: Sidecar): Sidecar {
  const { history_number, first_name, last_name, gender } = record.fields
  const fields = Object.fromEntries(
    Object.entries({ history_number, first_name, last_name, gender }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Sidecar['fields']
  return { ...record, fields, eyes: {}, rejected: [] }
}

/** The claim of one picture, from all that is known now. */
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
  // Where the files of one picture lie in folders of two visits, neither governs and both are heard.
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
