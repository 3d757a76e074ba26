/**
 * A program of its own, so that its memory is the delivery's: delivers what waits in an outbox, and nothing else.
 *
 * Its argument is a `Delivering` as JSON; prints a `Delivered`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNodeProcess } from '../../src-main/headless/host.ts'
import { type Delivery, openDelivery } from '../../src-main/station/delivery/delivery.ts'
import { openManifestKeeper } from '../../src-main/station/outbox/recovery/manifest-writer.ts'
import { openOutbox } from '../../src-main/station/outbox/open-outbox.ts'
import { systemClock } from '../../src-main/station/ports.ts'
import { openReaderProcesses } from '../../src-main/station/readers/processes.ts'
import { openServiceClient } from '../../src-main/station/service/service.ts'
import { settingsSchema } from '../../src-shared/settings.ts'
import { peakMegabytesIn } from './figures.ts'

export type Delivering = {
  readonly dataFolder: string
  readonly spoolFolder: string
  readonly url: string
  readonly concurrency: number
  /** How many wait. One more goes before them, since the first of all goes alone; it is not measured. */
  readonly cases: number
}

export type Delivered = {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMegabytes: number
}

const { dataFolder, spoolFolder, url, concurrency, cases } = JSON.parse(process.argv[2] ?? '') as Delivering
const PATIENCE_MS = 240_000

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const settings = settingsSchema.parse({
  service: { baseUrl: url, clientId: 'bench' },
  delivery: { concurrency },
})
const sent = new Set<string>()
const isDone = Promise.withResolvers<void>()
let startedAt = 0
let cpuBefore = process.cpuUsage()

const opened = openOutbox(dataFolder)
opened.onCommitted((ids) => {
  for (const id of ids) {
    const submission = opened.outbox.submissionOf(id)
    if (submission?.state === 'sent') sent.add(id)
    else if (submission !== null && !['waiting', 'sending'].includes(submission.state))
      isDone.reject(new Error(`A case is ${submission.state}: ${JSON.stringify(submission.failure)}`))
  }
  if (sent.size === 1 && startedAt === 0) {
    startedAt = performance.now()
    cpuBefore = process.cpuUsage()
  }
  if (sent.size === cases + 1) isDone.resolve()
  delivery.wake()
})
// The timers of the station do not keep a process alive.
const patience = setTimeout(() => isDone.reject(new Error(`Only ${sent.size} cases were sent.`)), PATIENCE_MS)
const reader = openReaderProcesses({
  programs: {
    pictures: new URL('../../src-main/reader/pictures-worker.ts', import.meta.url),
    data: new URL('../../src-main/station/readers/data-worker.ts', import.meta.url),
  },
  startProcess: startNodeProcess,
  lanes: 0,
  logger: silent,
})
const manifests = openManifestKeeper({
  outbox: opened.outbox,
  folder: join(dataFolder, 'manifests'),
  clock: systemClock,
  logger: silent,
})
const delivery: Delivery = openDelivery({
  outbox: opened.outbox,
  guard: manifests,
  client: openServiceClient(
    {
      clock: systemClock,
      logger: silent,
      proxies: { proxyFor: () => Promise.resolve(null) },
      version: 'bench',
      readLongPage: reader.readCaseList,
    },
    { baseUrl: url, clientId: 'bench' },
    () => Promise.resolve('secret'),
  ),
  clock: systemClock,
  logger: silent,
  random: Math.random,
  settings: () => settings,
  spoolPath: (spoolName) => join(spoolFolder, spoolName),
  reread: () => undefined,
  maySend: () => true,
  onProgress: () => undefined,
  onHealthChanged: () => undefined,
  onAlarm: () => undefined,
})
await isDone.promise
const seconds = (performance.now() - startedAt) / 1_000
const { user, system } = process.cpuUsage(cpuBefore)
const delivered: Delivered = {
  seconds,
  cpuSeconds: (user + system) / 1_000_000,
  peakMegabytes: peakMegabytesIn(readFileSync('/proc/self/status', 'utf8')),
}
console.log(JSON.stringify(delivered))
clearTimeout(patience)
await delivery.close()
await manifests.close()
reader.close()
opened.close()
