/** A post over real sockets, and every way in which it can break: what was handed over, and what is known of it. */
import { describe, expect, it } from 'vitest'
import type { PostOptions } from '../../../../src-main/station/service/client.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import {
  ANSWER_TIMEOUT,
  answering,
  clientOf,
  LARGE,
  makeBody,
  MEBIBYTE,
  PATIENT,
  post,
  SMALL,
} from './client-with.ts'
import { type Answer, type Incoming, type Loopback, openHttpServer, openTcpServer } from './loopback.ts'
import { ManualClock } from './manual-clock.ts'

const posts = (server: Loopback): number => server.asked.filter(({ path }) => path === '/cases').length

describe('a post that arrives', () => {
  it('carries the body byte for byte, with its exact length and the token, and reads the id', async () => {
    const { server, client } = await answering({ status: 201, json: { success: true, content: 55 } })
    const { evidence, body, released } = await post(client, makeBody({ sizeBytes: 3 * MEBIBYTE + 17 }))
    const size = body.contentLength
    expect(evidence).toMatchObject({ handedOverBytes: size, requestBytes: size, caseId: '55', failure: null })
    expect(evidence.answer).toMatchObject({
      status: 201,
      isComplete: true,
      body: Buffer.from('{"success":true,"content":55}'),
    })
    const asked = server.asked.at(-1)
    expect(asked?.body).toHaveLength(size)
    expect(asked?.headers).toMatchObject({
      'content-length': String(size),
      'content-type': 'multipart/form-data; boundary=made',
      accept: 'application/json',
      'user-agent': 'FundusCourier/1.2.3',
      authorization: 'Bearer t1',
      connection: 'close',
    })
    expect(asked?.headers['transfer-encoding']).toBeUndefined()
    expect(released).toEqual([...released].sort((a, b) => a - b))
    expect(released.at(-1)).toBe(size)
    expect([body.streamCount(), body.isClosed()]).toEqual([1, true])
  })

  it('takes a connection of its own each time', async () => {
    const { server, client } = await answering({ status: 201, json: { id: 55 } })
    await client.authorise({ isFresh: false })
    const before = server.connectionCount()
    for (let count = 0; count < 3; count++) await post(client, makeBody({ sizeBytes: SMALL }))
    expect(server.connectionCount() - before).toBe(3)
  })

  it('reports before it begins, with the token in hand and nothing on the way', async () => {
    const { server, client } = await answering({ status: 201, json: { id: 55 } })
    let seen: unknown = null
    await post(client, makeBody({ sizeBytes: SMALL }), {
      beforeFirstByte: async () => {
        seen = [client.tokenNumber(), server.connectionCount()]
      },
    })
    expect(seen).toEqual([1, 1])
  })

  it('leaves no timer behind', async () => {
    const server = await openHttpServer(({ path }) =>
      path === '/authorize' ? { json: { token: 't1' } } : { status: 201, json: { id: 1 } },
    )
    const clock = new ManualClock()
    await post(clientOf(server, clock), makeBody({ sizeBytes: SMALL }))
    expect(clock.timerCount).toBe(0)
  })
})

describe('a post that is answered with no id', () => {
  it.each<[string, Answer, string]>([
    ['success:false', { json: { success: false, content: 'age missing' } }, 'serviceRefused'],
    ['401', { status: 401, json: { error: 'token expired' } }, 'signedOut'],
    ['413', { status: 413, text: '<html><title>413 Too Large</title></html>' }, 'tooLarge'],
    ['502', { status: 502, text: '<html>Bad Gateway</html>' }, 'notAnswering'],
    ['422', { status: 422, json: { errors: { age: ['missing'] } } }, 'serviceRefused'],
    ['429', { status: 429, headers: { 'retry-after': '60' } }, 'throttled'],
    ['500', { status: 500 }, 'notAnswering'],
    ['404', { status: 404, text: '<html>Not Found</html>' }, 'wrongAddress'],
    ['a message', { status: 201, json: { message: 'created' } }, 'answerUnreadable'],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'wrongAddress'],
    ['an empty 200', {}, 'answerUnreadable'],
    ['a page', { text: '<!doctype html><title>Welcome</title>' }, 'answerUnreadable'],
  ])('reports %s and sends nothing again', async (_name, answer, kind) => {
    const { server, client } = await answering(answer)
    const { evidence, body } = await post(client, makeBody({ sizeBytes: SMALL }))
    expect(evidence).toMatchObject({
      handedOverBytes: SMALL,
      requestBytes: SMALL,
      caseId: null,
      failure: { kind, status: answer.status ?? 200, requestBytes: SMALL },
      answer: { status: answer.status ?? 200, isComplete: true },
    })
    expect(posts(server)).toBe(1)
    expect(client.tokenNumber()).toBe(1)
    expect(body.isClosed()).toBe(true)
  })

  it('keeps the bound of an endless answer', async () => {
    const { client } = await answering({ status: 201, text: Buffer.alloc(20 * MEBIBYTE, 0x20) })
    const { evidence } = await post(client, makeBody({ sizeBytes: SMALL }))
    expect(evidence).toMatchObject({
      handedOverBytes: SMALL,
      caseId: null,
      failure: { kind: 'answerUnreadable', status: 201 },
    })
    expect([evidence.answer?.isComplete, evidence.answer?.body.byteLength]).toEqual([false, 16 * MEBIBYTE])
  })
})

