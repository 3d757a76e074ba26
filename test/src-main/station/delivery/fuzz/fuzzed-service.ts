/** A service on a bare socket that is sensible in all but one of its seven calls: that one gives a wild answer. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { fc } from '../../../../tools/property.ts'
import { anyBytes, answerLike } from '../../service/hostile-json.ts'

export const CALLS = ['authorize', 'newCase', 'cases', 'case', 'report', 'centers', 'center'] as const
export type FuzzedCall = (typeof CALLS)[number]

/** How the body is framed: `short` promises more than comes, `raw` is no HTTP at all, `early` comes before the body. */
export type WildAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  readonly framing: 'length' | 'close' | 'chunked' | 'short' | 'raw' | 'early' | 'nothing'
}

const STATUSES = (
  '200 200 200 201 201 202 204 207 301 302 303 307 400 401 403 404 405 407 408 ' +
  '409 413 422 425 429 451 500 501 502 503 504 511 520 599'
)
  .split(' ')
  .map(Number)
const NAMES = 'location retry-after content-type date link www-authenticate x-any age'.split(' ')
const VALUES = (
  '7|/cases/901|text/html|application/json|application/pdf|Sat, 01 Jan 2028 00:00:00 GMT|0|99999999|' +
  '<x>; rel="next"'
).split('|')
const BODIES = (
  '<html><body>Please sign in</body></html>||null|[]|{}|{"success":true}|{"id":901}|{"success":false,"id":902}|' +
  '{"id":1}|[{"id":903}]|"904"|905'
).split('|')
const header: fc.Arbitrary<readonly [string, string]> = fc.tuple(
  fc.constantFrom(...NAMES),
  fc.oneof(
    fc.constantFrom(...VALUES),
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '')),
  ),
)
const body: fc.Arbitrary<Uint8Array> = fc.oneof(
  answerLike.map((value) => Buffer.from(JSON.stringify(value) ?? '')),
  anyBytes,
  fc.constantFrom(...BODIES).map((text) => Buffer.from(text)),
)

export const wildAnswer: fc.Arbitrary<WildAnswer> = fc.record({
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...STATUSES) },
    fc.integer({ min: 200, max: 999 }),
  ),
  headers: fc.array(header, { maxLength: 3 }),
  body,
  framing: fc.oneof(
    { weight: 3, arbitrary: fc.constant('length' as const) },
    { weight: 6, arbitrary: fc.constantFrom('close', 'chunked', 'short', 'raw', 'early', 'nothing') },
  ),
})

function framed({ status, headers, body, framing }: WildAnswer): Buffer {
  if (framing === 'raw') return Buffer.from(body)
  if (framing === 'nothing') return Buffer.alloc(0)
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const length =
    framing === 'close'
      ? ''
      : framing === 'chunked'
        ? 'transfer-encoding: chunked\r\n'
        : `content-length: ${body.length + (framing === 'short' ? 9 : 0)}\r\n`
  const head = Buffer.from(
    `HTTP/1.1 ${status} Answer\r\n${lines}${length}connection: close\r\n\r\n`,
    'latin1',
  )
  if (framing !== 'chunked') return Buffer.concat([head, body])
  const size = Buffer.from(`${body.length.toString(16)}\r\n`)
  const end = Buffer.from('\r\n0\r\n\r\n')
  return Buffer.concat(body.length === 0 ? [head, Buffer.from('0\r\n\r\n')] : [head, size, body, end])
}

function callOf(method: string, path: string): FuzzedCall {
  if (path === '/authorize') return 'authorize'
  if (path === '/cases') return method === 'POST' ? 'newCase' : 'cases'
  if (path.startsWith('/cases/report/')) return 'report'
  if (path.startsWith('/cases/')) return 'case'
  return path === '/centers' ? 'centers' : 'center'
}

/** Opens it on 127.0.0.1; the list always shows the cases 1 and 2. */
export async function openFuzzedService() {
  let wild: { call: FuzzedCall; answer: WildAnswer } | null = null
  let caseId = '100'
  let whole = 0
  const sockets = new Set<Socket>()
  const sensible = (call: FuzzedCall): string => {
    switch (call) {
      case 'authorize':
        return '{"access_token":"t","expires_in":3600}'
      case 'newCase':
        return `{"id":${caseId}}`
      case 'cases':
        return '[{"id":1},{"id":2}]'
      case 'case':
        return `{"id":${caseId}}`
      case 'report':
        return '{"success":false}'
      case 'centers':
        return '[{"id":"101","name":"North"}]'
      case 'center':
        return '{"success":true}'
    }
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let received = Buffer.alloc(0)
    let isAnswered = false
    const answer = (bytes: Uint8Array): void => {
      isAnswered = true
      socket.end(bytes)
    }
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data])
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = received.subarray(0, end).toString('latin1')
      const [, method = '', path = ''] = /^(\S+) ([^ ?]+)/.exec(head) ?? []
      const call = callOf(method, path)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      const isWhole = received.length - end - 4 >= length
      const isWild = wild?.call === call
      if (isAnswered) return
      if (isWild && wild?.answer.framing === 'early') return answer(framed(wild.answer))
      if (!isWhole) return
      if (call === 'newCase') whole += 1
      if (isWild && wild) return answer(framed(wild.answer))
      const text = sensible(call)
      answer(
        Buffer.from(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
        ),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What the next requests get; counts begin again. */
    prepare: (call: FuzzedCall, answer: WildAnswer, id: string): void => {
      wild = { call, answer }
      caseId = id
      whole = 0
    },
    /** Bodies of cases that came whole since. */
    wholeBodies: (): number => whole,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
