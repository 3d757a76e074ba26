/** The near side of the thread that reads whole database files: hundreds of megabytes take seconds. */
import { Worker } from 'node:worker_threads'
import type { Logger } from '../ports.ts'
import type { CheckedDatabase } from './check-database.ts'
import { databasePathIn } from './open-outbox.ts'
import { StorageError } from './opening-trouble.ts'
import type { JobAnswer, OutboxFindings, OutboxJob } from './outbox-jobs.ts'

export type OutboxThread = {
  /** The program of the thread, `outbox-worker.ts` or what a bundler made of it. */
  readonly workerUrl: URL
  readonly logger: Logger
}

/** The thread ended without an answer: nothing is known of the file. */
class ThreadDied extends Error {
  override name = 'ThreadDied' as const
}

function troubleFrom({ message, remedy, code }: Extract<JobAnswer, { kind: 'trouble' }>): StorageError {
  const cause = Object.assign(new Error('in the thread'), { code })
  return new StorageError(message, remedy === null ? { cause } : { cause, remedy })
}

/** Does a job in a thread of its own. Rejects with a StorageError, a ThreadDied, or the reason of the signal. */
export async function askOutboxThread<Job extends OutboxJob>(
  workerUrl: URL,
  job: Job,
  signal?: AbortSignal,
): Promise<OutboxFindings[Job['kind']]> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<JobAnswer>()
  const worker = new Worker(workerUrl, { name: 'outbox', workerData: job })
  const onAbort = (): void => reject(signal?.reason as Error)
  signal?.addEventListener('abort', onAbort, { once: true })
  worker.once('message', resolve)
  worker.once('error', (error) => reject(new ThreadDied(error instanceof Error ? error.name : 'unknown')))
  worker.once('exit', () => reject(new ThreadDied('exit')))
  try {
    const answer = await promise
    if (answer.kind === 'trouble') throw troubleFrom(answer)
    return answer.found as OutboxFindings[Job['kind']]
  } finally {
    signal?.removeEventListener('abort', onAbort)
    // It has let go of the file before anybody else opens it in this process.
    await worker.terminate()
  }
}

/**
 * Checks the outbox of a data folder off the main thread, and brings it to this program's version; what it answers goes
 * to `openOutbox`. Null where there is none yet, or where the thread could not be run: then opening checks.
 *
 * Throws a StorageError, with a sentence, where the outbox cannot be used.
 */
export async function checkOutbox(
  dataFolder: string,
  { workerUrl, logger }: OutboxThread,
): Promise<CheckedDatabase | null> {
  try {
    return await askOutboxThread(workerUrl, { kind: 'check', path: databasePathIn(dataFolder) })
  } catch (error) {
    if (!(error instanceof ThreadDied)) throw error
    logger.error('the thread that checks the outbox stopped', { error: error.message })
    return null
  }
}
