import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as catalogue from './fault-catalogue.ts'
import type { Fault } from './faults.ts'
import type { JournalEntry } from './journal.ts'
import { formOf, IMAGE, openCalls, postCase, type Call } from './practice-client.ts'
import { openPracticeService, type PracticeService } from './practice-service.ts'

/** Larger than what the kernels of both sides take without anybody reading. */
const LARGE = { ...IMAGE, bytes: Buffer.alloc(16_000_000, 7) }

let service: PracticeService
let call: Call

beforeEach(async () => {
  service = await openPracticeService({ answerDelayMs: 0 })
  call = await openCalls(service)
})
afterEach(() => service.close())

/** The journal's line of the next case, once its request has ended. */
function nextEnded(): Promise<JournalEntry> {
  return new Promise((resolve) => {
    const stop = service.journal.onEnded((entry) => {
      stop()
      resolve(entry)
    })
  })
}

async function statusOf(answer: Promise<Response>): Promise<number | 'no answer'> {
  try {
    const { status, body } = await answer
    await body?.cancel()
    return status
  } catch {
    return 'no answer'
  }
}

describe('the faults', () => {
  it.each<[string, Fault, { seen: number | 'no answer'; whole: boolean; stored: number }]>([
    ['a reset before the body', catalogue.resetBeforeBody(), { seen: 'no answer', whole: false, stored: 0 }],
    [
      'a reset amid the body',
      catalogue.resetAmidBody(1_000_000),
      { seen: 'no answer', whole: false, stored: 0 },
    ],
    ['a reset after the body', catalogue.resetAfterBody(), { seen: 'no answer', whole: true, stored: 0 }],
    ['a swallowed answer', catalogue.swallowAnswer(), { seen: 'no answer', whole: true, stored: 1 }],
    ['a success without an id', catalogue.succeedWithoutId(), { seen: 200, whole: true, stored: 1 }],
    ['an empty success', catalogue.succeedWithoutId(204), { seen: 204, whole: true, stored: 1 }],
    ['a failure in an envelope', catalogue.failInEnvelope('No.'), { seen: 200, whole: true, stored: 0 }],
    ['a 502 of a proxy', catalogue.answerStatus(502, 'html'), { seen: 502, whole: true, stored: 0 }],
    [
      'a 500 although stored',
      catalogue.answerStatus(500, 'garbage', 'done'),
      { seen: 500, whole: true, stored: 1 },
    ],
    ['expired tokens', catalogue.expireTokens(), { seen: 401, whole: true, stored: 0 }],
    ['a slow answer', catalogue.slowDown(30), { seen: 201, whole: true, stored: 1 }],
    ['a slow body', catalogue.slowDown(30, 'body', 1_000_000), { seen: 201, whole: true, stored: 1 }],
  ])('%s', async (_name, fault, expected) => {
    service.faults.add('POST /cases', fault)
    const ended = nextEnded()
    const seen = await statusOf(postCase(call, { images: [LARGE] }))
    const entry = await ended
    expect({ seen, whole: entry.isBodyComplete, stored: service.cases().length }).toEqual(expected)
    expect(entry.fault).toBe(fault.name)
    expect(entry.caseId !== null).toBe(expected.stored === 1)
    expect(await statusOf(postCase(call)), 'the next one is served').toBe(seen === 401 ? 401 : 201)
  })

  it.each([
    ['before the body', catalogue.askToWait(503, 7)],
    ['amid the body', catalogue.refuseAsTooLarge(1_000_000)],
  ])('an answer %s can be read by a client that is still sending', async (_when, fault) => {
    service.faults.add('POST /cases', fault)
    const head = [
      'POST /cases HTTP/1.1',
      'Host: x',
      `Content-Length: ${String(LARGE.bytes.length)}`,
      'Content-Type: multipart/form-data; boundary=x',
      '\r\n',
    ].join('\r\n')
    const ended = nextEnded()
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
    socket.write(head)
    socket.write(LARGE.bytes)
    let answer = ''
    for await (const chunk of socket.setEncoding('latin1')) answer += String(chunk)
    expect(answer).toMatch(/^HTTP\/1\.1 (503 Service Unavailable\r\n.*retry-after: 7|413 )/s)
    expect(await ended).toMatchObject({ isBodyComplete: true, caseId: null })
  })

  it('cuts an answer within its body', async () => {
    service.faults.add('POST /cases', catalogue.cutAnswer())
    const answer = await postCase(call)
    expect(answer.status).toBe(201)
    await expect(answer.text()).rejects.toThrow('terminated')
    expect(service.cases()).toHaveLength(1)
  })

  it.each(['head', 'read', 'done'] as const)('hangs at %s until the client gives up', async (moment) => {
    service.faults.add('POST /cases', catalogue.hang(moment))
    const giveUp = new AbortController()
    const ended = nextEnded()
    const answer = call('/cases', { method: 'POST', body: formOf({}), signal: giveUp.signal })
    await expect.poll(() => service.journal.of('POST /cases')[0]?.fault).toBe(`hangs at ${moment}`)
    giveUp.abort()
    await expect(answer).rejects.toThrow('aborted')
    expect(await ended).toMatchObject({ outcome: { kind: 'broken', status: null } })
    expect(service.cases()).toHaveLength(moment === 'done' ? 1 : 0)
  })

  it.each(['read', 'done'] as const)('holds back at %s until it is let go', async (moment) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    service.faults.add('POST /cases', catalogue.holdBack(released, moment))
    const answer = statusOf(postCase(call))
    await expect.poll(() => service.journal.of('POST /cases')[0]?.fault).toBe(`held at ${moment}`)
    expect(await Promise.race([answer, pause(50, 'held')])).toBe('held')
    expect(service.cases()).toHaveLength(moment === 'done' ? 1 : 0)
    release()
    expect(await answer).toBe(201)
    expect(service.cases()).toHaveLength(1)
  })

  it('strikes its endpoint only, so many times, after letting some pass', async () => {
    service.faults.add('GET /centers', catalogue.answerStatus(500, 'json'), { times: 2, skip: 1 })
    const statuses = []
    for (let turn = 0; turn < 5; turn += 1) statuses.push(await statusOf(call('/centers')))
    expect(await statusOf(call('/cases'))).toBe(200)
    expect(statuses).toEqual([200, 500, 500, 200, 200])
  })

  it('stands until it is taken back', async () => {
    const takeBack = service.faults.add('any', catalogue.redirectTo('/login', 302, 'head'), {
      times: 'always',
    })
    const manual = { redirect: 'manual' } as const
    expect(await statusOf(call('/cases', manual))).toBe(302)
    expect(await statusOf(call('/centers', manual))).toBe(302)
    takeBack()
    expect(await statusOf(call('/cases', manual))).toBe(200)
  })

  it('refuses connections while the service is away, and knows its cases when it comes back', async () => {
    await postCase(call)
    await service.goAway()
    // The first call may still find the old connection, only to see it end.
    await expect(call('/cases')).rejects.toThrow('fetch failed')
    await expect(call('/cases')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await service.comeBack()
    expect(await (await call('/cases')).json()).toMatchObject({ content: [{ id: 4001 }] })
  })

  it('comes back on its port, also where another has had it meanwhile', async () => {
    const port = Number(new URL(service.baseUrl).port)
    await service.goAway()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const isBack = service.comeBack()
    await pause(50)
    other.close()
    await isBack
    expect(await statusOf(call('/cases'))).toBe(200)
  })

  it('tells of a client that went away amid its body', async () => {
    const ended = nextEnded()
    const token = 'POST /cases HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n'
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
    socket.write(`${token}Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n`, () =>
      socket.destroy(),
    )
    expect(await ended).toMatchObject({ isBodyComplete: false, bodyBytes: 5, caseId: null })
    expect(service.cases()).toEqual([])
  })
})
