import { appendAudit, type AuditDetails } from './audit-store.ts'
import type { WriteThrough } from './write-through.ts'

/**
 * Gives a submission to another center, because a person said so. Whether it may go there is decided before: what was
 * sent, or may have arrived, belongs to the center of its attempt.
 */
export function giveToCenter(
  store: WriteThrough,
  id: string,
  centerId: string,
  options: { readonly at: number; readonly by?: string | undefined; readonly details?: AuditDetails },
): void {
  store.write(() => {
    const from = store.sql
      .prepare<[string], { center_id: string | null }>('SELECT center_id FROM submissions WHERE id = ?')
      .get(id)?.center_id
    store.sql
      .prepare('UPDATE submissions SET center_id = ?, changed_at = ? WHERE id = ?')
      .run(centerId, options.at, id)
    appendAudit(store, {
      at: options.at,
      submissionId: id,
      what: 'movedToCenter',
      by: options.by ?? null,
      details: { from: from ?? null, to: centerId, ...options.details },
    })
    store.touch(id)
  })
}
