import type { LogFacts, Logger } from '../../src-main/station/ports.ts'

export type RecordedLine = {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly facts: LogFacts
}

/** A logger that records its lines, so that a test can see what was logged and what was not. */
export function createRecordingLogger(): Logger & {
  readonly lines: readonly RecordedLine[]
  errors(): string[]
} {
  const lines: RecordedLine[] = []
  const record =
    (level: RecordedLine['level']) =>
    (message: string, facts: LogFacts = {}): void =>
      void lines.push({ level, message, facts })
  return {
    lines,
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    errors: () => lines.filter((line) => line.level === 'error').map((line) => line.message),
  }
}
