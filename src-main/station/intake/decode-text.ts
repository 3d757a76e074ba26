/** Decodes text that a program or a person saved: by its byte order mark, else as UTF-8; null where it is neither. */
export function decodeText(bytes: Uint8Array): string | null {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    // What the decoder throws for bytes that its encoding does not have.
    if (error instanceof TypeError) return null
    throw error
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
}
