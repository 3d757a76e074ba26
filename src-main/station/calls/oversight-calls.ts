/** What keeps watch over the station's own work: alarms, the trail, what has waited too long, raw answers. */
import { failureOf } from '../../../src-shared/failure.ts'
import { fail, succeed } from '../../../src-shared/result.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'
import { aboutStation } from './about-station.ts'
import { overdueLimits, listOverdue, MAX_OVERDUE } from './ageing-of.ts'
import { diagnosticsCalls } from './diagnostics.ts'
import { dayStarts } from './days-of.ts'
import { exportAudit } from './export-audit.ts'
import { exportSubmissions } from './export-submissions.ts'

type OversightCalls = Pick<
  CallHandlers,
  | 'station.settleAlarm'
  | 'station.about'
  | 'station.diagnostics'
  | 'station.days'
  | 'submissions.ageing'
  | 'submissions.answer'
  | 'submissions.export'
  | 'audit.list'
  | 'audit.export'
>

export function oversightCalls(parts: StationParts): OversightCalls {
  const { outbox, ports } = parts
  return {
    'station.settleAlarm': ({ id, by, why }) => {
      const isSettled = outbox.alarms.settle(id, { by: by ?? null, why: why ?? null, at: ports.clock.now() })
      if (!isSettled) return Promise.resolve(fail(failureOf('notFound')))
      parts.emitStatus()
      return Promise.resolve(succeed(parts.status()))
    },
    'station.about': async () => succeed(await aboutStation(parts)),
    ...diagnosticsCalls(parts),
    'station.days': ({ days }) => {
      const starts = dayStarts(ports.clock.now(), days)
      const counts = outbox.oversight.countPeriods(starts.map(({ since }) => since))
      return Promise.resolve(
        succeed({ items: counts.map((count, index) => ({ day: starts[index]?.day ?? '', ...count })) }),
      )
    },
    'submissions.export': (input) => exportSubmissions(outbox, input, ports.clock.now()),
    'submissions.ageing': ({ limit }) => {
      const now = ports.clock.now()
      const all = listOverdue(outbox.oversight.overdueRows(overdueLimits(now), MAX_OVERDUE), now)
      return Promise.resolve(succeed({ items: all.slice(0, limit), count: all.length }))
    },
    'submissions.answer': ({ attemptId }) =>
      Promise.resolve(
        outbox.attempts.row(attemptId) === undefined
          ? fail(failureOf('notFound'))
          : succeed({ answer: outbox.attempts.answerOf(attemptId) }),
      ),
    'audit.list': (query) => Promise.resolve(succeed({ items: outbox.audit.list(query) })),
    'audit.export': async (filter) => succeed(await exportAudit(outbox, filter, ports.clock.now())),
  }
}
