/** Reads the latest lines of the log back from its files: what led to a crash was written by the run before. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { LogLine } from '../station/ports.ts'
import { LOG_FILE_NAME } from './log-file.ts'

/** The end of a file that is read: several hundred lines. */
const TAIL_BYTES = 128 * 1_024
/** A quiet weekend fills the file of Monday with nothing. */
const MAX_FILES = 3

const LEVELS = { 30: 'info', 40: 'warn', 50: 'error' } as const
const lineSchema = z
  .object({
    level: z.union([z.literal(30), z.literal(40), z.literal(50)]),
    time: z.number(),
    msg: z.string(),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** A line as the logger wrote it; null where it is torn, as the last one before a power cut may be. */
export function readLogLine(text: string): LogLine | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const read = lineSchema.safeParse(value)
  if (!read.success) return null
  const { level, time, msg, ...facts } = read.data
  return { at: time, level: LEVELS[level], message: msg, facts }
}

/** The latest lines of all runs, the oldest first. */
export async function readRecentLog(folder: string): Promise<readonly LogLine[]> {
  const names = (await readdir(folder)).filter((name) => LOG_FILE_NAME.test(name)).toSorted()
  const lines: LogLine[] = []
  for (const name of names.slice(-MAX_FILES))
    for (const text of (await readTail(join(folder, name))).split('\n')) {
      const line = text === '' ? null : readLogLine(text)
      if (line) lines.push(line)
    }
  return lines
}

async function readTail(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - TAIL_BYTES)
    const bytes = Buffer.alloc(size - start)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
