import type { LogLine } from '../../ports.ts'
import { type Redactor, isOwnId, isProgramTerm } from './cover.ts'

/** Facts that hold words of the program. */
const WORDS = new Set(['error', 'code', 'kind', 'failure', 'why', 'reason', 'outcome', 'call', 'phase', 'at'])
/** Sentences of the program have no path, no quotation and no name of a file in them. */
const PLAIN_SENTENCE = /^[a-z][\w ,;:'()-]{0,150}$/i

/**
 * One line of the log. The rules of the log forbid names already; here only that is passed on of which it can be seen,
 * so that one forgotten rule does not carry a name out of the house.
 */
export function redactLogLine(line: LogLine, redactor: Redactor): Readonly<Record<string, unknown>> {
  const facts = Object.entries(line.facts).map(([name, value]) => [
    name,
    typeof value !== 'string' || isOwnId(value) || (WORDS.has(name) && isProgramTerm(value))
      ? value
      : `left out ${redactor.pseudonym(value)}`,
  ])
  return {
    at: new Date(line.at).toISOString(),
    level: line.level,
    message: PLAIN_SENTENCE.test(line.message)
      ? line.message
      : `left out ${redactor.pseudonym(line.message)}`,
    // For themselves: a fact may be called as one of the above.
    ...(facts.length > 0 && { facts: Object.fromEntries(facts) as Readonly<Record<string, unknown>> }),
  }
}
