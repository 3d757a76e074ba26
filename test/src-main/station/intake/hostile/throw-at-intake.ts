/** Runs files through the decisions of watch and intake, one after the other, without waiting. */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ingest } from '../../../../../src-main/station/intake/ingest.ts'
import type { IngestContext } from '../../../../../src-main/station/intake/refresh.ts'
import { inspectFile } from '../../../../../src-main/station/intake/inspect-file.ts'
import { stemKeyOf } from '../../../../../src-main/station/intake/evidence.ts'
import { isJunkFile, isJunkFolder } from '../../../../../src-main/station/lib/files.ts'
import { FileBook } from '../../../../../src-main/station/watch/file-tracker.ts'
import { NoteStore } from '../../../../../src-main/station/watch/file-state.ts'
import type { FileMark, SettledFile } from '../../../../../src-main/station/watch/watch.ts'
import type { HostileInput } from './hostile-inputs.ts'

/** What a file came to. `silence` is the one that must not be. */
export type Ending = 'ignored for its name' | 'image' | 'data' | 'archive' | 'sentence' | 'silence' | 'error'

export type Thrown = { readonly ending: Ending; readonly messages: readonly string[] }

const SETTLE_MS = 1_000

function isJunk(path: string): boolean {
  const parts = path.split('/')
  return parts.some((part, index) => (index === parts.length - 1 ? isJunkFile(part) : isJunkFolder(part)))
}

/** A sentence for a person: words, and an end. */
export function isSentence(message: string): boolean {
  return message.length > 20 && /^[A-Z].*[.)]$/su.test(message)
}

/** Writes one file, lets it settle, takes it in if it may be, and removes it again. */
export async function throwAt(
  base: Omit<IngestContext, 'note'>,
  folderPath: string,
  { path: relativePath, bytes }: HostileInput,
): Promise<Thrown> {
  const path = join(folderPath, relativePath)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  const thrown = await endingOf(base, folderPath, relativePath)
  await rm(path)
  return thrown
}

async function endingOf(
  base: Omit<IngestContext, 'note'>,
  folderPath: string,
  relativePath: string,
): Promise<Thrown> {
  const messages: string[] = []
  const context: IngestContext = { ...base, note: (_folder, note) => void messages.push(note.message) }
  const { settled } = await settle(folderPath, relativePath, (message) => void messages.push(message))
  if (settled === null) {
    if (messages.length > 0) return { ending: messages.every(isSentence) ? 'sentence' : 'silence', messages }
    return { ending: isJunk(relativePath) ? 'ignored for its name' : 'silence', messages }
  }
  try {
    await ingest(context, settled)
  } catch (error) {
    return { ending: 'error', messages: [String(error)] }
  }
  const ending = outcomeOf(base, settled)
  if (ending !== null) return { ending, messages }
  return { ending: messages.length > 0 && messages.every(isSentence) ? 'sentence' : 'silence', messages }
}

function outcomeOf(
  { outbox }: Pick<IngestContext, 'outbox'>,
  { folderPath, relativePath, content }: SettledFile,
): Ending | null {
  if (content === 'sidecar')
    return outbox.sidecars.recordsOf(folderPath, relativePath).length > 0 ? 'data' : null
  if (content === 'zip')
    return outbox.images.submissionsInFolder(folderPath, relativePath).length > 0 ? 'archive' : null
  const images = outbox.images.ofStem(folderPath, stemKeyOf(relativePath))
  return images.some((image) => image.file_name === relativePath) ? 'image' : null
}

/** what the watch makes of a file that stays as it is. */
async function settle(
  folderPath: string,
  relativePath: string,
  onNote: (message: string) => void,
): Promise<{ readonly settled: SettledFile | null }> {
  if (isJunk(relativePath)) return { settled: null }
  let nowMs = 0
  let settled: SettledFile | null = null
  const wanted: FileMark[] = []
  const book = new FileBook({
    folder: { path: folderPath, settleMs: SETTLE_MS, sweepMs: 60_000, lease: null },
    notes: new NoteStore(folderPath, Date.now, (event) => {
      if (event.kind === 'noted') onNote(event.note.message)
    }),
    monotonicMs: () => nowMs,
    onSettled: (file) => {
      settled = file
    },
    requestOpen: (mark) => void wanted.push(mark),
  })
  const { size, mtimeMs } = await stat(join(folderPath, relativePath))
  const stamp = { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
  for (let sweep = 0; sweep < 3 && wanted.length === 0; sweep += 1) {
    book.beginSweep()
    book.observe(relativePath, stamp, false)
    nowMs += 2 * SETTLE_MS
  }
  for (const mark of wanted)
    book.recordInspection(mark, await inspectFile(join(folderPath, relativePath), mark))
  return { settled }
}
