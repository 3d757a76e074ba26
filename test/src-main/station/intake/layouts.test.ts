/**
 * What a station makes of every row of the layout table: groups, fields, eyes, states. One real station in this process,
 * with the real watcher and outbox, a folder for each row, and no service.
 */
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { answerCall } from '../../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../../src-main/station/station.ts'
import { type CallInput, type CallName, type CallOutput, calls } from '../../../../src-shared/contract.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import type { Submission } from '../../../../src-shared/submission.ts'
import { exportFiles } from '../../../camera/layouts/layout.ts'
import type { ExpectedCase, Shown } from '../../../end-to-end/layouts/expected-case.ts'
import { expectedLayouts } from '../../../end-to-end/layouts/expected-layouts.ts'
import { expectedTroubles } from '../../../end-to-end/layouts/expected-troubles.ts'
import { setStage, type Stage, type StagedRow } from '../../../end-to-end/layouts/stage.ts'
import type { HostedStart } from '../../../end-to-end/station-hosts.ts'
import { isLongRun } from '../../../tools/long-run.ts'
import { stationPorts } from '../../../tools/station-ports.ts'

/** What became of the files of one row; no ids and no instants, in an order of its own. */
type LayoutTable = {
  readonly name: string
  readonly submissions: readonly ReturnType<typeof submissionTable>[]
  readonly notes: readonly { readonly fileName: string; readonly kind: string }[]
}

type LayoutTables = {
  /** The tables of the rows as they are now. */
  read(): Promise<readonly LayoutTable[]>
  close(): Promise<void>
}

/** Writes the files of the rows and lets the station take them in. What is read at once may still be collecting. */
async function openLayoutTables(rows: readonly ExpectedCase[]): Promise<LayoutTables> {
  const stage = await setStage(rows, { prepare: writeFirstGroups, start: startInProcess })
  try {
    await writeLaterGroups(stage)
  } catch (error) {
    await stage.close()
    throw error
  }
  return {
    read: () => Promise.all(stage.rows.map(async (row) => layoutTable(row, await stage.shown(row)))),
    close: () => stage.close(),
  }
}

async function writeFirstGroups(rows: readonly StagedRow[]): Promise<void> {
  await Promise.all(rows.map(({ expected, folder }) => exportFiles(folder, expected.files[0] ?? [])))
}

async function writeLaterGroups(stage: Stage): Promise<void> {
  const rows = stage.rows.filter(({ expected }) => expected.files.length > 1)
  await Promise.all(
    rows.map(async (row) => {
      await stage.known(row, row.expected.files[0] ?? [])
      for (const files of row.expected.files.slice(1)) await stage.write(row, files, {})
    }),
  )
}

async function startInProcess({ dataFolder, config }: HostedStart) {
  const ports = stationPorts()
  const station = await openStation({
    dataFolder,
    ports,
    config: { settings: settingsSchema.parse(config), stated: config, enforced: [], unknownNames: [] },
  })
  const value = async <Name extends CallName>(
    name: Name,
    input?: CallInput<Name>,
  ): Promise<CallOutput<Name>> => {
    const answer = await answerCall(station.handlers, ports.logger, name, input ?? {})
    if (!answer.ok) throw new Error(`${name}: ${answer.failure.kind}: ${answer.failure.message}`)
    return calls[name].output.parse(answer.value) as never
  }
  const stop = async (): Promise<number> => {
    await station.stop()
    return 0
  }
  return { value, stop }
}

function layoutTable({ expected }: StagedRow, shown: Shown): LayoutTable {
  return {
    name: expected.name,
    submissions: shown.submissions
      .map(submissionTable)
      .toSorted(by(({ images }) => images[0]?.fileName ?? '')),
    notes: shown.notes
      .filter(({ fileName }) => expected.notedOrNot?.includes(fileName) !== true)
      .map(({ fileName, kind }) => ({ fileName, kind: notedAs(expected, fileName, kind) }))
      .toSorted(by(({ fileName }) => fileName)),
  }
}

/** A file may still count as arriving, or be known as cut off by then: the row names both. */
function notedAs(expected: ExpectedCase, fileName: string, kind: string): string {
  const kinds: readonly string[] = expected.notes?.find((note) => note.fileName === fileName)?.kinds ?? []
  return kinds.includes(kind) ? kinds.join(' or ') : kind
}

function submissionTable(submission: Submission) {
  const { state, fields, sources, images, reasons, oddities } = submission
  const nameOf = new Map(images.map(({ id, fileName }) => [id, fileName]))
  return {
    state,
    fields: inOrder(fields),
    sources: inOrder(sources),
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
    reasons: reasons.map(({ kind, field }) => (field === undefined ? kind : `${kind} ${field}`)).toSorted(),
    oddities: oddities.map(({ kind, field }) => (field === undefined ? kind : `${kind} ${field}`)).toSorted(),
  }
}

function inOrder<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).toSorted(by(([name]) => name)))
}

function by<One>(keyOf: (one: One) => string): (one: One, other: One) => number {
  return (one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0)
}

/** What version 0.1 made of the table. */
const recorded = JSON.parse(
  readFileSync(new URL('../../../fixtures/layouts-0.1.json', import.meta.url), 'utf8'),
) as readonly LayoutTable[]

type LayoutSubmission = LayoutTable['submissions'][number]

const NAMES: readonly unknown[] = ['fileName', 'folderName', 'fileTime']

/** Does nothing but names say whose it is, of which day, or which eye an image that is sent shows? */
function restsOnNames({ sources, images }: LayoutSubmission): boolean {
  const eyes = images.filter(({ twinOf }) => twinOf === null).map(({ eyeSource }) => eyeSource)
  return [sources['history_number'], sources['visit_date'], ...eyes].some((source) => NAMES.includes(source))
}

/** The one difference to 0.1: what rests on names waits for a person, and says why. */
function expectedNow(submission: LayoutSubmission): LayoutSubmission {
  const isComplete = submission.state === 'waiting' || submission.state === 'review'
  if (!isComplete || !restsOnNames(submission)) return submission
  return { ...submission, state: 'review', reasons: [...submission.reasons, 'readFromNames'] }
}

/** By their position: the name of a row is for people, and may be put better. */
const expected = recorded.map(({ submissions, notes }, index) => ({
  name: [...expectedLayouts, ...expectedTroubles][index]?.name,
  submissions: submissions.map(expectedNow),
  notes,
}))

/** Drawing and decoding all rows takes ten seconds of the processor: the quick run takes some of every sort. */
const EVERY = isLongRun ? 1 : 6

/** The station settles files in seconds; a busy machine takes its time to draw and to decode them. */
const WITHIN = { timeout: 90_000, interval: 250 }

it('makes the same groups, fields and eyes of every layout as version 0.1, and lets none leave by names alone', async () => {
  expect([...expectedLayouts, ...expectedTroubles]).toHaveLength(recorded.length)
  const isChosen = (_row: unknown, index: number): boolean => index % EVERY === 0
  const tables = await openLayoutTables([...expectedLayouts, ...expectedTroubles].filter(isChosen))
  onTestFinished(() => tables.close())
  await expect.poll(() => tables.read(), WITHIN).toEqual(expected.filter(isChosen))
}, 240_000)
