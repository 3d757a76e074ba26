/** The names, copies, data files and unusable files of a plain outbox. */
import { randomUUID } from 'node:crypto'
import { isPending } from '../../src-shared/submission.ts'
import { unusableFromRow } from '../../src-main/station/json-columns.ts'
import type { SidecarMatch, SidecarRecordRow } from '../../src-main/station/outbox/files.ts'
import type { Outbox } from '../../src-main/station/outbox/outbox.ts'
import type { ImageCopy } from '../../src-main/station/outbox/seen-files.ts'
import type { UnusableRow } from '../../src-main/station/outbox/unusable-files.ts'
import type { FileMark } from '../../src-main/reader/watch-messages.ts'
import { Groups, liesBelow, type PlainRows } from './plain-rows.ts'

type NamedRow = { readonly id: string; readonly name: string; readonly stem_key: string }
type StoredUnusable = UnusableRow & { readonly stem_key: string }

export function plainFiles(rows: PlainRows) {
  const seen = new Map<string, string>()
  const copies = new Map<string, ImageCopy[]>()
  const copiesOfStem = new Groups<string>()
  /** Of late copies, and of files that were ignored. */
  const otherNames: NamedRow[] = []
  const records = new Map<number, SidecarRecordRow>()
  const recordsOfPath = new Groups<number>()
  const recordsOfMatch = new Groups<number>()
  const matchesOf = new Map<number, readonly SidecarMatch[]>()
  const unusable = new Map<string, StoredUnusable>()

  const keyOf = (mark: Omit<FileMark, 'folderPath'>): string =>
    JSON.stringify([mark.relativePath, mark.sizeBytes, mark.mtimeMs, mark.crc32 ?? null])
  const copiesOf = (id: string): ImageCopy[] =>
    (copies.get(id) ?? []).toSorted((one, other) => (one.file_name < other.file_name ? -1 : 1))
  const allCopies = (): ImageCopy[] => [...copies.values()].flat()
  const lateCopies = (fits: (row: NamedRow) => boolean): { imageId: string; name: string }[] =>
    otherNames.flatMap((row) => (row.id !== '' && fits(row) ? [{ imageId: row.id, name: row.name }] : []))
  const recordsIn = (ids: readonly number[]): SidecarRecordRow[] =>
    ids.toSorted((one, other) => one - other).flatMap((id) => records.get(id) ?? [])
  const setRecord = (id: number, changes: Partial<SidecarRecordRow>): void => {
    const row = records.get(id)
    if (row) records.set(id, { ...row, ...changes })
  }
  const recordsMatchingAny: Outbox['recordsMatchingAny'] = (_folder, kind, keys) => {
    const found = [...new Set(keys)].flatMap((key) =>
      recordsIn(recordsOfMatch.of(`${kind} ${key}`)).map((row) => ({ ...row, match_key: key })),
    )
    const order = (row: SidecarRecordRow): number => (row.withdrawn_at === null ? 1 : 0)
    return found.toSorted((one, other) => order(one) - order(other) || one.id - other.id)
  }
  const unusableWhere = (fits: (row: StoredUnusable) => boolean): StoredUnusable[] =>
    [...unusable.values()].filter(fits).map((row) => {
      const image = row.replaced_by === null ? undefined : rows.images.get(row.replaced_by)
      return { ...row, new_export_id: image && image.submission_id === row.submission_id ? image.id : null }
    })
  const isWaitedFor = (row: UnusableRow): boolean => isPending(unusableFromRow(row))
  const setUnusable = (id: string, changes: Partial<UnusableRow>): void => {
    const row = unusable.get(id)
    if (row) unusable.set(id, { ...row, ...changes })
  }
  const bySeen = (one: UnusableRow, other: UnusableRow): number => one.seen_at - other.seen_at

  return {
    isAwaitingFile: (caseId: string): boolean =>
      unusableWhere((row) => row.submission_id === caseId).some(isWaitedFor),
    stemsOfCopies: copiesOfStem,
    operations: {
      markSeen: (mark, became, _at, { stemKey = '', imageId = '', facts = null, recordId = null } = {}) => {
        seen.set(keyOf(mark), became)
        const { relativePath: name } = mark
        if (became === 'copy') {
          const others = copiesOf(imageId).filter((copy) => copy.file_name !== name)
          const copy = { image_id: imageId, file_name: name, stem_key: stemKey, facts, record_id: recordId }
          copies.set(imageId, [...others, copy])
          copiesOfStem.add(stemKey, imageId)
        }
        if (became === 'lateCopy' || became === 'ignored')
          if (!otherNames.some((one) => one.id === imageId && one.name === name))
            otherNames.push({ id: imageId, name, stem_key: stemKey })
      },
      hasSeen: (mark) => seen.has(keyOf(mark)),
      isRewritten: () => false,
      importedAt: () => null,
      addLeftover: () => {},

      copiesOf,
      copiesAmong: (ids) => (copies.size === 0 ? [] : ids.flatMap(copiesOf)),
      copiesBelow: (_folder, directory) =>
        allCopies().filter(({ file_name: name }) => liesBelow(directory)(name)),
      setRecordOfCopy: ({ image_id: id, file_name: name }, recordId) => {
        const now = copiesOf(id).map((copy) =>
          copy.file_name === name ? { ...copy, record_id: recordId } : copy,
        )
        copies.set(id, now)
      },
      lateCopiesOfStem: (_folder, stemKey) => lateCopies(({ stem_key: stem }) => stem === stemKey),
      lateCopiesBelow: (_folder, directory) => lateCopies(({ stem_key: stem }) => liesBelow(directory)(stem)),
      forgetCopy: (_folder, name) => {
        for (const key of seen.keys()) if (JSON.parse(key)[0] === name) seen.delete(key)
        const at = otherNames.findIndex((one) => one.name === name)
        if (at >= 0) otherNames.splice(at, 1)
      },
      namesUsed: (_folder, stems) =>
        stems.flatMap((stem): NamedRow[] => [
          ...rows.ofStem
            .of(stem)
            .flatMap((id) => rows.images.get(id) ?? [])
            .map(({ id, file_name: name, stem_key }) => ({ id, name, stem_key })),
          ...copiesOfStem
            .of(stem)
            .flatMap(copiesOf)
            .filter((copy) => copy.stem_key === stem)
            .map(({ image_id: id, file_name: name, stem_key }) => ({ id, name, stem_key })),
          ...otherNames.filter((one) => one.stem_key === stem),
        ]),

      saveSidecarRecord: (record, replaces) => {
        const id = replaces ?? records.size + 1
        const { folderPath, relativePath, pathKey, form, content, trouble, statedBefore, matches, at } =
          record
        for (const { kind, key } of matchesOf.get(id) ?? []) recordsOfMatch.remove(`${kind} ${key}`, id)
        const before = records.get(id)
        records.set(id, {
          id,
          folder_path: folderPath,
          relative_path: before?.relative_path ?? relativePath,
          form,
          content,
          trouble,
          stated_before: statedBefore,
          withdrawn_at: null,
          at,
        })
        recordsOfPath.add(pathKey, id)
        matchesOf.set(id, matches)
        for (const { kind, key } of matches) recordsOfMatch.add(`${kind} ${key}`, id)
        return id
      },
      matchesOfRecord: (id) => [...(matchesOf.get(id) ?? [])],
      withdrawSidecarRecords: (ids, at) => {
        for (const id of ids) if (records.get(id)?.withdrawn_at === null) setRecord(id, { withdrawn_at: at })
      },
      recordsOfSidecar: (_folder, pathKey, { after = 0, limit = -1 } = {}) =>
        recordsIn(recordsOfPath.of(pathKey))
          .filter(({ id }) => id > after)
          .slice(0, limit === -1 ? undefined : limit),
      recordsMatching: (folder, { kind, key }) => recordsMatchingAny(folder, kind, [key]),
      recordsMatchingAny,
      hasSidecarRecords: () => [...matchesOf.values()].some((matches) => matches.length > 0),
      sidecarRecord: (id) => records.get(id) ?? null,

      unusableAt: (mark) => unusableWhere((row) => keyOf(markOf(row)) === keyOf(mark))[0],
      saveUnusable: (file) => {
        const {
          folderPath,
          relativePath,
          stemKey,
          submissionId,
          sizeBytes,
          mtimeMs,
          crc32 = null,
          why,
          at,
        } = file
        for (const [id, row] of unusable)
          if (row.relative_path === relativePath && row.submission_id === submissionId) unusable.delete(id)
        const id = randomUUID()
        unusable.set(id, {
          id,
          folder_path: folderPath,
          relative_path: relativePath,
          stem_key: stemKey,
          submission_id: submissionId,
          why,
          eye: 'unknown',
          message: file.message,
          wording: file.wording ? JSON.stringify(file.wording) : null,
          size_bytes: sizeBytes,
          mtime_ms: mtimeMs,
          crc32,
          seen_at: at,
          decision: null,
          because: null,
          replaced_by: null,
          new_export_id: null,
        })
      },
      unusableOf: (caseId) =>
        unusableWhere((row) => row.submission_id === caseId).toSorted((one, other) =>
          one.relative_path < other.relative_path ? -1 : 1,
        ),
      unusableOfStems: (_folder, stems) =>
        unusableWhere(({ stem_key: stem }) => stems.includes(stem)).toSorted(bySeen),
      homelessUnusable: (_folder, since) =>
        unusableWhere(
          (row) =>
            row.seen_at >= since &&
            isWaitedFor(row) &&
            (row.submission_id === null || rows.imagesOf(row.submission_id).length === 0),
        ).toSorted(bySeen),
      newExportsAmong: (ids) =>
        unusableWhere(() => true).flatMap(({ new_export_id: id }) =>
          id !== null && ids.includes(id) ? id : [],
        ),
      changeUnusable: ({ id }, { made_by: _by, made_at: _at, ...change }) => setUnusable(id, change),
      moveUnusable: (fromId, toId) => {
        for (const { id } of unusableWhere((row) => row.submission_id === fromId))
          setUnusable(id, { submission_id: toId })
      },
    } satisfies Partial<Outbox>,
  }
}

function markOf({
  relative_path: relativePath,
  size_bytes: sizeBytes,
  mtime_ms: mtimeMs,
  crc32,
}: UnusableRow) {
  return { relativePath, sizeBytes, mtimeMs, ...(crc32 !== null && { crc32 }) }
}
