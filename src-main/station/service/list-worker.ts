/** The entry of the thread that reads long lists of cases: it answers one question after the other. */
import { parentPort } from 'node:worker_threads'
import type { ServiceCase } from '../../../src-shared/case.ts'
import { type ListPart, type ListQuestion, readListAnswer } from './case-lists.ts'

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
  const reading = readListAnswer(question.answer, question.now)
  if (reading.kind === 'noList') return reading
  rest = reading.page.cases
  return { ...reading, page: { ...reading.page, cases: [] } }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
station.on('message', (question: ListQuestion) => station.postMessage(answerTo(question)))
