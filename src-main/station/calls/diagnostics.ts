/** The diagnostics bundle: what an administrator or support needs to see, and nothing by which a patient is known. */
import { arch, availableParallelism, freemem, totalmem } from 'node:os'
import { succeed } from '../../../src-shared/result.ts'
import { askFreeBytes } from '../disk-watch.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'
import { formatBundle, formatLines, type Section } from './diagnostics/bundle-text.ts'
import { createRedactor, type Redactor } from './diagnostics/cover.ts'
import { redactLogLine } from './diagnostics/log-told.ts'
import { redactSettings } from './diagnostics/settings-told.ts'
import { redactSources } from './diagnostics/sources-told.ts'
import { redactStatus } from './diagnostics/status-told.ts'
import { redactTrailEntry } from './diagnostics/trail-told.ts'
import { isoWithOffset } from './export-audit.ts'
import { settingsSources } from './settings-sources.ts'

/** Enough to see what led to a trouble, and still a text that a person can look through. */
const MAX_LINES = 200
/** Failures are counted over so many attempts: weeks of a busy clinic, read in a moment. */
const MAX_ATTEMPTS = 2_000

export function diagnosticsCalls(parts: StationParts): Pick<CallHandlers, 'station.diagnostics'> {
  return {
    'station.diagnostics': async () => {
      const now = parts.ports.clock.now()
      const sections = await createSections(parts, createRedactor())
      const day = isoWithOffset(now).slice(0, 16).replace('T', '-').replace(':', '')
      return succeed({
        fileName: `fundus-courier-diagnostics-${day}.txt`,
        text: formatBundle(isoWithOffset(now), sections),
      })
    },
  }
}

const instant = (at: number): string => new Date(at).toISOString()

function section(title: string, values: Readonly<Record<string, unknown>>): Section {
  return { title, lines: formatLines(values) }
}

async function createSections(parts: StationParts, redactor: Redactor): Promise<Section[]> {
  const { outbox, ports, settings } = parts
  const freeBytes = await askFreeBytes(parts.dataFolder)
  const log = (await ports.recentLog?.()) ?? null
  return [
    section('Program', describeProgram(parts)),
    section('Computer', describeSystem(parts, freeBytes)),
    section('Time', describeTime(parts)),
    section('Station', redactStatus(parts.status(), redactor)),
    {
      title: 'Cases by state',
      lines: outbox.oversight.stateAges().map(({ state, count, oldestAddedAt, unchangedSince }) => {
        if (oldestAddedAt === null || unchangedSince === null) return `${state}: ${count}`
        return `${state}: ${count}, the oldest of ${instant(oldestAddedAt)}, longest unchanged since ${instant(unchangedSince)}`
      }),
    },
    section('Outbox', outbox.oversight.numbers()),
    {
      title: 'Cases that cannot be read',
      lines: outbox.quarantine
        .list()
        .map(({ id, reference, state, unreadable }) => `${reference ?? id}: ${state}, ${unreadable}`),
    },
    {
      title: `What the latest ${MAX_ATTEMPTS} attempts came to`,
      lines: outbox.oversight
        .tallyAttempts(MAX_ATTEMPTS)
        .map(({ lastAt, ...tally }) => JSON.stringify({ ...tally, lastAt: instant(lastAt) })),
    },
    section('Settings', redactSettings(settings.current(), await settings.shown(), redactor)),
    { title: 'Where settings come from', lines: redactSources(await settingsSources(parts), redactor) },
    {
      title: `Log, the latest ${MAX_LINES} lines`,
      lines: log?.slice(-MAX_LINES).map((line) => JSON.stringify(redactLogLine(line, redactor))) ?? [
        'this host keeps none',
      ],
    },
    {
      title: `Trail, the latest ${MAX_LINES} lines, newest first`,
      lines: outbox.audit
        .list({ limit: MAX_LINES })
        .map((entry) => JSON.stringify(redactTrailEntry(entry, redactor))),
    },
  ]
}

function describeProgram({ ports, stationId }: StationParts): Readonly<Record<string, unknown>> {
  return {
    version: ports.version,
    host: ports.host,
    runtime: ports.runtime,
    node: process.versions.node,
    station: stationId,
    runningForMinutes: Math.round(process.uptime() / 60),
    memoryBytes: process.memoryUsage.rss(),
  }
}

function describeSystem(
  { ports }: StationParts,
  freeBytes: number | null,
): Readonly<Record<string, unknown>> {
  return {
    system: `${ports.system}, ${arch()}`,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: freeBytes,
  }
}

function describeTime(parts: StationParts): Readonly<Record<string, unknown>> {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
  const now = parts.ports.clock.now()
  return {
    now: isoWithOffset(now),
    timeZone,
    locale,
    offsetMinutes: -new Date(now).getTimezoneOffset(),
    clockAgainstService: parts.delivery()?.clockReading() ?? { kind: 'unknown' },
  }
}
