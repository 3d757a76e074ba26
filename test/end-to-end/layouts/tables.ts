/** What a station makes of a row of layouts: groups, fields, eyes, states. No ids and no instants, in an order of its own. */
import { readFileSync } from 'node:fs'
import type { Submission } from '../../../src-shared/submission.ts'
import { type LayoutRow, layoutRows } from './rows.ts'

/** What a station shows of the files of a row. */
export type Shown = {
  readonly submissions: readonly Submission[]
  readonly notes: readonly ShownNote[]
}
type ShownNote = { readonly fileName: string; readonly kind: string }

type SubmissionTable = ReturnType<typeof submissionTable>
export type LayoutTable = {
  readonly name: string
  readonly submissions: readonly SubmissionTable[]
  readonly notes: readonly ShownNote[]
}

export function layoutTable({ name }: LayoutRow, { submissions, notes }: Shown): LayoutTable {
  return {
    name,
    submissions: submissions.map(submissionTable).toSorted(by(({ images }) => images[0]?.fileName ?? '')),
    notes: notes
      .filter(({ fileName }) => !NOTED_OR_NOT.test(fileName))
      .map(({ fileName, kind }) => ({
        fileName,
        kind: CUT_OFF.split(' or ').includes(kind) ? CUT_OFF : kind,
      }))
      .toSorted(by(({ fileName }) => fileName)),
  }
}

/** It does not matter whether a report in an archive is noted, or the index of a medium. */
const NOTED_OR_NOT = /\.zip\/.*\.pdf$|^DICOMDIR$/
/** A file that was cut off may still count as arriving. */
const CUT_OFF = 'arriving or truncated'

function submissionTable({ state, fields, sources, images, reasons, oddities }: Submission) {
  const nameOf = new Map(images.map(({ id, fileName }) => [id, fileName]))
  type Kind = { readonly kind: string; readonly field?: string | undefined }
  const kindOf = ({ kind, field }: Kind): string => (field === undefined ? kind : `${kind} ${field}`)
  return {
    state,
    fields,
    sources,
    images: images
      .map(({ fileName, eye, eyeSource, contentType, sentAs, view, twinOf }) => ({
        fileName,
        eye,
        eyeSource,
        contentType,
        sentAs: sentAs?.contentType ?? null,
        view,
        twinOf: twinOf === null ? null : (nameOf.get(twinOf) ?? 'an image of another case'),
      }))
      .toSorted(by(({ fileName }) => fileName)),
    reasons: reasons.map(kindOf).toSorted(),
    oddities: oddities.map(kindOf).toSorted(),
  }
}

function by<One>(keyOf: (one: One) => string): (one: One, other: One) => number {
  return (one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0)
}

/** What version 0.1 made of the rows, held against the design. */
const recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/layouts-0.1.json', import.meta.url), 'utf8'),
) as readonly LayoutTable[]

const NAMES: readonly unknown[] = ['fileName', 'folderName', 'fileTime']

/** Does nothing but names say whose it is, of which day, or which eye an image that is sent shows? */
function restsOnNames({ sources, images }: SubmissionTable): boolean {
  const eyes = images.filter(({ twinOf }) => twinOf === null).map(({ eyeSource }) => eyeSource)
  return [sources['history_number'], sources['visit_date'], ...eyes].some((source) => NAMES.includes(source))
}

/** The one difference to 0.1: what rests on names waits for a person, and says why. */
function expectedNow(submission: SubmissionTable): SubmissionTable {
  const isComplete = submission.state === 'waiting' || submission.state === 'review'
  if (!isComplete || !restsOnNames(submission)) return submission
  return { ...submission, state: 'review', reasons: [...submission.reasons, 'readFromNames'] }
}

if (recorded.length !== layoutRows.length) throw new Error('Each row has one table.')
/** By their position: the name of a row is for people, and may be put better. */
const tables = new Map(
  layoutRows.map((row, index): [LayoutRow, LayoutTable] => {
    const { submissions = [], notes = [] } = recorded[index] ?? {}
    return [row, { name: row.name, submissions: submissions.map(expectedNow), notes }]
  }),
)

/** What a station makes of the row in the end. */
export function expectedTable(row: LayoutRow): LayoutTable {
  const table = tables.get(row)
  if (!table) throw new Error(`There is no table of "${row.name}".`)
  return table
}

/** Of a table what no order and no pace of writing may change: the source of a value does depend on them. */
export function whatever({ name, submissions, notes }: LayoutTable): unknown {
  return {
    name,
    notes,
    submissions: submissions.map(({ state, fields, sources, images, reasons }) => ({
      state,
      fields,
      isDayOfFileTime: sources.visit_date === 'fileTime',
      images: images.map(({ fileName, eye, contentType, sentAs, twinOf }) => ({
        fileName,
        eye,
        contentType,
        sentAs,
        twinOf,
      })),
      reasons: [...new Set(reasons)],
    })),
  }
}