describe('a post that never leaves', () => {
  it('hands over nothing if no one is there', async () => {
    const server = await openHttpServer(() => ({ json: { token: 't1' } }))
    const client = clientOf(server)
    await client.authorise({ isFresh: false })
    await server.close()
    const { evidence, body } = await post(client, makeBody({ sizeBytes: SMALL }))
    expect(evidence).toMatchObject({
      handedOverBytes: 0,
      requestBytes: SMALL,
      answer: null,
      failure: { kind: 'notAnswering' },
    })
    expect(body.streamCount()).toBe(0)
  })

  it('hands over nothing without a token', async () => {
    const server = await openHttpServer(() => ({ status: 401, json: { error: 'invalid_client' } }))
    const { evidence } = await post(clientOf(server), makeBody({ sizeBytes: SMALL }))
    expect(evidence).toEqual({
      handedOverBytes: 0,
      requestBytes: SMALL,
      saysTokenEnded: false,
      answer: null,
      caseId: null,
      failure: expect.objectContaining({ kind: 'signedOut', serviceSaid: 'invalid_client' }),
    })
    expect(posts(server)).toBe(0)
  })

  it('throws on what the last step before the first byte throws, and sends nothing', async () => {
    const { server, client } = await answering({ json: { id: 1 } })
    const body = makeBody({ sizeBytes: SMALL })
    await expect(post(client, body, { beforeFirstByte: cannotWriteDown })).rejects.toThrow(
      'could not be written down',
    )
    expect([posts(server), body.streamCount(), server.connectionCount()]).toEqual([0, 0, 1])
  })

  it('hands over nothing when it was stopped before', async () => {
    const { server, client } = await answering({ json: { id: 1 } })
    await client.authorise({ isFresh: false })
    const { evidence } = await post(client, makeBody({ sizeBytes: SMALL }), { signal: AbortSignal.abort() })
    expect(evidence).toMatchObject({ handedOverBytes: 0, failure: { kind: 'interrupted' } })
    expect(posts(server)).toBe(0)
  })
})

describe('a body that is not what it was announced as', () => {
  const cannotRead = Object.assign(new Error('read failed'), { code: 'EIO' })
  it.each<[string, Parameters<typeof makeBody>[0], number]>([
    ['breaks', { sizeBytes: 8 * MEBIBYTE, breaksAt: { bytes: MEBIBYTE, error: cannotRead } }, MEBIBYTE],
    ['is too short', { sizeBytes: MEBIBYTE, announcedBytes: 2 * MEBIBYTE }, MEBIBYTE],
    ['is too long', { sizeBytes: 2 * MEBIBYTE, announcedBytes: MEBIBYTE + 1 }, MEBIBYTE],
    ['is too short by one', { sizeBytes: SMALL - 1, announcedBytes: SMALL }, SMALL - 1],
    ['breaks at once', { sizeBytes: SMALL, breaksAt: { bytes: 0, error: cannotRead } }, 0],
  ])('never becomes whole when it %s', async (_name, making, handedOverBytes) => {
    let whole = 0
    const server = await openTcpServer({ onWholeBody: () => whole++ })
    const { evidence, body } = await post(clientOf(server), makeBody(making))
    expect(evidence).toMatchObject({ handedOverBytes, answer: null, failure: { kind: 'imageDamaged' } })
    expect(evidence.handedOverBytes).toBeLessThan(evidence.requestBytes)
    expect([whole, body.isClosed()]).toEqual([0, true])
  })
})

