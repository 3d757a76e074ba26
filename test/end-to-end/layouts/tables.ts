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
    sources: sourcesOf(sources),
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

/**
 * When the station first sees the files of a visit.
 *
 * - `inTime`  on the day of the visit, or the next one
 * - `late`    months later, as files that were there at the first start
 */
export type Arrival = 'inTime' | 'late'

/**
 * The differences to 0.1 in all rows: what rests on names waits for a person, and so does what comes months after its day.
 * Each says why. A day that only the time of a file says is to be checked, and a missing number is not asked for beside
 * the question whose images these are.
 */
function expectedNow(submission: SubmissionTable, arrival: Arrival): SubmissionTable {
  const { state, sources } = submission
  const isOfFile = sources['visit_date'] === 'fileTime'
  const isLate = arrival === 'late' && sources['visit_date'] !== undefined && !isOfFile
  // A visit of today is not unusual.
  const oddities = submission.oddities.filter((oddity) => isLate || oddity !== 'unusualValue visit_date')
  const isConflict = submission.reasons.some((reason) => reason.startsWith('identityConflict'))
  const reasons = submission.reasons.filter(
    (reason) => !isConflict || reason !== 'fieldMissing history_number',
  )
  const isComplete = state === 'waiting' || state === 'review'
  const isReviewed = isComplete && (isLate || restsOnNames(submission))
  return {
    ...submission,
    sources: sourcesOf(sources),
    oddities: [...(isOfFile || isLate ? ['checkProposal'] : []), ...oddities],
    state: isReviewed ? 'review' : state,
    reasons: isReviewed ? [...reasons, 'readFromNames'] : reasons,
  }
}

/** If a folder and a file state the same, which of them is called the source means nothing. */
function sourcesOf(sources: Submission['sources']): Submission['sources'] {
  const entries = Object.entries(sources).map(([field, source]) => [
    field,
    source === 'folderName' ? 'fileName' : source,
  ])
  return Object.fromEntries(entries) as Submission['sources']
}

type Difference = (one: SubmissionTable, arrival: Arrival) => SubmissionTable

/** The differences to 0.1 in single rows, by what their names say. */
const DIFFERENCES: readonly (readonly [about: RegExp, change: Difference])[] = [
  // The copies lie in a folder `again`, a word that is not in the name of the patient.
  [
    /^the same SOP UID/,
    (one) => ({
      ...one,
      state: 'review',
      reasons: ['readFromNames'],
      oddities: ['checkProposal', ...others(one)],
      images: one.images.map((image) =>
        image.fileName.startsWith('again/') ? { ...image, view: `${image.view}, exported again` } : image,
      ),
    }),
  ],
  // A file that stays broken for half a minute holds back the case that it belongs to by its name.
  [
    /^an (image that ends in its middle|empty file)/,
    (one, arrival) =>
      arrival === 'late' ? { ...one, state: 'incomplete', reasons: ['unusableImage'] } : one,
  ],
  // Two series with both eyes, hours apart, under a number that only names state.
  [/^two visits on one day are one/, (one) => ({ ...one, oddities: ['checkProposal', ...one.oddities] })],
]

const others = ({ oddities }: SubmissionTable): readonly string[] =>
  oddities.filter((oddity) => oddity !== 'checkProposal')

if (recorded.length !== layoutRows.length) throw new Error('Each row has one table.')

/** What a station makes of the row in the end. */
export function expectedTable(row: LayoutRow, arrival: Arrival): LayoutTable {
  // By its position: the name of a row is for people, and may be put better.
  const { submissions, notes } = recorded[layoutRows.indexOf(row)] ?? {}
  if (!submissions || !notes) throw new Error(`There is no table of "${row.name}".`)
  const change = DIFFERENCES.find(([about]) => about.test(row.name))?.[1] ?? ((one) => one)
  const changed = submissions.map((one) => change(expectedNow(one, arrival), arrival))
  return { name: row.name, submissions: changed, notes }
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
      images: images.map((image) => ({ ...image, eyeSource: null, view: null })),
      reasons: [...new Set(reasons)],
    })),
  }
}
