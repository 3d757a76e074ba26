/**
 * The character sets of Specific Character Set (0008,0005), PS3.3 C.12.1.1.2, and the decoding of text by PS3.5
 * section 6.1. Nothing is guessed.
 */

/** A label of the Encoding Standard, for `TextDecoder`. */
type Label = string

/** Two Japanese sets use two bytes below 0x80 for each character. */
type LowSet = 'basic' | 'jisX0208' | 'jisX0212'

/**
 * The character sets: the defined term without code extensions, the label, and the escape sequence (PS3.3 tables C.12-2
 * to C.12-4, without the escape character) that selects it above 0x80. ISO_IR 6, the default, is not listed.
 */
const SETS: readonly (readonly [term: string | null, label: Label, escape: string | null])[] = [
  ['ISO IR 13', 'shift_jis', ')I'],
  ['ISO IR 100', 'iso-8859-1', '-A'],
  ['ISO IR 101', 'iso-8859-2', '-B'],
  ['ISO IR 109', 'iso-8859-3', '-C'],
  ['ISO IR 110', 'iso-8859-4', '-D'],
  ['ISO IR 126', 'iso-8859-7', '-F'],
  ['ISO IR 127', 'iso-8859-6', '-G'],
  ['ISO IR 138', 'iso-8859-8', '-H'],
  ['ISO IR 144', 'iso-8859-5', '-L'],
  ['ISO IR 148', 'iso-8859-9', '-M'],
  ['ISO IR 166', 'windows-874', '-T'],
  ['ISO IR 192', 'utf-8', null],
  ['ISO IR 203', 'iso-8859-15', '-b'],
  ['GB18030', 'gb18030', null],
  ['GBK', 'gbk', '$)A'],
  [null, 'euc-kr', '$)C'],
]

/** Escape sequences that select what is below 0x80. */
const LOW_ESCAPES: readonly (readonly [escape: string, set: LowSet])[] = [
  ['(B', 'basic'],
  ['(J', 'basic'],
  ['$B', 'jisX0208'],
  ['$@', 'jisX0208'],
  ['$(D', 'jisX0212'],
]

/**
 * The encoding of a file's texts.
 *
 * - `basic`     nothing is stated, or nothing that is known: ASCII only
 * - `whole`     one character set
 * - `switching` changed by escape sequences; `first` decodes high bytes before any of them
 */
export type CharacterSet =
  | { readonly kind: 'basic' }
  | { readonly kind: 'whole'; readonly label: Label }
  | { readonly kind: 'switching'; readonly first: Label | null }

/** Parses the values of Specific Character Set. Writers vary `_`, `-` and space, so these are equal. */
export function characterSetOf(terms: readonly string[]): CharacterSet {
  const [first = '', ...further] = terms.map((term) =>
    term
      .toUpperCase()
      .replaceAll(/[ _-]+/g, ' ')
      .trim(),
  )
  if (further.length > 0 || first.startsWith('ISO 2022')) {
    const label = labelOf(first.replace('ISO 2022', 'ISO').replace(/^ISO (?=\d)/, 'ISO IR '))
    return { kind: 'switching', first: label }
  }
  const label = labelOf(first)
  return label === null ? { kind: 'basic' } : { kind: 'whole', label }
}

function labelOf(term: string): Label | null {
  return SETS.find(([one]) => one === term)?.[1] ?? null
}

const ESCAPE = 0x1b

/** These reset to the first set (PS3.5 6.1.2.5.3): line ends, tab, separators of values and names. */
const RESETS = [0x09, 0x0a, 0x0c, 0x0d, 0x5c, 0x5e, 0x3d]

/** The decoded text; null if it contains bytes invalid in the stated character sets. */
export function decodeLetters(bytes: Uint8Array, set: CharacterSet): string | null {
  switch (set.kind) {
    case 'basic':
      return bytes.every(isBasic) ? decode(bytes, 'utf-8') : null
    case 'whole':
      return decode(bytes, set.label)
    case 'switching':
      return decodeSwitching(bytes, set.first)
  }
}

type State = { readonly low: LowSet; readonly high: Label | null }

function decodeSwitching(bytes: Uint8Array, first: Label | null): string | null {
  const initial: State = { low: 'basic', high: first }
  let state = initial
  let text = ''
  let start = 0
  const take = (end: number): boolean => {
    const part = decodeRun(bytes.subarray(start, end), state)
    text += part ?? ''
    start = end
    return part !== null
  }
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === ESCAPE) {
      if (!take(at)) return null
      const chosen = readEscape(bytes, at + 1)
      if (chosen === null) return null
      state = { ...state, ...chosen.sets }
      at += chosen.length
      start = at + 1
    } else if (state.low === 'basic' && RESETS.includes(byte)) {
      if (!take(at + 1)) return null
      // Some writers state a character set only once; if nothing else can be meant, it stays active.
      state = first === null ? state : initial
    }
  }
  return take(bytes.length) ? text : null
}

/** What the escape sequence at this position selects, and its length; null if it is not known. */
function readEscape(
  bytes: Uint8Array,
  at: number,
): { readonly sets: Partial<State>; readonly length: number } | null {
  for (const [escape, low] of LOW_ESCAPES)
    if (startsWith(bytes, at, escape)) return { sets: { low }, length: escape.length }
  for (const [, high, escape] of SETS)
    if (escape !== null && startsWith(bytes, at, escape)) return { sets: { high }, length: escape.length }
  return null
}

function startsWith(bytes: Uint8Array, at: number, letters: string): boolean {
  return Array.from(letters).every((letter, index) => bytes[at + index] === letter.charCodeAt(0))
}

function decodeRun(bytes: Uint8Array, { low, high }: State): string | null {
  if (low === 'basic') {
    if (bytes.every(isBasic)) return decode(bytes, 'utf-8')
    return high === null ? null : decode(bytes, high)
  }
  if (!bytes.every(isBasic)) return null
  // EUC-JP holds the same sets above 0x80, the second one after 0x8f.
  const raised = Array.from(bytes, (byte) => byte | 0x80)
  if (low === 'jisX0208') return decode(Uint8Array.from(raised), 'euc-jp')
  const pairs = raised.flatMap((byte, index) => (index % 2 === 0 ? [0x8f, byte] : [byte]))
  return decode(Uint8Array.from(pairs), 'euc-jp')
}

function isBasic(byte: number): boolean {
  return byte < 0x80
}

function decode(bytes: Uint8Array, label: Label): string | null {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    // A TypeError means bytes invalid in the encoding.
    if (error instanceof TypeError) return null
    throw error
  }
}
