/** The body of a post: its bytes are counted, and its rate is limited on a real line. */
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createThrottle } from '../../../../src-main/station/delivery/transfer.ts'
import { systemClock } from '../../../../src-main/station/ports.ts'
import { BodyError } from '../../../../src-main/station/service/http.ts'
import { countBody, type CountedBody } from '../../../../src-main/station/service/post-case.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { makeBody, openClient, PATIENT, post } from './client-with.ts'
import { ManualClock } from './manual-clock.ts'
import { listen } from './secure-servers.ts'

const MEBIBYTE = 1_024 * 1_024

function counted(making: Parameters<typeof makeBody>[0], onReleased: (bytes: number) => void = () => {}) {
  const body = makeBody(making)
  const events: string[] = []
  const pieces = countBody(body, {
    onAccepted: () => events.push('accepted'),
    onReleased: (bytes) => {
      onReleased(bytes)
      events.push(String(bytes))
    },
    onEnd: () => events.push('end'),
  })
  return { body, events, pieces }
}

async function readAll(body: CountedBody): Promise<number> {
  let sizeBytes = 0
  for await (const piece of body.pieces) sizeBytes += piece.byteLength
  return sizeBytes
}

describe('countBody', () => {
  it('counts each piece before it goes, and tells when all were taken', async () => {
    const { pieces, events } = counted({ sizeBytes: 300_000 })
    expect(await readAll(pieces)).toBe(300_000)
    expect(events).toEqual(['accepted', '262144', 'accepted', '300000', 'accepted', 'end'])
  })

  it('gives no piece away whose count could not be written down', async () => {
    const { pieces } = counted({ sizeBytes: MEBIBYTE }, () => {
      throw new Error('disk full')
    })
    await expect(readAll(pieces)).rejects.toThrow('disk full')
    expect(pieces.handedOverBytes()).toBe(262_144)
  })

  it('keeps what the writer broke with', async () => {
    const error = new Error('gone')
    const { pieces } = counted({ sizeBytes: 100, breaksAt: { bytes: 0, error } })
    await expect(readAll(pieces)).rejects.toThrow(BodyError)
    expect(pieces.error()?.cause).toBe(error)
  })

  it('gives nothing away after it was closed, and ends the writer', async () => {
    const { pieces, body } = counted({ sizeBytes: MEBIBYTE })
    const iterator = pieces.pieces[Symbol.asyncIterator]()
    await iterator.next()
    const pending = iterator.next()
    await pieces.close()
    expect((await pending).done).toBe(true)
    expect((await iterator.next()).done).toBe(true)
    expect([pieces.handedOverBytes(), body.isClosed()]).toEqual([262_144, true])
  })
})

/** A sink that notes when bytes came; its answers name an id. */
async function openSink(): Promise<{ origin: string; arrivals: { at: number; bytes: number }[] }> {
  const arrivals: { at: number; bytes: number }[] = []
  const server = createServer((request, response) => {
    if (request.url === '/authorize') return void response.end('{"token":"t1"}')
    request.on('data', (data: Buffer) => {
      arrivals.push({ at: performance.now(), bytes: data.byteLength })
    })
    request.on('end', () => response.end('{"id":7}'))
  })
  const { port } = await listen(server)
  return { origin: `http://127.0.0.1:${port}`, arrivals }
}

/** Bytes a second between two instants after the first byte. */
function rateOf(arrivals: readonly { at: number; bytes: number }[], fromMs: number, toMs: number): number {
  const start = arrivals[0]?.at ?? 0
  const inside = arrivals.filter(({ at }) => at - start >= fromMs && at - start < toMs)
  return inside.reduce((sum, { bytes }) => sum + bytes, 0) / ((toMs - fromMs) / 1_000)
}

it('keeps one rate for two transfers together, and takes a changed limit amid them', async () => {
  const { origin, arrivals } = await openSink()
  const clock = systemClock
  const client = openClient({ baseUrl: origin, clock })
  let limit: number | null = 1_000_000
  const throttle = createThrottle(clock, () => limit)
  const posts = [1_500_000, 1_500_000].map((sizeBytes) => post(client, makeBody({ sizeBytes }), { throttle }))
  await expect.poll(() => arrivals.length, PATIENT).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 2_250))
  // The first pieces of each go at once; what they are ahead by is paid off afterwards.
  const before = rateOf(arrivals, 500, 2_000)
  expect(before / 1_000_000).toBeGreaterThan(0.85)
  expect(before / 1_000_000).toBeLessThan(1.15)
  limit = null
  const changedAt = performance.now()
  for (const { evidence } of await Promise.all(posts)) expect(evidence.caseId).toBe('7')
  expect(performance.now() - changedAt).toBeLessThan(1_000)
}, 20_000)

it('is no stall, however long the rest is', async () => {
  const { origin } = await openSink()
  const clock = new ManualClock()
  const client = openClient({ baseUrl: origin, clock })
  let limit: number | null = 4_096
  const throttle = createThrottle(clock, () => limit)
  // Debt of other transfers: far more than five minutes of this rate.
  expect(throttle.delay()).toBeNull()
  throttle.consume(4_096 * 3_600)
  const posted = post(client, makeBody({ sizeBytes: 300_000 }), { throttle })
  await expect.poll(() => clock.hasTimer(250), PATIENT).toBe(true)
  for (let round = 0; round < 10; round += 1) {
    clock.advance(4 * MINUTE)
    // It rests again, and was not ended.
    await expect.poll(() => clock.hasTimer(250), PATIENT).toBe(true)
  }
  limit = null
  clock.advance(250)
  expect((await posted).evidence).toMatchObject({ caseId: '7', failure: null })
})
