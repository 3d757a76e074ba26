import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { multipartBody } from '../../../../src-main/station/delivery/multipart-body.ts'
import { createPieceBuffers } from '../../../../src-main/station/delivery/piece-buffers.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

it('lends a buffer again only after a mebibyte more has gone', () => {
  const buffers = createPieceBuffers(1_024)
  const first = buffers.next()
  buffers.given(first, 1_024)
  buffers.given(Buffer.alloc(1), 1_024 * 1_024 - 1)
  expect(buffers.next()).not.toBe(first)
  buffers.given(Buffer.alloc(1), 1)
  expect(buffers.next()).toBe(first)
})

it('has no buffer twice while it is being filled', () => {
  const buffers = createPieceBuffers(1_024)
  const first = buffers.next()
  buffers.given(first, 1_024)
  buffers.given(Buffer.alloc(1), 2_000_000)
  expect(buffers.next()).toBe(first)
  expect(buffers.next()).not.toBe(first)
})

it('reaches a reader that takes long, byte for byte', async () => {
  const folder = temporaryFolder()
  const files = [9_000_000, 70_000, 200, 5_000_001].map((size, index) => {
    const bytes = randomBytes(size)
    const path = join(folder, String(index))
    writeFileSync(path, bytes)
    const common = { imageId: path, fileName: `${index}.jpg`, path, contentType: 'image/jpeg' as const }
    return { ...common, sizeBytes: size, sha256: sha256(bytes), bytes }
  })
  const came: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('data', (piece: Buffer) => {
      came.push(piece)
      socket.pause()
      // Half of the time the line is full, so that the writer has to keep what it was given.
      void sleep(came.length % 8 === 0 ? 5 : 0).then(() => socket.resume())
      if (piece.includes('the-end--')) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const body = multipartBody({ fields: [], files }, () => undefined)
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => client.destroy())
  async function* marked(): AsyncGenerator<Uint8Array> {
    yield* body.stream()
    yield Buffer.from('the-end--')
  }
  const { statusCode } = await client.request({
    method: 'POST',
    path: '/cases',
    headers: { 'content-length': String(body.contentLength + 9) },
    body: marked() as never,
  })
  expect(statusCode).toBe(200)
  const all = Buffer.concat(came)
  expect(files.map(({ bytes }) => all.includes(bytes))).toEqual([true, true, true, true])
})
