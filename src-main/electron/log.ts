/** The log: JSON lines in one file per day; old files are deleted, because a station runs unattended for months. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import type { Clock, LogFacts, Logger, LogLine } from '../station/ports.ts'

/** Two weeks: a clinic may notice on Monday what happened on Friday, and staff may be on holiday. */
const MAX_DAYS = 14

const LOG_FILE_NAME = /^station-\d{4}-\d{2}-\d{2}\.log$/

export function openLogFile(folder: string, clock: Clock): Logger {
  // May be the first to create the data folder, which other accounts must not read.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const todaysName = (): string => `station-${new Date(clock.now()).toISOString().slice(0, 10)}.log`
  let name = todaysName()
  // Synchronous: the last lines before a crash matter most.
  const destination = pino.destination({ dest: join(folder, name), sync: true, mode: 0o600 })
  const log = pino({ base: { pid: process.pid }, timestamp: () => `,"time":${clock.now()}` }, destination)
  removeOldest(folder)

  const write = (level: 'info' | 'warn' | 'error', message: string, facts: LogFacts = {}): void => {
    if (todaysName() !== name) {
      name = todaysName()
      destination.reopen(join(folder, name))
      removeOldest(folder)
    }
    log[level](facts, message)
  }
  return {
    info: (message, facts) => write('info', message, facts),
    warn: (message, facts) => write('warn', message, facts),
    error: (message, facts) => write('error', message, facts),
  }
}

function removeOldest(folder: string): void {
  const oldest = readdirSync(folder)
    .filter((name) => LOG_FILE_NAME.test(name))
    .toSorted()
    .slice(0, -MAX_DAYS)
  for (const name of oldest) rmSync(join(folder, name), { force: true })
}

/** How much of the end of a file is read: several hundred lines. */
const TAIL_BYTES = 128 * 1_024

/** After a quiet weekend the latest files are almost empty. */
const MAX_FILES = 3

const LEVELS = { 30: 'info', 40: 'warn', 50: 'error' } as const

const lineSchema = z
  .object({
    level: z.union([z.literal(30), z.literal(40), z.literal(50)]),
    time: z.number(),
    msg: z.string(),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Parses a line of the log; null if it is truncated, as the last one before a power failure may be. */
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

/** The latest lines of all runs, oldest first: the cause of a crash was logged by the previous run. */
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
