/** The data folder that version 0.1 wrote, see `test/fixtures/outbox-0.1/README.md`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { ReportKind } from '../../src-shared/report.ts'
import type { SubmissionCounts, SubmissionDetails } from '../../src-shared/submission.ts'
import { openTestOutbox, type TestOutbox } from './outbox-with.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type FixtureCase = {
  /** How it came to be as it is; for people. */
  readonly story: string
  /** As `submissions.get` answered. */
  readonly details: SubmissionDetails
  /** The oldest first. */
  readonly reports: readonly {
    readonly kind: ReportKind
    readonly sizeBytes: number
    readonly sha256: string
    /** In the folder `reports`. */
    readonly fileName: string
  }[]
  /** What its trail says, the oldest first: `approved by AB`. */
  readonly audit: readonly string[]
}

export type FixtureExpectation = {
  readonly version: string
  readonly counts: SubmissionCounts
  /** The open ones, the newest first. */
  readonly alarms: readonly Alarm[]
  /** The oldest first. */
  readonly cases: readonly FixtureCase[]
}

const FIXTURE = new URL('../fixtures/outbox-0.1/', import.meta.url)

/** Copies the data folder; answers with its path, of a temporary folder if none is options. */
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

/** Opens a copy of the outbox; closed when the test ends. */
export function openFixtureOutbox(): TestOutbox {
  return openTestOutbox(copyFixtureOutbox())
}

/** What version 0.1 sentences of it. */
export function fixtureExpectation(): FixtureExpectation {
  return JSON.parse(readFileSync(new URL('expected.json', FIXTURE), 'utf8')) as FixtureExpectation
}
