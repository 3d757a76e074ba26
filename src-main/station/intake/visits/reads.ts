/**
 * The outbox as one decision reads it. Nothing is asked twice, and what every picture of a case asks is asked once for
 * all of them, so that a visit of sixty images costs as many questions as one of two. Valid until something is written.
 */
import type { Outbox } from '../../outbox/outbox.ts'
import type { ImageRow, SubmissionRow } from '../../outbox/rows.ts'
import { foldPath, stemKeyOf } from '../evidence.ts'
import type { ImageFile } from './pictures.ts'

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

type Reader = { readonly outbox: Outbox }

/** The same context, which reads what these pictures ask together, and everything once. */
export function readingOnce<Context extends Reader>(
  context: Context,
  {
    row,
    files,
    folderPath,
  }: {
    /** The case that is read, if it is one. */
    readonly row?: SubmissionRow
    readonly files: readonly (ImageFile | ImageRow)[]
    readonly folderPath: string | null
  },
): Omit<Context, 'outbox'> & { readonly outbox: CaseReads } {
  const { outbox } = context
  const known = new Map<string, unknown>()
  const keyOf = (name: ReadName, args: readonly unknown[]): string => `${name} ${JSON.stringify(args)}`
  const know = <Name extends ReadName>(
    name: Name,
    args: Parameters<Outbox[Name]>,
    value: ReturnType<Outbox[Name]>,
  ): void => void known.set(keyOf(name, args), value)
  const once = (name: ReadName) => (...args: readonly unknown[]) => {
    const key = keyOf(name, args)
    if (!known.has(key)) known.set(key, (outbox[name] as (...args: readonly unknown[]) => unknown)(...args))
    return known.get(key)
  }
  // Each operation keeps the type that it has in the outbox.
  const reads = Object.fromEntries(READS.map((name) => [name, once(name)])) as unknown as CaseReads
  if (row) know('rowOf', [row.id], row)
  const ids = files.flatMap(({ id }) => (id === '' ? [] : [id]))
  for (const file of files) {
    if ('submission_id' in file) know('imageById', [file.id], file)
    else if (file.id === '') know('imageById', [''], undefined)
  }
  const copies = ids.length === 0 ? [] : outbox.copiesAmong(ids)
  for (const id of ['', ...ids])
    know(
      'copiesOf',
      [id],
      copies.filter((copy) => copy.image_id === id),
    )
  if (folderPath !== null && files.length > 0) {
    const paths = [...new Set([...files, ...copies].map(({ file_name: path }) => path))]
    const stems = [...new Set(paths.map(stemKeyOf))]
    const names = outbox.namesUsed(folderPath, stems)
    const unusable = outbox.unusableOfStems(folderPath, stems)
    for (const stem of stems) {
      know(
        'namesUsed',
        [folderPath, [stem]],
        names.filter((one) => one.stem_key === stem),
      )
      know(
        'unusableOfStems',
        [folderPath, [stem]],
        unusable.filter((one) => one.stem_key === stem),
      )
    }
    if (reads.hasSidecarRecords(folderPath)) {
      const keys = [...new Set(paths.flatMap((path) => [foldPath(path), stemKeyOf(path)]))]
      const rows = Map.groupBy(
        outbox.recordsMatchingAny(folderPath, 'file', keys),
        ({ match_key: key }) => key,
      )
      for (const key of keys) know('recordsMatching', [folderPath, { kind: 'file', key }], rows.get(key) ?? [])
    }
  }
  return { ...context, outbox: reads }
}
