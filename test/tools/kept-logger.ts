import type { LogFacts, Logger } from '../../src-main/station/ports.ts'

export type KeptLine = {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly facts: LogFacts
}

/** A logger that keeps its lines, so that a test can see what was told and what was not. */
export function createKeptLogger(): Logger & { readonly lines: readonly KeptLine[]; errors(): string[] } {
  const lines: KeptLine[] = []
  const keep =
    (level: KeptLine['level']) =>
    (message: string, facts: LogFacts = {}): void =>
      void lines.push({ level, message, facts })
  return {
    lines,
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    errors: () => lines.filter((line) => line.level === 'error').map((line) => line.message),
  }
}
