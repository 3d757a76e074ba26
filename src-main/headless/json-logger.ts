import pino from 'pino'
import type { LogFacts, Logger, LogLine } from '../station/ports.ts'

/** As many lines stay in memory as the diagnostics show, and some for what is written while they are made. */
const KEPT_LINES = 500

/** Logs as JSON lines on stderr; stdout carries the one line that scripts wait for. The latest lines can be had again. */
export function createJsonLogger(): Logger & { recentLog(): Promise<readonly LogLine[]> } {
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  const kept: LogLine[] = []
  const write =
    (level: LogLine['level']) =>
    (message: string, facts: LogFacts = {}): void => {
      log[level](facts, message)
      kept.push({ at: Date.now(), level, message, facts })
      if (kept.length > KEPT_LINES) kept.shift()
    }
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    recentLog: () => Promise.resolve(kept.slice()),
  }
}
