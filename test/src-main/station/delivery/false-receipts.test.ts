/** What comes near to a receipt for a case, on a bare socket: nothing is called sent that is not. */
import { expect, it, onTestFinished } from 'vitest'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { addWaiting, openTestOutbox } from '../../../tools/outbox-with.ts'
import { openTcpServer } from '../service/loopback.ts'
import { openRealDelivery } from './real-delivery.ts'

type Framing = 'length' | 'short' | 'close' | 'chunked' | 'cutChunk'

function framed(status: number, text: string, framing: Framing): string {
  const isChunked = framing === 'chunked' || framing === 'cutChunk'
  const length = `content-length: ${text.length + (framing === 'short' ? 9 : 0)}\r\n`
  const headers = isChunked ? 'transfer-encoding: chunked\r\n' : framing === 'close' ? '' : length
  const chunk = `${text.length.toString(16)}\r\n${text}\r\n${framing === 'chunked' ? '0\r\n\r\n' : ''}`
  const body = isChunked ? chunk : text
  return `HTTP/1.1 ${status} Answer\r\n${headers}connection: close\r\n\r\n${body}`
}

/** The list shows the cases 1 and 2 before the post, and every case that is asked for is there. */
it.each<[answer: string, status: number, framing: Framing, state: SubmissionState]>([
  ['{"id":901}', 201, 'length', 'sent'],
  ['{"id":901}', 201, 'close', 'sent'],
  ['{"id":901}', 201, 'chunked', 'sent'],
  ['{"id":901}', 201, 'short', 'unconfirmed'],
  ['{"id":901}', 201, 'cutChunk', 'unconfirmed'],
  ['{"id":1}', 200, 'length', 'unconfirmed'],
  ['{"id":901}', 500, 'length', 'unconfirmed'],
  ['{"id":901}', 302, 'length', 'unconfirmed'],
  ['{"success":false,"id":901}', 200, 'length', 'refused'],
  ['<html><body>case 901</body></html>', 200, 'close', 'unconfirmed'],
  ['{"id":901', 200, 'chunked', 'unconfirmed'],
])('%s with status %d and framing "%s" leaves the case %s', async (text, status, framing, state) => {
  const server = await openTcpServer({
    onWholeBody: ({ socket, head }) => {
      const [, caseId] = /^GET \/cases\/(\d+)/.exec(head) ?? []
      const shown = caseId === undefined ? '[{"id":1},{"id":2}]' : `{"id":${caseId}}`
      socket.end(head.startsWith('POST') ? framed(status, text, framing) : framed(200, shown, 'length'))
    },
  })
  const test = openTestOutbox()
  const id = addWaiting(test)
  const { delivery } = openRealDelivery(test, {
    baseUrl: server.origin,
    clientId: 'clinic',
    clientSecret: 'secret',
  })
  onTestFinished(() => delivery.close())
  const outcome = () => test.outbox.attemptsOf(id).at(-1)?.outcome ?? null
  await expect.poll(outcome, { timeout: 10_000, interval: 10 }).not.toBeNull()
  expect(test.outbox.submissionOf(id)).toMatchObject({ state, caseId: state === 'sent' ? '901' : null })
})
