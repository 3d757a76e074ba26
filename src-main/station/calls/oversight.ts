/** Oversight of the station's own work: alarms, audit trail, overdue cases, raw answers. */
import type { About } from '../../../src-shared/desktop.ts'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { listOverdue, MAX_OVERDUE, overdueLimits } from '../overdue.ts'
import { exportAudit, exportSubmissions } from './csv-export.ts'
import { writeDiagnostics } from './diagnostics.ts'

/** The address of a proxy without its credentials, even if the password contains a slash. Pure. */
export function stripCredentials(proxy: string): string {
  return proxy.replace(/^([a-z][\w+.-]*:\/\/)?(?:.*@)?([^/?#]*).*$/is, '$1$2')
}

type DayStart = { readonly day: string; readonly since: number }

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Starts of the last `days` days, oldest first, and of tomorrow. With a change of clocks a day has 23 or 25 hours. */
export function dayStarts(now: number, days: number): DayStart[] {
  const today = new Date(now)
  return Array.from({ length: days + 1 }, (_nothing, index) => {
    // Midnight by the calendar, not by adding hours; if it does not exist, the first instant of the day.
    const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1 + index)
    return {
      day: `${start.getFullYear()}-${twoDigits(start.getMonth() + 1)}-${twoDigits(start.getDate())}`,
      since: start.getTime(),
    }
  })
}

export function oversightCalls(parts: StationParts) {
  const { outbox, ports } = parts
  return {
    'station.settleAlarm': ({ id, by, why }) => {
      const isSettled = outbox.settleAlarm(id, { by: by ?? null, why: why ?? null, at: ports.clock.now() })
      if (!isSettled) return Promise.resolve(fail(failureOf('notFound')))
      parts.emitStatus()
      return Promise.resolve(succeed(parts.status()))
    },
    'station.about': async () => succeed(await aboutStation(parts)),
    'station.diagnostics': async () => succeed(await writeDiagnostics(parts)),
    'station.days': ({ days }) => {
      const starts = dayStarts(ports.clock.now(), days)
      const counts = outbox.countPeriods(starts.map(({ since }) => since))
      return Promise.resolve(
        succeed({ items: counts.map((count, index) => ({ day: starts[index]?.day ?? '', ...count })) }),
      )
    },
    'submissions.export': (input) => exportSubmissions(outbox, input, ports.clock.now()),
    'submissions.ageing': ({ limit }) => {
      const now = ports.clock.now()
      const all = listOverdue(outbox.overdueRows(overdueLimits(now), MAX_OVERDUE), now)
      return Promise.resolve(succeed({ items: all.slice(0, limit), count: all.length }))
    },
    'submissions.answer': ({ attemptId }) =>
      Promise.resolve(
        outbox.attemptRow(attemptId) === undefined
          ? fail(failureOf('notFound'))
          : succeed({ answer: outbox.answerOf(attemptId) }),
      ),
    'audit.list': (query) => Promise.resolve(succeed({ items: outbox.listAudit(query) })),
    'audit.export': async (filter) => succeed(await exportAudit(outbox, filter, ports.clock.now())),
  } satisfies Partial<CallHandlers>
}

async function aboutStation(
  parts: Pick<StationParts, 'ports' | 'settings' | 'stationId' | 'dataFolder'>,
): Promise<About> {
  const { host, version, system, runtime, proxies, startAtLogin } = parts.ports
  const address = parts.settings.current().service?.baseUrl
  // Plain http stays on this machine and never goes through a proxy.
  const proxy = address?.startsWith('https:') ? await proxies.proxyFor(address) : null
  return {
    version,
    host,
    stationId: parts.stationId,
    system,
    runtime,
    dataFolder: parts.dataFolder,
    secretsKept: await parts.ports.secrets.storedIn(),
    proxy: proxy === null ? null : stripCredentials(proxy),
    startAtLogin: startAtLogin?.() ?? null,
  }
}
