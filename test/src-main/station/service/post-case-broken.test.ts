/** Every way in which a post can break, against real sockets: what was handed over, and what is known of it. */
import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { openTcpServer, type Incoming } from './loopback.ts'
import { PATIENT } from './patience.ts'
import { makeBody } from './made-body.ts'
import { ManualClock } from './manual-clock.ts'
import { ANSWER_TIMEOUT, clientOf, LARGE, MEBIBYTE, post, SMALL } from './posted.ts'

const say = (head: string, body = ''): string =>
  `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`

describe('a post that breaks on the way', () => {
  it.each<[string, (incoming: Incoming) => void]>([
    ['is reset', ({ socket }) => void socket.resetAndDestroy()],
    ['is closed', ({ socket }) => void socket.destroy()],
  ])('hands over less than all when it %s amid the body', async (_name, stop) => {
    const server = await openTcpServer({
      onData: (incoming) => void (incoming.bodyBytes() > MEBIBYTE && stop(incoming)),
    })
    const { evidence, body } = await post(clientOf(server), makeBody({ sizeBytes: LARGE }))
    expect(evidence).toMatchObject({ requestBytes: LARGE, answer: null, failure: { kind: 'interrupted' } })
    expect(evidence.handedOverBytes).toBeGreaterThan(0)
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
    expect(body.isClosed()).toBe(true)
  })

  it('hands over less than all when it is reset as soon as it stands', async () => {
    const server = await openTcpServer({
      onConnect: (socket, number) => void (number > 1 && socket.resetAndDestroy()),
    })
    const { evidence } = await post(clientOf(server), makeBody({ sizeBytes: LARGE }))
    expect(evidence).toMatchObject({ requestBytes: LARGE, answer: null, caseId: null })
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
  })

  it.each<[string, (incoming: Incoming) => void]>([
    ['closed', ({ socket }) => void socket.end()],
    ['reset', ({ socket }) => void socket.resetAndDestroy()],
    ['ended within the first line of an answer', ({ socket }) => void socket.end('HTTP/1.1 20')],
  ])('has handed over all when it is %s after the last byte', async (_name, stop) => {
    const server = await openTcpServer({ onWholeBody: stop })
    const { evidence } = await post(clientOf(server), makeBody({ sizeBytes: 3 * MEBIBYTE }))
    expect(evidence).toMatchObject({
      handedOverBytes: 3 * MEBIBYTE,
      requestBytes: 3 * MEBIBYTE,
      answer: null,
      caseId: null,
    })
    expect(evidence.failure?.kind).toBe('notAnswering')
  })

  it.each<[string, string, number]>([
    ['a success', '201 Created\r\ncontent-length: 100\r\n\r\n{"id": 55}', 201],
    ['a refusal', '413 Too Large\r\ncontent-length: 100\r\n\r\n<html>', 413],
  ])('keeps what came of %s that was cut off, and reads no id of it', async (_name, text, status) => {
    const server = await openTcpServer({ onWholeBody: ({ socket }) => void socket.end(`HTTP/1.1 ${text}`) })
    const { evidence } = await post(clientOf(server), makeBody({ sizeBytes: SMALL }))
    expect(evidence).toMatchObject({
      handedOverBytes: SMALL,
      caseId: null,
      answer: { status, isComplete: false },
    })
    expect(evidence.failure).toMatchObject({ kind: status === 413 ? 'tooLarge' : 'notAnswering', status })
  })

  it('knows nothing of an answer that is none', async () => {
    const server = await openTcpServer({ onWholeBody: ({ socket }) => void socket.end('hello\r\n\r\n') })
    const { evidence } = await post(clientOf(server), makeBody({ sizeBytes: SMALL }))
    expect(evidence).toMatchObject({
      handedOverBytes: SMALL,
      answer: null,
      failure: { kind: 'answerUnreadable' },
    })
  })
})

describe('a post that is answered early', () => {
  it.each<[string, (socket: Incoming['socket']) => void]>([
    ['and closed', (socket) => void socket.end(say('413 Too Large', 'too large'))],
    ['and left open, unread', (socket) => void socket.pause().write(say('413 Too Large', 'too large'))],
    [
      'and read no further',
      (socket) => void socket.write(say('413 Too Large\r\nconnection: close', 'too large')),
    ],
  ])('stops and gives its files back when it is refused %s', async (_name, answer) => {
    const server = await openTcpServer({ onHead: ({ socket }) => answer(socket) })
    const { evidence, body } = await post(clientOf(server), makeBody({ sizeBytes: LARGE }))
    expect(evidence).toMatchObject({
      requestBytes: LARGE,
      answer: { status: 413, isComplete: true },
      failure: { kind: 'tooLarge', serviceSaid: 'too large' },
    })
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
    expect(body.isClosed()).toBe(true)
  })
})

