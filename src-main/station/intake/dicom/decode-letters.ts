/** Decodes texts of DICOM files by the alphabets that the file names: PS3.5 section 6.1. Nothing is guessed. */
import { ESCAPES, type CharacterSet, type Label, type LowSet } from './character-sets.ts'

const ESCAPE = 0x1b
/** Behind these the alphabet is the first one again (PS3.5 6.1.2.5.3): line ends, tab, and the marks between values and names. */
const RESETS = [0x09, 0x0a, 0x0c, 0x0d, 0x5c, 0x5e, 0x3d]

/** The text; null where it has letters that the stated alphabets do not have, so that it would come out wrong. */
export function decodeLetters(bytes: Uint8Array, set: CharacterSet): string | null {
  switch (set.kind) {
    case 'basic':
    case 'unknown':
      return bytes.every(isBasic) ? decode(bytes, 'utf-8') : null
    case 'whole':
      return decode(bytes, set.label)
    case 'switching':
      return decodeSwitching(bytes, set.first)
  }
}

/** What holds between two escape sequences. */
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
      const escape = ESCAPES.find((one) => startsWith(bytes, at + 1, one.bytes))
      if (!escape) return null
      const { selects } = escape
      state = selects.half === 'low' ? { ...state, low: selects.set } : { ...state, high: selects.set }
      at += escape.bytes.length
      start = at + 1
    } else if (state.low === 'basic' && RESETS.includes(byte)) {
      if (!take(at + 1)) return null
      // Some writers name an alphabet once only; where nothing else could be meant, it stays.
      state = first === null ? state : initial
    }
  }
  return take(bytes.length) ? text : null
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
  // The same sets stand above 0x80 in EUC-JP, the second of them behind 0x8f.
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
    // What the decoder throws for bytes that its alphabet does not have.
    if (error instanceof TypeError) return null
    throw error
  }
}
