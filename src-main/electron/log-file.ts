/** The log: JSON lines in one file per day, the oldest removed. A station runs for months and nobody tends it. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Clock, LogFacts, Logger } from '../station/ports.ts'

/** Two weeks: what a clinic notices on Monday happened on Friday, and somebody is on holiday. */
const MAX_DAYS = 14
export const LOG_FILE_NAME = /^station-\d{4}-\d{2}-\d{2}\.log$/

export function openLogFile(folder: string, clock: Clock): Logger {
  // It may be the first to make the data folder, which is closed to other accounts.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const todaysName = (): string => `station-${new Date(clock.now()).toISOString().slice(0, 10)}.log`
  let name = todaysName()
  // Synchronous: the last lines before a crash are the ones that are needed.
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
