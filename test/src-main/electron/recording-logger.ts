import type { LogFacts, Logger } from '../../../src-main/station/ports.ts'

export type Line = { readonly level: keyof Logger; readonly message: string; readonly facts: LogFacts }

/** A logger that keeps what it was told. */
export function recordingLogger(): Logger & { readonly lines: readonly Line[] } {
  const lines: Line[] = []
  const keep =
    (level: keyof Logger) =>
    (message: string, facts: LogFacts = {}): void => {
      lines.push({ level, message, facts })
    }
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') }
}