describe('the token of a post', () => {
  it('is taken again if it might end on the way', async () => {
    const server = await openHttpServer(({ path }) =>
      path === '/authorize' ? { json: { token: 't', expires_in: 3600 } } : { status: 201, json: { id: 1 } },
    )
    const clock = new ManualClock()
    const client = clientOf(server, clock)
    await client.authorise({ isFresh: false })
    clock.advance(HOUR - 2 * MINUTE)
    await post(client, makeBody({ sizeBytes: SMALL }))
    expect(client.tokenNumber()).toBe(1)
    await post(client, makeBody({ sizeBytes: 16 * MEBIBYTE }))
    expect(client.tokenNumber()).toBe(2)
    clock.advance(SECOND)
    await post(client, makeBody({ sizeBytes: 16 * MEBIBYTE }))
    expect(client.tokenNumber()).toBe(2)
  })
})

/** A post to a server of bare connections; the clock stands still until the test turns it. */
async function posting(
  behaviour: Parameters<typeof openTcpServer>[0],
  sizeBytes: number,
  more?: Partial<PostOptions>,
) {
  const clock = new ManualClock()
  const client = clientOf(await openTcpServer(behaviour), clock)
  return { clock, client, posted: post(client, makeBody({ sizeBytes }), more) }
}

function cannotWriteDown(): never {
  throw new Error('the attempt could not be written down')
}

const say = (head: string, body = ''): string =>
  `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`

type Behaviour = Parameters<typeof openTcpServer>[0]
type Act = (socket: Incoming['socket']) => void
const amidBody = (act: Act): Behaviour => ({
  onData: (incoming) => void (incoming.bodyBytes() > MEBIBYTE && act(incoming.socket)),
})
const atHead = (act: Act): Behaviour => ({ onHead: ({ socket }) => act(socket) })

describe('a post that breaks on the way', () => {
  const INTERRUPTED = { answer: null, failure: { kind: 'interrupted' } }
  const failure = { kind: 'tooLarge', serviceSaid: 'too large' }
  const REFUSED = { answer: { status: 413, isComplete: true }, failure }
  const no = (head: string): string => say(head, 'too large')
  it.each<[string, Behaviour, object]>([
    ['is reset amid the body', amidBody((socket) => void socket.resetAndDestroy()), INTERRUPTED],
    ['is closed amid the body', amidBody((socket) => void socket.destroy()), INTERRUPTED],
    [
      'is reset as soon as it stands',
      { onConnect: (socket, number) => void (number > 1 && socket.resetAndDestroy()) },
      { answer: null, caseId: null },
    ],
    ['is refused early and closed', atHead((socket) => void socket.end(no('413 Too Large'))), REFUSED],
    [
      'is refused early and left open, unread',
      atHead((socket) => void socket.pause().write(no('413 Too Large'))),
      REFUSED,
    ],
    [
      'is refused early and read no further',
      atHead((socket) => void socket.write(no('413 Too Large\r\nconnection: close'))),
      REFUSED,
    ],
  ])('hands over less than all and gives its files back when it %s', async (_name, behaviour, expected) => {
    const { posted } = await posting(behaviour, LARGE)
    const { evidence, body } = await posted
    expect(evidence).toMatchObject({ requestBytes: LARGE, ...expected })
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
    if (behaviour.onData) expect(evidence.handedOverBytes).toBeGreaterThan(0)
    expect(body.isClosed()).toBe(body.streamCount() > 0)
  })

  const LOST = { answer: null, failure: { kind: 'notAnswering' } }
  const cut = (status: number, kind: string) => ({
    answer: { status, isComplete: false },
    failure: { kind, status },
  })
  it.each<[string, Act, object]>([
    ['closed', (socket) => void socket.end(), LOST],
    ['reset', (socket) => void socket.resetAndDestroy(), LOST],
    ['ended within the first line of an answer', (socket) => void socket.end('HTTP/1.1 20'), LOST],
    [
      'cut off amid a success',
      (socket) => void socket.end('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"id": 55}'),
      cut(201, 'notAnswering'),
    ],
    [
      'cut off amid a refusal',
      (socket) => void socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 100\r\n\r\n<html>'),
      cut(413, 'tooLarge'),
    ],
    [
      'answered with what is no answer',
      (socket) => void socket.end('hello\r\n\r\n'),
      { answer: null, failure: { kind: 'answerUnreadable' } },
    ],
  ])('has handed over all and has no id when it is %s after the last byte', async (_name, act, expected) => {
    const size = 3 * MEBIBYTE
    const { posted } = await posting({ onWholeBody: ({ socket }) => act(socket) }, size)
    const all = { handedOverBytes: size, requestBytes: size, caseId: null }
    expect((await posted).evidence).toMatchObject({ ...all, ...expected })
  })
})

