/** Matches a pattern with a text in all readings at once, so that an ambiguous name is not guessed at. Pure. */

export type Span = { readonly start: number; readonly end: number }

/** What a pattern consists of, in order; the matcher knows only the possible ends of a part. */
export type Step<Part extends { readonly kind: 'part' }> =
  | Part
  | { readonly kind: 'literal'; readonly text: string }

export type PatternMatch = {
  /** The spans of the part at this step in any reading, one for each text; two already mean uncertainty. */
  readonly spansOf: (index: number) => readonly Span[]
}

/** For a text that can be split in thousands of ways: enough to include different meanings. */
const MAX_TEXTS = 50

type MatchState = { readonly step: number; readonly position: number }

/**
 * Matches in all readings at once, so that an ambiguous name is not guessed at. Each pair of step and position is
 * visited once, so the time is bounded by their product, whatever the pattern. `endsOf`: the possible ends of a part that
 * begins at `start`. Null if the steps do not cover the whole text.
 */
export function matchPattern<Part extends { readonly kind: 'part' }>(
  steps: readonly Step<Part>[],
  text: string,
  endsOf: (part: Part, start: number) => readonly number[],
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
    if (step.kind === 'literal')
      return canStandAt(index, position) ? [{ step: next, position: position + step.text.length }] : []
    return endsOf(step, position)
      .filter((end) => canStandAt(next, end))
      .map((end) => ({ step: next, position: end }))
  }
  const live = liveStates(steps.length, text.length, movesFrom)
  if (live[0]?.size === 0) return null
  return {
    spansOf: (index) => {
      const found = new Map<string, Span>()
      for (const start of live[index] ?? []) {
        for (const { step, position: end } of movesFrom({ step: index, position: start })) {
          const spelling = text.slice(start, end)
          if (live[step]?.has(end) && !found.has(spelling)) found.set(spelling, { start, end })
          if (found.size === MAX_TEXTS) return [...found.values()]
        }
      }
      return [...found.values()]
    },
  }
}

/** For each step, the positions on a path from the start to the end of the text. */
function liveStates(
  stepCount: number,
  textLength: number,
  movesFrom: (state: MatchState) => readonly MatchState[],
): readonly ReadonlySet<number>[] {
  const reached = Array.from({ length: stepCount + 1 }, () => new Set<number>())
  reached[0]?.add(0)
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

/** Lower case character by character, except for the few (İ) that would grow, so that positions stay valid. */
export function sameLengthLower(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  }).join('')
}
