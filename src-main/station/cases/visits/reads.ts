/**
 * The outbox as one decision reads it. Nothing is asked twice, and what every picture of a case asks is asked once for
 * all of them, so that a visit of sixty images costs as many questions as one of two. Valid until something is written.
 */
import type { Outbox } from '../../outbox/outbox.ts'
import type { ImageRow, SubmissionRow } from '../../outbox/rows.ts'
import { foldPath, stemKeyOf } from '../meaning/sources.ts'

/** An image file, stored already or about to be: then its id is empty. */
export type ImageFile = Pick<
  ImageRow,
  | 'id'
  | 'file_name'
  | 'content_type'
  | 'size_bytes'
  | 'mtime_ms'
  | 'facts'
  | 'grey'
  | 'record_id'
  | 'added_at'
  | 'imported_at'
>

const READS = [
  'answeredBy',
  'casesOfPatient',
  'copiesOf',
  'countApprovedBy',
  'groupKeysOf',
  'hasAnswer',
  'hasShape',
  'hasSidecarRecords',
  'imageById',
  'imageNamesBelow',
  'imageRowsOf',
  'imagesOfStem',
  'isConstant',
  'isSharedUid',
  'matchesOfRecord',
  'namesUsed',
  'numbersInFolder',
  'readFact',
  'recordsMatching',
  'recordsOfSidecar',
  'rowOf',
  'shownDigest',
  'sidecarRecord',
  'submissionsOfGroup',
  'unusableOfStems',
  'visitsOf',
] as const satisfies readonly (keyof Outbox)[]
type ReadName = (typeof READS)[number]

/** What decisions ask of the outbox. */
export type CaseReads = Pick<Outbox, ReadName>

/** What is read: a case, if it is one, the files of its pictures, and their folder. */
type Asking = {
  readonly row?: SubmissionRow
  readonly files: readonly (ImageFile | ImageRow)[]
  readonly folderPath: string | null
}

/** The same context, which reads what these pictures ask together, and everything once. */
export function readingOnce<Context extends { readonly outbox: Outbox }>(
  context: Context,
  { row, files, folderPath }: Asking,
): Omit<Context, 'outbox'> & { readonly outbox: CaseReads } {
  const { outbox } = context
  const known = new Map<string, unknown>()
  const know = <Name extends ReadName>(
    name: Name,
    args: Parameters<Outbox[Name]>,
    value: ReturnType<Outbox[Name]>,
  ): void => void known.set(keyOf(name, args), value)
  const once =
    (name: ReadName) =>
    (...args: readonly unknown[]) => {
      const key = keyOf(name, args)
      if (!known.has(key)) known.set(key, (outbox[name] as (...args: readonly unknown[]) => unknown)(...args))
      return known.get(key)
    }
  // Each operation keeps the type that it has in the outbox.
  const reads = Object.fromEntries(READS.map((name) => [name, once(name)])) as unknown as CaseReads
  const reading = { ...context, outbox: reads }
  if (row) know('rowOf', [row.id], row)
  for (const file of files) if ('submission_id' in file) know('imageById', [file.id], file)
  const ids = files.flatMap(({ id }) => (id === '' ? [] : [id]))
  const copies = ids.length === 0 ? [] : outbox.copiesAmong(ids)
  const copiesOf = Map.groupBy(copies, ({ image_id: id }) => id)
  for (const id of ['', ...ids]) know('copiesOf', [id], copiesOf.get(id) ?? [])
  if (folderPath === null || files.length === 0) return reading
  const paths = [...new Set([...files, ...copies].map(({ file_name: path }) => path))]
  const stems = [...new Set(paths.map(stemKeyOf))]
  const names = Map.groupBy(outbox.namesUsed(folderPath, stems), ({ stem_key: stem }) => stem)
  const unusable = Map.groupBy(outbox.unusableOfStems(folderPath, stems), ({ stem_key: stem }) => stem)
  for (const stem of stems) {
    know('namesUsed', [folderPath, [stem]], names.get(stem) ?? [])
    know('unusableOfStems', [folderPath, [stem]], unusable.get(stem) ?? [])
  }
  if (!reads.hasSidecarRecords(folderPath)) return reading
  const keys = [...new Set([...paths.map(foldPath), ...stems])]
  const records = Map.groupBy(
    outbox.recordsMatchingAny(folderPath, 'file', keys),
    ({ match_key: key }) => key,
  )
  for (const key of keys) know('recordsMatching', [folderPath, { kind: 'file', key }], records.get(key) ?? [])
  return reading
}

function keyOf(name: ReadName, args: readonly unknown[]): string {
  return [name, ...args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))].join('\0')
}