describe('a post that takes too long', () => {
  it('waits for the answer as long as it was told, from the last byte on', async () => {
    const server = await openTcpServer({})
    const clock = new ManualClock()
    const posted = post(clientOf(server, clock), makeBody({ sizeBytes: 3 * MEBIBYTE }))
    await expect.poll(() => clock.hasTimer(ANSWER_TIMEOUT), PATIENT).toBe(true)
    clock.advance(ANSWER_TIMEOUT)
    const { evidence, body } = await posted
    expect(evidence).toMatchObject({
      handedOverBytes: 3 * MEBIBYTE,
      requestBytes: 3 * MEBIBYTE,
      answer: null,
      failure: { kind: 'notAnswering' },
    })
    expect(body.isClosed()).toBe(true)
  })

  it('takes an answer that comes in the last moment', async () => {
    const answer: { send: (() => void) | null } = { send: null }
    const server = await openTcpServer({
      onWholeBody: ({ socket }) => (answer.send = () => void socket.end(say('201 Created', '{"id":55}'))),
    })
    const clock = new ManualClock()
    const posted = post(clientOf(server, clock), makeBody({ sizeBytes: SMALL }))
    await expect.poll(() => clock.hasTimer(ANSWER_TIMEOUT) && answer.send !== null, PATIENT).toBe(true)
    clock.advance(ANSWER_TIMEOUT - 1)
    answer.send?.()
    expect((await posted).evidence).toMatchObject({ caseId: '55', failure: null })
  })

  it('ends when the other side takes nothing more for five minutes', async () => {
    const server = await openTcpServer({ onHead: ({ socket }) => void socket.pause() })
    const clock = new ManualClock()
    const seen = { bytes: -1 }
    const posted = post(clientOf(server, clock), makeBody({ sizeBytes: LARGE }), {
      onHandedOver: (bytes) => (seen.bytes = bytes),
    })
    let before = -2
    await expect
      .poll(() => [before, (before = seen.bytes)], { timeout: 10_000, interval: 200 })
      .toSatisfy(([a, b]) => a === b && a > 0)
    clock.advance(5 * MINUTE - 1)
    clock.advance(1)
    const { evidence, body } = await posted
    expect(evidence).toMatchObject({
      requestBytes: LARGE,
      answer: null,
      failure: { kind: 'interrupted', message: expect.stringMatching(/took nothing more/) },
    })
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
    expect(body.isClosed()).toBe(true)
  })

  it('ends an answer that drips', async () => {
    const server = await openTcpServer({
      onWholeBody: ({ socket }) => void socket.write('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{'),
    })
    const clock = new ManualClock()
    const posted = post(clientOf(server, clock), makeBody({ sizeBytes: SMALL }))
    await expect.poll(() => clock.hasTimer(2 * MINUTE), PATIENT).toBe(true)
    clock.advance(2 * MINUTE)
    expect((await posted).evidence).toMatchObject({
      handedOverBytes: SMALL,
      caseId: null,
      answer: { status: 201, isComplete: false },
      failure: { kind: 'notAnswering' },
    })
  })
})

describe('a post that is stopped', () => {
  it('ends amid the body and gives its files back', async () => {
    const server = await openTcpServer({ onHead: ({ socket }) => void socket.pause() })
    const wish = new AbortController()
    const posted = post(clientOf(server), makeBody({ sizeBytes: LARGE }), {
      signal: wish.signal,
      onHandedOver: (bytes) => void (bytes > MEBIBYTE && wish.abort()),
    })
    const { evidence, body } = await posted
    expect(evidence).toMatchObject({ requestBytes: LARGE, answer: null, failure: { kind: 'interrupted' } })
    expect(evidence.handedOverBytes).toBeLessThan(LARGE)
    expect(body.isClosed()).toBe(true)
  })

  it('has handed over all when it is stopped while waiting for the answer', async () => {
    const wish = new AbortController()
    const server = await openTcpServer({ onWholeBody: () => wish.abort() })
    const { evidence } = await post(clientOf(server), makeBody({ sizeBytes: SMALL }), { signal: wish.signal })
    expect(evidence).toMatchObject({
      handedOverBytes: SMALL,
      requestBytes: SMALL,
      failure: { kind: 'interrupted' },
    })
  })

  it('ends with the client', async () => {
    const closing: { close: () => void } = { close: () => {} }
    const server = await openTcpServer({ onWholeBody: () => closing.close() })
    const client = clientOf(server)
    closing.close = () => void client.close()
    const { evidence } = await post(client, makeBody({ sizeBytes: SMALL }))
    expect(evidence).toMatchObject({ handedOverBytes: SMALL, failure: { kind: 'interrupted' } })
  })
})
