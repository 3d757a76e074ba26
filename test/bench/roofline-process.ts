/**
 * A program of its own: the least that a delivery in Node costs. Reads the files of cases, hashes them and sends them by undici.
 *
 * Its argument is a `Roofline` as JSON; prints a `Sent`.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Pool } from 'undici'
import type { WaitingCase } from './waiting-cases.ts'

export type Roofline = {
  readonly url: string
  readonly spoolFolder: string
  readonly cases: readonly WaitingCase[]
  /** So many cases at once, each with its connection. */
  readonly concurrency: number
}

export type Sent = { readonly seconds: number; readonly cpuSeconds: number }

const { url, spoolFolder, cases, concurrency } = JSON.parse(process.argv[2] ?? '') as Roofline
const BOUNDARY = 'fundus-courier-bench-roofline'
const CHUNK_BYTES = 256 * 1_024

type Part = { readonly head: string; readonly file: WaitingCase['files'][number] | null }

function partsOf({ fields, files }: WaitingCase): readonly Part[] {
  const named = (name: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`
  return [
    ...Object.entries(fields).map(([name, value]) => ({
      head: `${named(name)}\r\n\r\n${String(value)}`,
      file: null,
    })),
    ...files.map((file, index) => ({
      head: `${named('images[]')}; filename="FC7K3M9QXAW_OD_${index + 1}.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
      file,
    })),
  ]
}

async function* bodyOf(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  for (const { head, file } of parts) {
    yield Buffer.from(head)
    if (file !== null) {
      const hash = createHash('sha256')
      const stream = createReadStream(join(spoolFolder, file.spoolName), { highWaterMark: CHUNK_BYTES })
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        hash.update(chunk)
        yield chunk
      }
      if (hash.digest('hex') !== file.sha256) throw new Error('A file is not what was written.')
    }
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`--${BOUNDARY}--\r\n`)
}

const pool = new Pool(url, { connections: concurrency })

async function send(one: WaitingCase): Promise<void> {
  const parts = partsOf(one)
  const length = parts.reduce(
    (sum, { head, file }) => sum + Buffer.byteLength(head) + (file?.sizeBytes ?? 0) + 2,
    BOUNDARY.length + 6,
  )
  const response = await pool.request({
    method: 'POST',
    path: '/cases',
    headers: {
      authorization: 'Bearer token',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(length),
    },
    body: Readable.from(bodyOf(parts), { objectMode: false }),
  })
  await response.body.dump()
}

const startedAt = performance.now()
const waiting = [...cases]
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next)
  }),
)
const { user, system } = process.cpuUsage()
const sent: Sent = {
  seconds: (performance.now() - startedAt) / 1_000,
  cpuSeconds: (user + system) / 1_000_000,
}
console.log(JSON.stringify(sent))
await pool.close()
