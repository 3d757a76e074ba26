import { describe, expect, it } from 'vitest'
import { BodyError } from '../../../../src-main/station/service/http.ts'
import { countBody, type CountedBody } from '../../../../src-main/station/service/post-case.ts'
import { makeBody } from './made-body.ts'

const MEBIBYTE = 1_024 * 1_024

function counted(making: Parameters<typeof makeBody>[0], onHandedOver: (bytes: number) => void = () => {}) {
  const body = makeBody(making)
  const events: string[] = []
  const pieces = countBody(body, {
    onAccepted: () => events.push('accepted'),
    onHandedOver: (bytes) => {
      onHandedOver(bytes)
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

  it.each([
    ['shorter', { sizeBytes: 100, announcedBytes: 101 }, 100],
    ['longer', { sizeBytes: 101, announcedBytes: 100 }, 0],
  ])('breaks on a body that is %s than announced', async (_name, making, handedOver) => {
    const { pieces, events, body } = counted(making)
    await expect(readAll(pieces)).rejects.toThrow(BodyError)
    expect(pieces.error()).toBeInstanceOf(BodyError)
    expect(pieces.handedOverBytes()).toBe(handedOver)
    expect(events).not.toContain('end')
    await pieces.close()
    expect(body.isClosed()).toBe(true)
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

  it('opens nothing where nothing is asked for', async () => {
    const { pieces, body } = counted({ sizeBytes: MEBIBYTE })
    await pieces.close()
    expect(await readAll(pieces)).toBe(0)
    expect(body.streamCount()).toBe(0)
  })
})
