/** Alarms: raised once for the same trouble, open until a person settles them, never deleted. */
import { randomUUID } from 'node:crypto'
import { alarmKindSchema, type ALARM_KINDS, type Alarm } from '../../../src-shared/alarm.ts'
import { appendAudit } from './audit-store.ts'
import { textsColumn } from '../json-columns.ts'
import type { WriteThrough } from './write-through.ts'

export type NewAlarm = {
  readonly kind: (typeof ALARM_KINDS)[number]
  readonly submissionId: string | null
  /** The cases at the service that it is about; the same ones in another order are the same alarm. */
  readonly caseIds: readonly string[]
  readonly message: string
  readonly at: number
}

/** Raises an alarm; false where just this one was raised before, settled or not. */
export function raiseAlarm(store: WriteThrough, alarm: NewAlarm): boolean {
  return store.write(() => {
    const { changes } = store.sql
      .prepare(
        `INSERT OR IGNORE INTO alarms (id, kind, submission_id, case_ids, message, raised_at) VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(
        randomUUID(),
        alarm.kind,
        alarm.submissionId,
        JSON.stringify(alarm.caseIds.toSorted()),
        alarm.message,
        alarm.at,
      )
    if (changes === 0) return false
    appendAudit(store, {
      at: alarm.at,
      submissionId: alarm.submissionId,
      what: 'alarmRaised',
      by: null,
      details: { alarm: alarm.kind, caseIds: alarm.caseIds.toSorted() },
    })
    if (alarm.submissionId !== null) store.touch(alarm.submissionId)
    return true
  })
}

type AlarmRow = {
  id: string
  kind: string
  submission_id: string | null
  reference: string | null
  case_ids: string
  message: string
  raised_at: number
}

/** Enough for a screen; a station with more open alarms than this has one trouble and not a hundred. */
const MAX_SHOWN = 100

/** The alarms that nobody has settled, newest first. */
export function openAlarms(store: WriteThrough): Alarm[] {
  return store.sql
    .prepare<[], AlarmRow>(
      `SELECT alarms.id, kind, submission_id, reference, case_ids, message, raised_at
       FROM alarms LEFT JOIN submissions ON submissions.id = submission_id
       WHERE settled_at IS NULL ORDER BY alarms.position DESC LIMIT ${MAX_SHOWN}`,
    )
    .all()
    .map((row) => ({
      id: row.id,
      kind: alarmKindSchema.catch('unknown').parse(row.kind),
      submissionId: row.submission_id,
      reference: row.reference,
      caseIds: textsColumn.readOr(row.case_ids, []),
      message: row.message,
      raisedAt: row.raised_at,
    }))
}

/** A person has seen it; false where there is no such open alarm. */
export function settleAlarm(
  store: WriteThrough,
  id: string,
  settled: { readonly by: string | null; readonly why: string | null; readonly at: number },
): boolean {
  return store.write(() => {
    const row = store.sql
      .prepare<[number, string | null, string], { submission_id: string | null; kind: string }>(
        'UPDATE alarms SET settled_at = ?, settled_by = ? WHERE id = ? AND settled_at IS NULL RETURNING submission_id, kind',
      )
      .get(settled.at, settled.by, id)
    if (!row) return false
    appendAudit(store, {
      at: settled.at,
      submissionId: row.submission_id,
      what: 'alarmSettled',
      by: settled.by,
      details: { alarm: row.kind, ...(settled.why === null ? {} : { why: settled.why }) },
    })
    return true
  })
}
