/** The data folder with everything in it, see `test/fixtures/full-outbox/README.md`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { temporaryFolder } from './temporary-folder.ts'

const FIXTURE = new URL('../fixtures/full-outbox/', import.meta.url)

/** Copies the data folder; answers with its path, of a temporary folder if none is given. */
export function copyFixtureOutbox(folder = temporaryFolder()): string {
  const unpacked = brotliDecompressSync(readFileSync(new URL('data.br', FIXTURE)))
  // A line of JSON says what the rest is, one file after the other.
  let at = unpacked.indexOf('\n') + 1
  const files = JSON.parse(unpacked.toString('utf8', 0, at)) as readonly { path: string; size: number }[]
  for (const { path, size } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), unpacked.subarray(at, at + size))
    at += size
  }
  return folder
}
