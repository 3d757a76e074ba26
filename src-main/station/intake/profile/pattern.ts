/**
 * Fits a pattern to a text: all readings at once, so that a name that can be read in two ways is not guessed at. Each
 * pair of step and position is looked at once, so the time is bounded by their product, whatever the pattern. Pure.
 */
import type { PatternPart, PatternStep } from '../../../../src-shared/profile-pattern.ts'

/** From where up to where in the text, the end not counted. */
export type Span = { readonly start: number; readonly end: number }

/** Where a part that begins at `start` can end, the best end first. */
export type EndsOf = (part: PatternPart, start: number) => readonly number[]

export type PatternMatch = {
  /** The reading that takes sections and the best ends wherever it can: by the index of the step, in order. */
  readonly preferred: ReadonlyMap<number, Span>
  /** The spans that the part at this step has in any reading, one for each text; two are enough to be unsure. */
  readonly spansOf: (index: number) => readonly Span[]
}

/** Of a text that can be cut in thousands of ways. Enough that some of them mean different things. */
const MAX_TEXTS = 50

type MatchState = { readonly step: number; readonly position: number }

/** Null where the steps do not describe all of the text from one of these starts on. */
export function matchPattern(
  steps: readonly PatternStep[],
  text: string,
  starts: readonly number[],
  endsOf: EndsOf,
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
    preferred: preferredFrom({ step: 0, position: first }, steps, (place) => movesFrom(place).find(isLive)),
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

/** For each step, the positions on a way from a start to the end of the text. */
function liveStates(
  stepCount: number,
  textLength: number,
  starts: readonly number[],
  movesFrom: (place: MatchState) => readonly MatchState[],
): readonly ReadonlySet<number>[] {
  const reached = Array.from({ length: stepCount + 1 }, () => new Set<number>())
  for (const start of starts) reached[0]?.add(start)
  // Moves lead to later steps only: one pass forward finds all places, one pass back all that come to the end.
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
  steps: readonly PatternStep[],
  bestMove: (place: MatchState) => MatchState | undefined,
): ReadonlyMap<number, Span> {
  const spans = new Map<number, Span>()
  let place: MatchState | undefined = first
  while (place !== undefined) {
    const next = bestMove(place)
    if (next && steps[place.step]?.kind === 'part')
      spans.set(place.step, { start: place.position, end: next.position })
    place = next
  }
  return spans
}

/** Each character in lower case by itself, but for the few (İ) that would become longer: positions stay what they are. */
function sameLengthLower(text: string): string {
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  }).join('')
}
