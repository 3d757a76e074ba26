/** The diagnostics bundle: what an administrator or support needs to see, and nothing by which a patient is known. */
import { arch, availableParallelism, freemem, totalmem } from 'node:os'
import { succeed } from '../../../src-shared/result.ts'
import { askFreeBytes } from '../disk-watch.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'
import { bundleText, linesOf, type Section } from './diagnostics/bundle-text.ts'
import { createCover, type Cover } from './diagnostics/cover.ts'
import { logTold } from './diagnostics/log-told.ts'
import { settingsTold } from './diagnostics/settings-told.ts'
import { sourcesTold } from './diagnostics/sources-told.ts'
import { statusTold } from './diagnostics/status-told.ts'
import { trailTold } from './diagnostics/trail-told.ts'
import { isoWithOffset } from './export-audit.ts'
import { settingsSources } from './settings-sources.ts'

/** Enough to see what led to a trouble, and still a text that a person can look through. */
const LINES = 200
/** Failures are counted over so many attempts: weeks of a busy clinic, read in a moment. */
const ATTEMPTS = 2_000

export function diagnosticsCalls(parts: StationParts): Pick<CallHandlers, 'station.diagnostics'> {
  return {
    'station.diagnostics': async () => {
      const now = parts.ports.clock.now()
      const sections = await sectionsOf(parts, createCover())
      const day = isoWithOffset(now).slice(0, 16).replace('T', '-').replace(':', '')
      return succeed({
        fileName: `fundus-courier-diagnostics-${day}.txt`,
        text: bundleText(isoWithOffset(now), sections),
      })
    },
  }
}

const instant = (at: number): string => new Date(at).toISOString()

function section(title: string, values: Readonly<Record<string, unknown>>): Section {
  return { title, lines: linesOf(values) }
}

async function sectionsOf(parts: StationParts, cover: Cover): Promise<Section[]> {
  const { outbox, ports, settings } = parts
  const freeBytes = await askFreeBytes(parts.dataFolder)
  const log = (await ports.recentLog?.()) ?? null
  return [
    section('Program', programTold(parts)),
    section('Computer', systemTold(parts, freeBytes)),
    section('Time', timeTold(parts)),
    section('Station', statusTold(parts.status(), cover)),
    {
      title: 'Cases by state',
      lines: outbox.stateAges().map(({ state, count, oldestAddedAt, unchangedSince }) => {
        if (oldestAddedAt === null || unchangedSince === null) return `${state}: ${count}`
        return `${state}: ${count}, the oldest of ${instant(oldestAddedAt)}, longest unchanged since ${instant(unchangedSince)}`
      }),
    },
    section('Outbox', outbox.outboxNumbers()),
    {
      title: 'Cases that cannot be read',
      lines: outbox
        .quarantined()
        .map(({ id, reference, state, unreadable }) => `${reference ?? id}: ${state}, ${unreadable}`),
    },
    {
      title: `What the latest ${ATTEMPTS} attempts came to`,
      lines: outbox
        .tallyAttempts(ATTEMPTS)
        .map(({ lastAt, ...tally }) => JSON.stringify({ ...tally, lastAt: instant(lastAt) })),
    },
    section('Settings', settingsTold(settings.current(), await settings.shown(), cover)),
    { title: 'Where settings come from', lines: sourcesTold(await settingsSources(parts), cover) },
    {
      title: `Log, the latest ${LINES} lines`,
      lines: log?.slice(-LINES).map((line) => JSON.stringify(logTold(line, cover))) ?? [
        'this host keeps none',
      ],
    },
    {
      title: `Trail, the latest ${LINES} lines, newest first`,
      lines: outbox.listAudit({ limit: LINES }).map((entry) => JSON.stringify(trailTold(entry, cover))),
    },
  ]
}

function programTold({ ports, stationId }: StationParts): Readonly<Record<string, unknown>> {
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

function systemTold({ ports }: StationParts, freeBytes: number | null): Readonly<Record<string, unknown>> {
  return {
    system: `${ports.system}, ${arch()}`,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: freeBytes,
  }
}

function timeTold(parts: StationParts): Readonly<Record<string, unknown>> {
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
