/** What the occurrences of one part of a path come to: one value, or none and why. Pure. */
import type { Pattern, PatternPart } from '../../../../src-shared/profile-pattern.ts'
import type { Stated } from '../recognition.ts'
import type { PatternMatch, Span } from './match-pattern.ts'

/** One spelling of a part in a path. */
export type FoundPart = {
  readonly part: PatternPart
  /** The place of the part in its pattern: two spellings of one place are two readings of one name. */
  readonly step: number
  readonly text: string
  readonly source: 'folderName' | 'fileName'
}

/** The parts in the reading that is preferred, in order. */
export function preferredParts(pattern: Pattern, text: string, match: PatternMatch): readonly FoundPart[] {
  return [...match.preferred].flatMap(([step, span]) => foundAt(pattern, text, step, span))
}

/** All spellings that these parts have in any reading, in order. */
export function possibleParts(
  pattern: Pattern,
  text: string,
  match: PatternMatch,
  names: readonly PatternPart['name'][],
): readonly FoundPart[] {
  return pattern.steps.flatMap((step, index) => {
    if (step.kind !== 'part' || !names.includes(step.name)) return []
    return match.spansOf(index).flatMap((span) => foundAt(pattern, text, index, span))
  })
}

function foundAt(pattern: Pattern, text: string, index: number, { start, end }: Span): readonly FoundPart[] {
  const part = pattern.steps[index]
  if (part?.kind !== 'part') return []
  const source = text.indexOf('/', end) === -1 ? 'fileName' : 'folderName'
  return [{ part, step: index, text: text.slice(start, end), source }]
}

/** Sentences for a person, without a word of the name itself. */
export type Sentences = {
  readonly unreadable: string
  readonly ambiguous: string
  readonly disagreeing: string
}

export type Settled<Value> = { readonly value: Stated<Value> | null; readonly unclear: string | null }

/** `meaning` is null for a spelling that means nothing. The first spelling is kept where all mean the same. */
export function settle<Value>(
  found: readonly FoundPart[],
  meaning: (found: FoundPart) => Value | null,
  isSame: (one: Value, other: Value) => boolean,
  sentences: Sentences,
): Settled<Value> {
  const statements = found.map((each) => ({ ...each, value: meaning(each) }))
  const [first] = statements
  if (first === undefined) return { value: null, unclear: null }
  const { value, source } = first
  if (value === null || statements.some((other) => other.value === null))
    return { value: null, unclear: sentences.unreadable }
  const others = statements.filter((other) => other.value === null || !isSame(value, other.value))
  if (others.length === 0) return { value: { value, source }, unclear: null }
  const isOneStep = new Set(statements.map(({ step }) => step)).size < statements.length
  return { value: null, unclear: isOneStep ? sentences.ambiguous : sentences.disagreeing }
}
