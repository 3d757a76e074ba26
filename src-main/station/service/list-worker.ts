/** The entry of the thread that reads long lists of cases: it answers one question after the other. */
import { parentPort } from 'node:worker_threads'
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { ListPart, ListQuestion } from './case-lists.ts'
import { shownPageIn } from './cases.ts'

if (parentPort === null) throw new Error('This runs in a worker thread only.')
const station = parentPort

/** Received in a millisecond. */
const PART_LENGTH = 250

let rest: readonly ServiceCase[] = []

function answerTo(question: ListQuestion): ListPart {
  if (question === 'more') {
    const part = rest.slice(0, PART_LENGTH)
    rest = rest.slice(PART_LENGTH)
    return part.map((one) => JSON.stringify(one))
  }
  const shown = shownPageIn(question)
  if (shown === null) return null
  rest = shown.page.cases
  return { ...shown, page: { ...shown.page, cases: [] } }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
station.on('message', (question: ListQuestion) => station.postMessage(answerTo(question)))
