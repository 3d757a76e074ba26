import type { CenterCount } from '../../../src-shared/case.ts'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'
import type { WriteThrough } from './write-through.ts'

const OVER = ['sent', 'discarded']
const OPEN = JSON.stringify(SUBMISSION_STATES.filter((state) => !OVER.includes(state)))

/** How many submissions that are not over were made for which center, the most first. */
export function countByCenter(store: WriteThrough): CenterCount[] {
  return store.sql
    .prepare<[string], CenterCount>(
      `SELECT center_id AS centerId, count(*) AS count FROM submissions
       WHERE state IN (SELECT value FROM json_each (?)) GROUP BY center_id ORDER BY count DESC, center_id`,
    )
    .all(OPEN)
}
