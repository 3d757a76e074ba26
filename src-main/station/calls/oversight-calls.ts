/** What keeps watch over the station's own work: alarms, the trail, what has waited too long, raw answers. */
import { failureOf } from '../../../src-shared/failure.ts'
import { fail, succeed } from '../../../src-shared/result.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'

type OversightCalls = Pick<
  CallHandlers,
  'station.settleAlarm' | 'submissions.ageing' | 'submissions.answer' | 'audit.list' | 'audit.export'
>

export function oversightCalls(parts: StationParts): OversightCalls {
  const { outbox, ports } = parts
  return {
    'station.settleAlarm': ({ id, by, why }) => {
      const isSettled = outbox.settleAlarm(id, { by: by ?? null, why: why ?? null, at: ports.clock.now() })
      if (!isSettled) return Promise.resolve(fail(failureOf('notFound')))
      parts.statusChanged()
      return Promise.resolve(succeed(parts.status()))
    },
    'submissions.ageing': () => Promise.resolve(fail(failureOf('notYet'))),
    'submissions.answer': () => Promise.resolve(fail(failureOf('notYet'))),
    'audit.list': (query) => Promise.resolve(succeed({ items: outbox.listAudit(query) })),
    'audit.export': () => Promise.resolve(fail(failureOf('notYet'))),
  }
}
