import pino from 'pino'
import type { LogFacts, Logger, LogLine } from '../station/ports.ts'

/** As many lines stay in memory as the diagnostics show, and some for what is written while they are made. */
const MAX_LINES = 500

/** Logs as JSON lines on stderr; stdout carries the one line that scripts wait for. The latest lines can be had again. */
export function createJsonLogger(): Logger & { recentLog(): Promise<readonly LogLine[]> } {
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  const recent: LogLine[] = []
  const write =
    (level: LogLine['level']) =>
    (message: string, facts: LogFacts = {}): void => {
      log[level](facts, message)
      recent.push({ at: Date.now(), level, message, facts })
      if (recent.length > MAX_LINES) recent.shift()
    }
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    recentLog: () => Promise.resolve(recent.slice()),
  }
}