describe('a post that takes too long', () => {
  it('waits for the answer as long as was agreed, from the last byte on', async () => {
    const size = 3 * MEBIBYTE
    const { clock, posted } = await posting({}, size)
    await expect.poll(() => clock.hasTimer(ANSWER_TIMEOUT), PATIENT).toBe(true)
    clock.advance(ANSWER_TIMEOUT)
    const { evidence, body } = await posted
    const failure = { kind: 'notAnswering' }
    expect(evidence).toMatchObject({ handedOverBytes: size, requestBytes: size, answer: null, failure })
    expect(body.isClosed()).toBe(true)
  })

  it('takes an answer that comes in the last moment', async () => {
    const answer: { send: (() => void) | null } = { send: null }
    const onWholeBody: Behaviour['onWholeBody'] = ({ socket }) =>
      (answer.send = () => void socket.end(say('201 Created', '{"id":55}')))
    const { clock, posted } = await posting({ onWholeBody }, SMALL)
    await expect.poll(() => clock.hasTimer(ANSWER_TIMEOUT) && answer.send !== null, PATIENT).toBe(true)
    clock.advance(ANSWER_TIMEOUT - 1)
    answer.send?.()
    expect((await posted).evidence).toMatchObject({ caseId: '55', failure: null })
  })

  it('ends when the other side takes nothing more for five minutes', async () => {
    let seen = -1
    const { clock, posted } = await posting(
      atHead((socket) => void socket.pause()),
      LARGE,
      {
        onReleased: (bytes) => (seen = bytes),
      },
    )
    let before = -2
    await expect
      .poll(() => [before, (before = seen)], { timeout: 10_000, interval: 200 })
      .toSatisfy(([a, b]) => a === b && a > 0)
    clock.advance(5 * MINUTE - 1)
    clock.advance(1)
    const { evidence, body } = await posted
    const failure = { kind: 'interrupted', message: expect.stringMatching(/stalled/) as string }
    expect(evidence).toMatchObject({ requestBytes: LARGE, answer: null, failure })
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
    expect(body.isClosed()).toBe(true)
  })

  it('ends an answer that drips', async () => {
    const head = 'HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{'
    const { clock, posted } = await posting({ onWholeBody: ({ socket }) => void socket.write(head) }, SMALL)
    await expect.poll(() => clock.hasTimer(2 * MINUTE), PATIENT).toBe(true)
    clock.advance(2 * MINUTE)
    const { evidence } = await posted
    expect(evidence).toMatchObject({
      handedOverBytes: SMALL,
      caseId: null,
      failure: { kind: 'notAnswering' },
    })
    expect(evidence.answer).toMatchObject({ status: 201, isComplete: false })
  })
})

describe('a post that is stopped', () => {
  it('ends amid the body and gives its files back', async () => {
    const wish = new AbortController()
    const { posted } = await posting(
      atHead((socket) => void socket.pause()),
      LARGE,
      {
        signal: wish.signal,
        onReleased: (bytes) => void (bytes > MEBIBYTE && wish.abort()),
      },
    )
    const { evidence, body } = await posted
    expect(evidence).toMatchObject({ requestBytes: LARGE, answer: null, failure: { kind: 'interrupted' } })
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
    expect(body.isClosed()).toBe(true)
  })

  it.each(['by a wish', 'with the client'])('has handed over all when it ends %s after that', async (how) => {
    const wish = new AbortController()
    let stop = (): void => wish.abort()
    const { client, posted } = await posting({ onWholeBody: () => stop() }, SMALL, { signal: wish.signal })
    if (how === 'with the client') stop = () => void client.close()
    const failure = { kind: 'interrupted' }
    expect((await posted).evidence).toMatchObject({ handedOverBytes: SMALL, requestBytes: SMALL, failure })
  })
})
