/** How the stand-in answers what keeps watch: alarms, the trail, what has waited too long, raw answers. */
import { succeed } from '../../../src-shared/result.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import type { CallHandlers } from '../../../src-main/station/station-api.ts'

type OversightCalls = Pick<
  CallHandlers,
  | 'station.settleAlarm'
  | 'submissions.ageing'
  | 'submissions.answer'
  | 'submissions.cancel'
  | 'submissions.moveToCenter'
  | 'audit.list'
  | 'audit.export'
>

export function standInOversight(parts: {
  readonly status: () => StationStatus
  readonly changeStatus: (change: Partial<StationStatus>) => void
  readonly changeSubmission: (id: string, change: Partial<SubmissionDetails>) => void
}): OversightCalls {
  return {
    'station.settleAlarm': async ({ id }) => {
      parts.changeStatus({ alarms: parts.status().alarms.filter((alarm) => alarm.id !== id) })
      return succeed(parts.status())
    },
    'submissions.ageing': async () => succeed({ items: [] }),
    'submissions.answer': async () => succeed({ answer: null }),
    'submissions.cancel': async ({ ids }) => {
      for (const id of ids) parts.changeSubmission(id, { state: 'held' })
      return succeed({ changed: ids, refused: [] })
    },
    'submissions.moveToCenter': async ({ ids, centerId }) => {
      for (const id of ids) parts.changeSubmission(id, { centerId })
      return succeed({ changed: ids, refused: [] })
    },
    'audit.list': async () => succeed({ items: [] }),
    'audit.export': async () => succeed({ fileName: 'audit.csv', csv: '', entries: 0 }),
  }
}
