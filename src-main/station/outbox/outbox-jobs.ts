/** What is done to database files in a thread of its own, because it reads all of them. */
import { checkDatabase, type CheckedDatabase } from './check-database.ts'
import type { RowFindings } from './check-rows.ts'
import { finishCopy } from './finish-copy.ts'
import { codeOf, openingError, StorageError } from './opening-trouble.ts'

export type OutboxJob =
  | { readonly kind: 'check'; readonly path: string }
  /** `at` is when the copy was taken, ISO 8601. */
  | { readonly kind: 'finishCopy'; readonly path: string; readonly at: string }

/** What each job finds. */
export type OutboxFindings = {
  readonly check: CheckedDatabase | null
  readonly finishCopy: RowFindings
}

/** A trouble crosses between threads as what it says; an Error would lose what it is. */
export type JobAnswer =
  | { readonly kind: 'done'; readonly found: OutboxFindings[OutboxJob['kind']] }
  | {
      readonly kind: 'trouble'
      readonly message: string
      readonly remedy: StorageError['remedy']
      readonly code: string
    }

function found(job: OutboxJob): OutboxFindings[OutboxJob['kind']] {
  switch (job.kind) {
    case 'check':
      return checkDatabase(job.path)
    case 'finishCopy':
      return finishCopy(job.path, job.at)
  }
}

/** Does a job; throws defects only, of which the thread dies. Blocks. */
export function doOutboxJob(job: OutboxJob): JobAnswer {
  try {
    return { kind: 'done', found: found(job) }
  } catch (error) {
    const trouble = openingError(error)
    if (!(trouble instanceof StorageError)) throw trouble
    const { message, remedy, cause } = trouble
    return { kind: 'trouble', message, remedy, code: codeOf(cause) }
  }
}
