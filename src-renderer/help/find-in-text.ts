/** Where words stand in a text. Pure. */

export type TextPiece = {
  readonly text: string
  /** The number of the place, from 0; null for what lies between. */
  readonly match: number | null
}

/** More places than anybody steps through; each is an element on the screen. */
const MAX_MATCHES = 2_000

/** Cuts a text at every place where the words stand, whatever their case. Joined, the pieces are the text. */
export function splitAtMatches(text: string, query: string): TextPiece[] {
  const wanted = query.trim().toLowerCase()
  // Letters whose small form is longer would move every place behind them.
  const small = text.toLowerCase().length === text.length ? text.toLowerCase() : text
  if (wanted === '') return [{ text, match: null }]
  const pieces: TextPiece[] = []
  let from = 0
  for (let place = 0; place < MAX_MATCHES; place += 1) {
    const at = small.indexOf(wanted, from)
    if (at < 0) break
    if (at > from) pieces.push({ text: text.slice(from, at), match: null })
    pieces.push({ text: text.slice(at, at + wanted.length), match: place })
    from = at + wanted.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), match: null })
  return pieces
}

/** The place after or before one, round the end. */
export function stepMatch(match: number, count: number, by: 1 | -1): number {
  return count === 0 ? 0 : (match + by + count) % count
}
