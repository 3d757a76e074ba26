/** The body of a post: its bytes are counted, and its rate is limited. */
import { describe, expect, it } from 'vitest'
import { createThrottle } from '../../../../src-main/station/delivery/transfer.ts'
import type { ServiceClient } from '../../../../src-main/station/service/client.ts'
import { countBody, type CountedBody } from '../../../../src-main/station/service/post-case.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { clientOf, makeBody, MEBIBYTE, PATIENT, post } from './client-with.ts'
import { openHttpServer } from './loopback.ts'
import { ManualClock } from './manual-clock.ts'

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
  it('counts each piece before it goes, and reports when all were taken', async () => {
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

/** A client of a service that takes a case, and the clock of both. */
async function openSink(): Promise<{ client: ServiceClient; clock: ManualClock }> {
  const clock = new ManualClock()
  const server = await openHttpServer(({ path }) => ({
    json: path === '/authorize' ? { token: 't1' } : { id: 7 },
  }))
  return { client: clientOf(server, clock), clock }
}

it('goes in pieces of the limit with a rest behind each, and at once when the limit is lifted amid it', async () => {
  const { client, clock } = await openSink()
  let limit: number | null = 400_000
  let released = 0
  const posted = post(client, makeBody({ sizeBytes: 500_000 }), {
    throttle: createThrottle(clock, () => limit),
    onReleased: (bytes) => (released = bytes),
  })
  for (const bytes of [100_000, 200_000]) {
    await expect.poll(() => [released, clock.hasTimer(250)], PATIENT).toEqual([bytes, true])
    if (bytes === 200_000) limit = null
    clock.advance(250)
  }
  expect((await posted).evidence).toMatchObject({ caseId: '7', handedOverBytes: 500_000 })
})

it('is no stall, however long the rest is', async () => {
  const { client, clock } = await openSink()
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
