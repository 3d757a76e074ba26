import type { Manifest } from './manifest.ts'
import { upsertRow } from './put-row.ts'
import type { WriteThrough } from './write-through.ts'

/**
 * Lays the attempts of a manifest over those that are known. One whose end is not known, or that was only announced,
 * may have arrived: nobody is left to end it.
 */
export function applyAttempts(
  store: WriteThrough,
  { submission, attempts, announced }: Manifest,
  at: number,
): void {
  const { sql } = store
  sql
    .prepare(
      "UPDATE attempts SET phase = 'ended', outcome = 'unknown', ended_at = ? WHERE submission_id = ? AND outcome IS NULL",
    )
    .run(at, submission.id)
  const exists = (number: number): boolean =>
    sql
      .prepare('SELECT 1 AS found FROM attempts WHERE submission_id = ? AND number = ?')
      .get(submission.id, number) !== undefined
  for (const attempt of attempts) {
    const end = attempt.outcome === null ? { phase: 'ended', outcome: 'unknown', ended_at: at } : {}
    if (!exists(attempt.number)) upsertRow(store, 'attempts', ['id'], { ...attempt, ...end, baseline: '[]' })
    else if (attempt.outcome !== null)
      sql
        .prepare(
          `UPDATE attempts SET outcome = ?, failure = ?, ended_at = ?, resolution = ?, found_at = ?
           WHERE submission_id = ? AND number = ?`,
        )
        .run(
          attempt.outcome,
          attempt['failure'] ?? null,
          attempt['ended_at'] ?? at,
          attempt['resolution'] ?? null,
          attempt['found_at'] ?? null,
          submission.id,
          attempt.number,
        )
  }
  if (announced === null || exists(announced.number)) return
  upsertRow(store, 'attempts', ['id'], {
    id: `${submission.id}-${announced.number}`,
    submission_id: submission.id,
    number: announced.number,
    base_url: announced.base_url,
    client_id: announced.client_id,
    center_id: announced.center_id,
    phase: 'ended',
    outcome: 'unknown',
    request_bytes: announced.request_bytes,
    baseline: '[]',
    started_at: announced.at,
    ended_at: at,
  })
  sql
    .prepare('UPDATE submissions SET attempts = max(attempts, ?) WHERE id = ?')
    .run(announced.number, submission.id)
}
