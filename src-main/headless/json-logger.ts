import pino from 'pino'
import type { LogFacts, Logger } from '../station/ports.ts'

/** Logs as JSON lines on stderr; stdout carries the one line that scripts wait for. */
export function createJsonLogger(): Logger {
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  return {
    info: (message, facts: LogFacts = {}) => log.info(facts, message),
    warn: (message, facts: LogFacts = {}) => log.warn(facts, message),
    error: (message, facts: LogFacts = {}) => log.error(facts, message),
  }
}
