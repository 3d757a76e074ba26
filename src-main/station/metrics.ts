/**
 * What the tools of an IT department watch a fleet by: `GET /metrics`, in OpenMetrics (openmetrics.io, version 1.0.0). It holds
 * numbers and terms of the program: no path, no center, nothing of a patient. `docs/monitoring` has rules and a dashboard.
 */
import { basename } from 'node:path'
import type { About } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { OUTCOMES, type Outcome } from '../../src-shared/submission.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports, StartProcess } from './ports.ts'

type MetricsOptions = {
  readonly ports: Pick<Ports, 'host' | 'version' | 'startProcess'>
  readonly status: () => StationStatus
  readonly outbox: Pick<Outbox, 'stateAges'>
  /** Of the volume of the data folder; null if unknown. */
  readonly freeBytes: () => Promise<number | null>
  readonly disk: Promise<About['protection']['disk']>
}

function countOne<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Counts from its creation on; a counter begins again with the station, as such counters do. */
export function createMetrics({ ports }: Pick<MetricsOptions, 'ports'>) {
  const attempts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  const starts = new Map<string, number>()
  /** Counts the processes of the station: one that is started again and again is a share that hangs, or a file that kills. */
  const startProcess: StartProcess = (program, ...rest) => {
    countOne(starts, /^[a-z]+/.exec(basename(program.pathname))?.[0] ?? 'other')
    return ports.startProcess(program, ...rest)
  }
  return {
    startProcess,
    countOutcome: (outcome: Outcome): void => countOne(attempts, outcome),
    /** The text of one answer, in OpenMetrics. */
    read: (options: Omit<MetricsOptions, 'ports'>): Promise<string> =>
      write({ ...options, ports }, attempts, starts),
  }
}

/** The media type of `read`. */
export const METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

async function write(
  { ports, status, outbox, freeBytes, disk }: MetricsOptions,
  attempts: ReadonlyMap<Outcome, number>,
  starts: ReadonlyMap<string, number>,
): Promise<string> {
  // Few stations are watched this way, and none at its start.
  const { Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry<typeof METRICS_TYPE>()
  registry.setContentType(METRICS_TYPE)
  const registers = [registry]
  const gauge = (
    name: string,
    help: string,
    values: Readonly<Record<string, number>> | number | null,
    label = 'kind',
  ): void => {
    if (values === null) return
    const isOne = typeof values === 'number'
    const made = new Gauge({
      name: `fundus_courier_${name}`,
      help,
      labelNames: isOne ? [] : [label],
      registers,
    })
    if (isOne) made.set(values)
    else for (const [value, count] of Object.entries(values)) made.set({ [label]: value }, count)
  }
  const counter = (name: string, help: string, values: ReadonlyMap<string, number>, label: string): void => {
    const made = new Counter({ name: `fundus_courier_${name}`, help, labelNames: [label], registers })
    for (const [value, count] of values) made.inc({ [label]: value }, count)
  }
  const now = status()
  const ages = outbox.stateAges().filter(({ oldestAddedAt }) => oldestAddedAt !== null)
  const encrypted = await disk
  const { mode, service, folders } = now

  new Gauge({
    name: 'fundus_courier_build_info',
    help: 'The version of the program and its host.',
    labelNames: ['version', 'host'],
    registers,
  }).set({ version: ports.version, host: ports.host }, 1)
  gauge(
    'mode',
    '1 for what the station does now; paused modes name the reason.',
    { [mode.kind === 'paused' ? `paused_${mode.why}` : mode.kind]: 1 },
    'mode',
  )
  gauge('cases', 'Cases by state.', now.counts, 'state')
  gauge(
    'oldest_case_timestamp_seconds',
    'When the oldest case in each state that is not final was added.',
    Object.fromEntries(ages.map(({ state, oldestAddedAt }) => [state, (oldestAddedAt ?? 0) / SECOND])),
    'state',
  )
  gauge('last_sent_timestamp_seconds', 'When a case was delivered last.', seconds(now.lastSentAt))
  counter('attempts', 'Attempts to deliver a case since the start, by outcome.', attempts, 'outcome')
  gauge('service', '1 for how the service answers.', { [service.health]: 1 }, 'health')
  gauge(
    'service_last_success_timestamp_seconds',
    'When the service answered well last.',
    seconds(service.lastSuccessAt),
  )
  gauge('folders', 'Watched folders by health.', tally(folders.map(({ health }) => [health, 1])), 'health')
  gauge(
    'files_left_aside',
    'Files in watched folders that are no part of a case, by reason.',
    tally(folders.flatMap(({ noteCounts }) => Object.entries(noteCounts))),
    'reason',
  )
  counter('process_starts', 'Processes that were started to read foreign files.', starts, 'program')
  gauge('alarms', 'Alarms that no person has settled.', now.alarms.length)
  gauge(
    'images_missing',
    'Sent cases of which the service shows fewer images than were sent.',
    now.imagesMissing,
  )
  gauge('reports_unread', 'Reports that no person has read.', now.reportsUnread)
  gauge('trouble', '1 for each trouble of this computer.', {
    ...(now.storage && { [now.storage.kind]: 1 }),
    ...(now.clock && { [now.clock.kind]: 1 }),
  })
  gauge('disk_free_bytes', 'Free space on the disk of the data folder.', await freeBytes())
  gauge(
    'disk_encrypted',
    '1 if the system encrypts the disk of the data folder, 0 if not.',
    encrypted === 'unknown' ? null : Number(encrypted === 'encrypted'),
  )
  gauge('memory_bytes', 'Memory of the main process.', process.memoryUsage.rss())
  gauge('start_timestamp_seconds', 'When the process began.', Date.now() / SECOND - process.uptime())
  return registry.metrics()
}

function seconds(at: number | null): number | null {
  return at === null ? null : at / SECOND
}

function tally(
  entries: readonly (readonly [string, number | undefined])[],
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const [name, count = 0] of entries) sums[name] = (sums[name] ?? 0) + count
  return sums
}
