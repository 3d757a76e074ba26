/** Matches a pattern with a text in all readings at once, so that an ambiguous name is not guessed at. Pure. */
import type { PatternPart, PatternStep } from '../../../../src-shared/profile-pattern.ts'

export type Span = { readonly start: number; readonly end: number }

/** A part of any language of patterns: the matcher knows only its possible ends. */
type AnyPart = { readonly kind: 'part' }

/** Steps of a pattern whose parts are of any language. */
export type Step<Part extends AnyPart> = Part | Exclude<PatternStep, PatternPart>

/** The possible ends of a part that begins at `start`, the best first. */
export type EndsOf<Part extends AnyPart = PatternPart> = (part: Part, start: number) => readonly number[]

export type PatternMatch = {
  /** The start of the greedy reading. */
  readonly start: number
  /** The greedy reading, which takes sections and the best ends if possible: by the index of the step, in order. */
  readonly preferred: ReadonlyMap<number, Span>
  /** The spans of the part at this step in any reading, one for each text; two already mean uncertainty. */
  readonly spansOf: (index: number) => readonly Span[]
}

/** For a text that can be split in thousands of ways: enough to include different meanings. */
const MAX_TEXTS = 50

type MatchState = { readonly step: number; readonly position: number }

/**
 * Matches in all readings at once, so that an ambiguous name is not guessed at. Each pair of step and position is
 * visited once, so the time is bounded by their product, whatever the pattern. Null if the steps do not cover the
 * whole text from one of these starts.
 */
export function matchPattern<Part extends AnyPart>(
  steps: readonly Step<Part>[],
  text: string,
  starts: readonly number[],
  endsOf: EndsOf<Part>,
): PatternMatch | null {
  const lower = sameLengthLower(text)
  const literals = steps.map((step) => (step.kind === 'literal' ? sameLengthLower(step.text) : null))
  const canStandAt = (step: number, position: number): boolean => {
    if (step === steps.length) return position === text.length
    const literal = literals[step] ?? null
    return literal === null || lower.startsWith(literal, position)
  }
  const movesFrom = ({ step: index, position }: MatchState): readonly MatchState[] => {
    const step = steps[index]
    const next = index + 1
    if (step === undefined) return []
    if (step.kind === 'part')
      return endsOf(step, position)
        .filter((end) => canStandAt(next, end))
        .map((end) => ({ step: next, position: end }))
    if (step.kind === 'literal')
      return canStandAt(index, position) ? [{ step: next, position: position + step.text.length }] : []
    return [
      { step: next, position },
      { step: step.until, position },
    ]
  }
  const live = liveStates(steps.length, text.length, starts, movesFrom)
  const isLive = ({ step, position }: MatchState): boolean => live[step]?.has(position) ?? false
  const first = starts.find((position) => isLive({ step: 0, position }))
  if (first === undefined) return null
  return {
    start: first,
    preferred: preferredFrom({ step: 0, position: first }, steps, (state) => movesFrom(state).find(isLive)),
    spansOf: (index) => {
      const found = new Map<string, Span>()
      for (const start of live[index] ?? []) {
        for (const next of movesFrom({ step: index, position: start })) {
          const spelling = text.slice(start, next.position)
          if (isLive(next) && !found.has(spelling)) found.set(spelling, { start, end: next.position })
          if (found.size === MAX_TEXTS) return [...found.values()]
        }
      }
      return [...found.values()]
    },
  }
}

/** For each step, the positions on a path from a start to the end of the text. */
function liveStates(
  stepCount: number,
  textLength: number,
  starts: readonly number[],
  movesFrom: (state: MatchState) => readonly MatchState[],
): readonly ReadonlySet<number>[] {
  const reached = Array.from({ length: stepCount + 1 }, () => new Set<number>())
  for (const start of starts) reached[0]?.add(start)
  // Moves lead only to later steps: one pass forward finds all states, one pass back those that reach the end.
  for (const [step, positions] of reached.entries())
    for (const position of positions)
      for (const next of movesFrom({ step, position })) reached[next.step]?.add(next.position)
  const live = Array.from({ length: stepCount + 1 }, () => new Set<number>())
  if (!reached[stepCount]?.has(textLength)) return live
  live[stepCount]?.add(textLength)
  for (let step = stepCount - 1; step >= 0; step -= 1)
    for (const position of reached[step] ?? [])
      if (movesFrom({ step, position }).some((next) => live[next.step]?.has(next.position)))
        live[step]?.add(position)
  return live
}

function preferredFrom(
  first: MatchState,
  steps: readonly Step<AnyPart>[],
  bestMove: (state: MatchState) => MatchState | undefined,
): ReadonlyMap<number, Span> {
  const spans = new Map<number, Span>()
  let state: MatchState | undefined = first
  while (state !== undefined) {
    const next = bestMove(state)
    if (next && steps[state.step]?.kind === 'part')
      spans.set(state.step, { start: state.position, end: next.position })
    state = next
  }
  return spans
}

/** Lower case character by character, except for the few (İ) that would grow, so that positions stay valid. */
export function sameLengthLower(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  }).join('')
}
