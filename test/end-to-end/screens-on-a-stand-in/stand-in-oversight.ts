/** How the stand-in answers what keeps watch: alarms, the trail, what has waited too long, raw answers. */
import type { CallHandlers } from '../../../src-main/station/api.ts'
import type { DayCount, OverdueItem } from '../../../src-shared/alarms.ts'
import type { UpdateState } from '../../../src-shared/desktop.ts'
import { HOUR } from '../../../src-shared/durations.ts'
import { failureOf, succeed } from '../../../src-shared/failure.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { narrowed, standInTrail } from './stand-in-trail.ts'

type OversightCalls = Pick<
  CallHandlers,
  | 'station.settleAlarm'
  | 'station.about'
  | 'station.diagnostics'
  | 'station.days'
  | 'submissions.export'
  | 'submissions.ageing'
  | 'submissions.answer'
  | 'submissions.cancel'
  | 'submissions.moveToCenter'
  | 'audit.list'
  | 'audit.export'
  | 'updates.get'
  | 'updates.look'
  | 'updates.install'
  | 'updates.holdOff'
>

/** The stand-in is served by the headless host. */
const NO_UPDATES: UpdateState = { kind: 'off', why: 'headless' }

/** An answer that would do harm if it were taken for markup. */
export const RAW_ANSWER =
  '<html><body onload="alert(1)"><h1>502 Bad Gateway</h1><script>document.title = "taken"</script></body></html>'

export function standInOversight(parts: {
  readonly now: number
  readonly submissions: ReadonlyMap<string, SubmissionDetails>
  readonly status: () => StationStatus
  readonly changeStatus: (change: Partial<StationStatus>) => void
  readonly changeSubmission: (id: string, change: Partial<SubmissionDetails>) => void
}): OversightCalls {
  const trail = standInTrail(parts.now, [...parts.submissions.values()])
  return {
    'station.settleAlarm': async ({ id }) => {
      parts.changeStatus({ alarms: parts.status().alarms.filter((alarm) => alarm.id !== id) })
      return succeed(parts.status())
    },
    'station.about': async () =>
      succeed({
        version: '0.1.0',
        host: 'headless',
        stationId: 'c0ffee00-0000-4000-8000-000000000001',
        system: 'Windows 11 Pro 26100',
        runtime: 'Electron 45.4.1',
        dataFolder: 'C:\\ProgramData\\Fundus Courier',
        secretsKept: 'privateFile',
        proxy: null,
        startAtLogin: null,
      }),
    'updates.get': async () => succeed(NO_UPDATES),
    'updates.look': async () => succeed(NO_UPDATES),
    'updates.install': async () => succeed(NO_UPDATES),
    'updates.holdOff': async () => succeed({}),
    'station.diagnostics': async () =>
      succeed({
        fileName: 'fundus-courier-diagnostics.txt',
        text: 'Fundus Courier 0.1.0\n\nQueue: 13 open\n',
      }),
    'station.days': async ({ days }) => succeed({ items: syntheticDays(parts.now, days) }),
    'submissions.export': async ({ ids }) =>
      succeed({ fileName: 'cases.csv', csv: `reference\r\n${ids.join('\r\n')}\r\n` }),
    'submissions.ageing': async ({ limit }) => {
      const all = agedItems(parts)
      return succeed({ items: all.slice(0, limit), count: all.length })
    },
    'submissions.answer': async () =>
      succeed({ answer: { status: 502, sizeBytes: RAW_ANSWER.length, text: RAW_ANSWER } }),
    'submissions.cancel': async ({ ids }) => {
      for (const id of ids) parts.changeSubmission(id, { state: 'held' })
      return succeed({ changed: ids, refused: [] })
    },
    'submissions.moveToCenter': async ({ ids, centerId }) => {
      const refused = ids.filter((id) => parts.submissions.get(id)?.attempts !== 0)
      const changed = ids.filter((id) => !refused.includes(id))
      for (const id of changed) parts.changeSubmission(id, { centerId })
      return succeed({
        changed,
        refused: refused.map((id) => ({ id, failure: failureOf('notAllowed') })),
      })
    },
    'audit.list': async ({ limit, before, ...filter }) =>
      succeed({
        items: narrowed(trail, filter, parts.submissions)
          .filter(({ id }) => before === undefined || id < before)
          .slice(0, limit),
      }),
    'audit.export': async (filter) => {
      const entries = narrowed(trail, filter, parts.submissions)
      const lines = entries.map(({ id, what, by }) => `${id},${what},${by ?? ''}`)
      return succeed({
        fileName: 'activity-2026-11-21.csv',
        csv: ['id,what,by', ...lines, ''].join('\r\n'),
        entries: entries.length,
      })
    },
  }
}

const AGED: readonly (readonly [string, OverdueItem['kind'], string])[] = [
  [
    's1',
    'notRedone',
    'This case was captured more than a day ago and the service did not take it. Read why, correct it and send it again, or discard it.',
  ],
  [
    's11',
    'notSent',
    'This case was captured more than a day ago and is on hold, so it is not sent. Release it, or discard it.',
  ],
  [
    's35',
    'notConfirmed',
    'The service gave an id for this case, and it could not be read back since. It is probably there; ask the service about it if this stays so.',
  ],
  [
    's36',
    'noReport',
    'This case was sent more than two days ago and has no report. Nothing is lost; ask the service when the report comes.',
  ],
]

function agedItems({
  now,
  submissions,
}: {
  readonly now: number
  readonly submissions: ReadonlyMap<string, SubmissionDetails>
}): OverdueItem[] {
  return AGED.flatMap(([id, kind, message], index) => {
    const one = submissions.get(id)
    return one
      ? [
          {
            kind,
            submissionId: id,
            reference: one.reference,
            state: one.state,
            since: now - (30 + 10 * index) * HOUR,
            message,
          },
        ]
      : []
  })
}

function syntheticDays(now: number, days: number): DayCount[] {
  return Array.from({ length: days }, (_, index) => {
    const at = new Date(now - (days - 1 - index) * 24 * HOUR)
    const isWeekend = at.getUTCDay() % 6 === 0
    const added = isWeekend ? 0 : 9 + ((index * 7) % 11)
    return { day: at.toISOString().slice(0, 10), added, sent: Math.max(0, added - (index % 3)) }
  })
}
