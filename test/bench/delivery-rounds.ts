/** The same cases to the same sink, by the station's delivery and by curl, one after the other. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { curlCases, type Curled } from './curl-lanes.ts'
import type { Delivered, Delivering } from './delivering-process.ts'
import { runOwn } from './run-program.ts'
import type { Sink } from './sink.ts'
import { queueWaiting, writeWaiting, type WaitingCase } from './waiting-cases.ts'

export type Load = {
  /** The built `delivering-process`. */
  readonly program: string
  readonly folder: string
  readonly spoolFolder: string
  readonly cases: readonly WaitingCase[]
  readonly concurrency: number
}
export type Round = { readonly delivered: Delivered; readonly curled: Curled | null }

const SMALL = { cases: 1, images: 1, imageBytes: 1_000 }

function contentOf({ files }: WaitingCase): string {
  return files
    .map(({ sha256 }) => sha256)
    .toSorted()
    .join()
}

/** Throws where anything else has come than the cases: what is measured is that they arrive. */
async function hold(
  sink: Sink,
  cases: readonly WaitingCase[],
  what: string,
  areContentsTold: boolean,
): Promise<void> {
  const { posts, bodyBytes, faults, contents } = await sink.tally()
  const least = cases.flatMap(({ files }) => files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (faults.length > 0) throw new Error(`${what}: ${faults.slice(0, 3).join('; ')}`)
  if (posts !== cases.length) throw new Error(`${what}: ${posts} cases came of ${cases.length}.`)
  if (bodyBytes < least) throw new Error(`${what}: ${bodyBytes} bytes came, and the files have ${least}.`)
  const wanted = areContentsTold ? cases.map(contentOf).toSorted() : []
  if (contents.toSorted().join('\n') !== wanted.join('\n'))
    throw new Error(`${what}: the files that came are not those that were sent.`)
}

async function deliver(sink: Sink, load: Load, areContentsTold: boolean): Promise<Delivered> {
  const dataFolder = join(load.folder, 'data')
  await mkdir(dataFolder, { recursive: true })
  // The first of all goes alone, until it has arrived; a small one is that, so that the others go side by side.
  const first = await writeWaiting(load.spoolFolder, SMALL)
  const all = [...first, ...load.cases].map((one, index) => ({
    ...one,
    fields: { ...one.fields, history_number: `H-${index}` },
  }))
  queueWaiting(dataFolder, all)
  const { spoolFolder, concurrency } = load
  const given: Delivering = { dataFolder, spoolFolder, url: sink.url, concurrency, cases: load.cases.length }
  const delivered = await runOwn<Delivered>(load.program, [JSON.stringify(given)])
  await hold(sink, all, 'the delivery', areContentsTold)
  await rm(dataFolder, { recursive: true })
  return delivered
}

/** One round; curl only where there is one. */
export async function roundOf(sink: Sink, load: Load, hasCurl: boolean): Promise<Round> {
  const delivered = await deliver(sink, load, false)
  if (!hasCurl) return { delivered, curled: null }
  const curled = await curlCases({ ...load, url: sink.url })
  await hold(sink, load.cases, 'curl', false)
  return { delivered, curled }
}

/** Throws where not every file arrives as it was written, by either. */
export async function checkOf(sink: Sink, load: Load, hasCurl: boolean): Promise<void> {
  await deliver(sink, load, true)
  if (!hasCurl) return
  await curlCases({ ...load, url: sink.url })
  await hold(sink, load.cases, 'curl', true)
}
