/** The entry of the worker thread that reads whole database files: one job, one answer, then it ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { doOutboxJob, type OutboxJob } from './open-outbox.ts'

if (parentPort === null) throw new Error('This runs in a worker thread only.')
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort.postMessage(doOutboxJob(workerData as OutboxJob))
