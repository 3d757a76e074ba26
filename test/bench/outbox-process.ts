/**
 * A program of its own, so that its memory and its first opening are its own: fills an outbox, or asks one.
 *
 * `fill FOLDER COUNT` and `ask FOLDER COUNT`; prints one line of JSON.
 */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Outbox } from '../../src-main/station/outbox/outbox.ts'
import { openOutbox } from '../../src-main/station/outbox/open-outbox.ts'
import type { Fields } from '../../src-shared/fields.ts'
import { FINAL_STATES, SUBMISSION_STATES } from '../../src-shared/states.ts'
import { syntheticPatient } from '../camera/export-visit.ts'
import { MORNING } from '../tools/outbox-with.ts'
import { nameOf } from './camera-files.ts'
import { peakMegabytesIn } from './figures.ts'
import { addCameraCase } from './waiting-cases.ts'

export type Asked = {
  /** Milliseconds, an entry a question. */
  readonly pages: readonly number[]
  readonly filteredPages: readonly number[]
  /** By urgency, as the screens ask. */
  readonly urgentPages: readonly number[]
  readonly numbers: readonly number[]
  readonly names: readonly number[]
  /** Among the open cases, by urgency. */
  readonly openNames: readonly number[]
  readonly counts: readonly number[]
  readonly peakMegabytes: number
}

const AT_A_TIME = 1_000
const IMAGES = 4
const QUESTIONS = 100
/** The whole list is leafed through in steps of this many pages. */
const PAGE = 100
const NAMES = ['te', 'test', 'mock', 'sampl', 'o', 'nobodyova', 'demoson', 'testina', 'fict', 'trialgado']

function addOne(outbox: Outbox, number: number): void {
  const { history_number, first_name, last_name, gender, age } = syntheticPatient(number)
  const fields: Fields = { history_number, first_name, last_name, gender, age, visit_date: '2026-11-20' }
  const at = MORNING + number * 1_000
  const images = Array.from({ length: IMAGES }, (_, index) => {
    const fileName = nameOf(number, index)
    const sha256 = createHash('sha256').update(fileName).digest('hex')
    const eye = index < 2 ? ('right' as const) : ('left' as const)
    return { fileName, eye, sizeBytes: 2_000_000, sha256, spoolName: `${sha256.slice(0, 2)}/${sha256}` }
  })
  const id = addCameraCase(outbox, { groupKey: `h-${number}`, fields, centerId: '101', images, at })
  for (const { fileName, sizeBytes } of images)
    outbox.markSeen({ folderPath: '/exports', relativePath: fileName, sizeBytes, mtimeMs: at }, 'image', at, {
      submissionId: id,
    })
  outbox.moveSubmission(id, number % 10 === 0 ? 'gatheredForReview' : 'gatheredToSend', {}, { at })
}

function fill(folder: string, count: number): unknown {
  const startedAt = performance.now()
  const opened = openOutbox(folder)
  for (let from = 1; from <= count; from += AT_A_TIME)
    opened.outbox.write(() => {
      for (let number = from; number < Math.min(from + AT_A_TIME, count + 1); number += 1)
        addOne(opened.outbox, number)
    })
  opened.close()
  const { size } = statSync(join(folder, 'outbox.sqlite'))
  return { seconds: (performance.now() - startedAt) / 1_000, megabytes: size / 1_000_000 }
}

function timed(work: () => unknown): number {
  const before = performance.now()
  work()
  return performance.now() - before
}

function times(work: (index: number) => number): readonly number[] {
  return Array.from({ length: QUESTIONS }, (_, index) => work(index))
}

/** Leafs from the newest page on. */
function leafThrough(outbox: Outbox, state?: 'review'): readonly number[] {
  let after: string | undefined
  return times(() => {
    const before = performance.now()
    const { items } = outbox.listSubmissions({
      limit: PAGE,
      ...(state === undefined ? {} : { state: [state] }),
      ...(after === undefined ? {} : { after }),
    })
    after = items.at(-1)?.id
    return performance.now() - before
  })
}

const OPEN = SUBMISSION_STATES.filter((state) => !FINAL_STATES.includes(state))

/** Leafs as the screens do, what needs a person first. */
function leafByUrgency(outbox: Outbox): readonly number[] {
  let cursor = {}
  return times(() => {
    const before = performance.now()
    const page = outbox.listSubmissions({ state: [...OPEN], order: 'urgency', limit: PAGE, ...cursor })
    const last = page.items.at(-1)
    cursor = last ? { after: last.id, afterWas: { state: last.state, urgent: last.urgent } } : {}
    return performance.now() - before
  })
}

function ask(folder: string, count: number): Asked {
  const opened = openOutbox(folder)
  const { outbox } = opened
  const search = (text: string): number => timed(() => outbox.listSubmissions({ search: text, limit: PAGE }))
  const asked: Omit<Asked, 'peakMegabytes'> = {
    pages: leafThrough(outbox),
    urgentPages: leafByUrgency(outbox),
    filteredPages: leafThrough(outbox, 'review'),
    numbers: times((index) =>
      search(syntheticPatient(1 + Math.floor((index * count) / QUESTIONS)).history_number),
    ),
    names: times((index) => search(NAMES[index % NAMES.length] ?? '')),
    openNames: times((index) =>
      timed(() =>
        outbox.listSubmissions({
          search: NAMES[index % NAMES.length] ?? '',
          state: [...OPEN],
          order: 'urgency',
          limit: PAGE,
        }),
      ),
    ),
    counts: times(() => timed(() => outbox.countSubmissions())),
  }
  opened.close()
  return { ...asked, peakMegabytes: peakMegabytesIn(readFileSync('/proc/self/status', 'utf8')) }
}

const [what, folder = '', count = '0'] = process.argv.slice(2)
console.log(JSON.stringify(what === 'fill' ? fill(folder, Number(count)) : ask(folder, Number(count))))
