import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readBoundedBody } from '../../../../src-main/station/service/http.ts'
import { makeBody, openService, post } from './client-with.ts'

const JSON_TEXT = Buffer.from(
  JSON.stringify({ success: true, content: [{ id: 71, history_number: 'D-0071' }] }),
)
const fast = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 },
  })

const ENCODED: readonly (readonly [name: string, label: string | null, body: Buffer])[] = [
  ['gzip', 'gzip', gzipSync(JSON_TEXT)],
  ['gzip by its old name', 'x-gzip', gzipSync(JSON_TEXT)],
  ['gzip, stored', 'gzip', gzipSync(JSON_TEXT, { level: 0 })],
  [
    'gzip in two members',
    'gzip',
    Buffer.concat([gzipSync(JSON_TEXT.subarray(0, 20)), gzipSync(JSON_TEXT.subarray(20))]),
  ],
  ['gzip with padding behind it', 'gzip', Buffer.concat([gzipSync(JSON_TEXT), Buffer.alloc(8)])],
  ['deflate with its header', 'deflate', deflateSync(JSON_TEXT)],
  ['deflate without its header', 'deflate', deflateRawSync(JSON_TEXT)],
  ['brotli', 'br', brotliCompressSync(JSON_TEXT)],
  ['brotli, fast, small window', 'br', fast(JSON_TEXT)],
  ['zstd', 'zstd', zstdCompressSync(JSON_TEXT)],
  ['gzip within brotli', 'gzip, br', brotliCompressSync(gzipSync(JSON_TEXT))],
  ['gzip twice, stated once', 'gzip', gzipSync(gzipSync(JSON_TEXT))],
  [
    'zstd within deflate within gzip',
    'zstd, deflate, gzip',
    gzipSync(deflateSync(zstdCompressSync(JSON_TEXT))),
  ],
  ['gzip that nothing states', null, gzipSync(JSON_TEXT)],
  ['brotli called gzip', 'gzip', brotliCompressSync(JSON_TEXT)],
  ['zstd called identity', 'identity', zstdCompressSync(JSON_TEXT)],
  ['plain JSON called gzip', 'gzip', JSON_TEXT],
  ['plain JSON called br', 'br', JSON_TEXT],
]

describe('an answer in an encoding no one asked for', () => {
  it.each(ENCODED)('is read: %s', async (_name, label, text) => {
    const headers = {
      'content-type': 'application/json',
      ...(label !== null && { 'content-encoding': label }),
    }
    const token = Buffer.from('{"access_token":"t1"}')
    const service = await openService(
      () => ({ text, headers }),
      () => ({ text: text === JSON_TEXT ? token : gzipSync(token), headers }),
    )
    const listed = await service.client.listCases()
    expect(listed).toMatchObject({ ok: true, value: { cases: [{ caseId: '71', historyNumber: 'D-0071' }] } })
    expect(service.server.asked.map((asked) => asked.headers['accept-encoding'])).toEqual([
      'identity',
      'identity',
    ])
  })

  it('to a case names its id', async () => {
    const text = gzipSync('{"success":true,"content":72}')
    const { client } = await openService(() => ({
      status: 201,
      text,
      headers: { 'content-encoding': 'gzip' },
    }))
    expect((await post(client, makeBody({ sizeBytes: 10 }))).evidence).toMatchObject({ caseId: '72' })
  })

  it('that breaks off within its encoding names no case', async () => {
    const whole = gzipSync('{"success":true,"content":73}')
    const { client } = await openService(() => ({ status: 201, text: whole.subarray(0, -6) }))
    const { evidence } = await post(client, makeBody({ sizeBytes: 10 }))
    expect(evidence).toMatchObject({ caseId: null, failure: { kind: 'answerUnreadable' } })
  })
})

/** Far more zeros than the limit of the tests. */
const ZEROS = Buffer.alloc(8 * 1_024 * 1_024)
const LIMIT = 100_000

describe('the limit of an answer holds for what it says', () => {
  it.each([
    ['gzip', gzipSync(ZEROS)],
    ['deflate', deflateSync(ZEROS)],
    ['deflate without its header', deflateRawSync(ZEROS)],
    ['brotli', brotliCompressSync(ZEROS)],
    ['zstd', zstdCompressSync(ZEROS)],
    ['gzip within gzip', gzipSync(gzipSync(ZEROS))],
  ])('a small body of %s that grows is given up', async (_name, body) => {
    expect(body.byteLength).toBeLessThan(LIMIT)
    const read = await readBoundedBody(oneAfterAnother(body), LIMIT)
    expect(read).toMatchObject({ isComplete: false, error: null })
    expect(read.bytes.byteLength).toBeLessThanOrEqual(LIMIT)
  })

  it('what just fits once decoded is read', async () => {
    const text = Buffer.alloc(LIMIT, 'a')
    expect(await readBoundedBody(oneAfterAnother(gzipSync(text)), LIMIT)).toMatchObject({
      isComplete: true,
      bytes: text,
    })
  })

  it('bytes of no encoding stay as they are', async () => {
    for (const body of [
      Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3', 'latin1'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      // Each is an empty brotli stream, too, and the id of a case.
      ...['3', '5', '7', '9'].map((id) => Buffer.from(id)),
    ]) {
      expect(await readBoundedBody(oneAfterAnother(body), LIMIT)).toMatchObject({
        isComplete: true,
        bytes: body,
      })
    }
  })
})

async function* oneAfterAnother(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.byteLength; at += 1_000) yield body.subarray(at, at + 1_000)
}
