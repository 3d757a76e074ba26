/** Makes a name that a stranger gave to a file into one that every disk takes and that leads nowhere. Pure. */

/** Devices that Windows opens instead of a file, whatever stands behind the dot. */
const RESERVED_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
/** Of UTF-8; file systems take 255, and what is beside it needs some. */
const MAX_BYTES = 180
const MAX_EXTENSION_LENGTH = 12

/**
 * The last part of the name, without what separates, controls or turns letters around, as long as a disk takes. The
 * extension stays, because people know a file by it; nobody believes it.
 */
export function sanitiseFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return 'image'
  return shortened(RESERVED_DEVICES.test(plain) ? `_${plain}` : plain)
}

function shortened(name: string): string {
  const { stem, extension } = partsOf(name)
  let short = ''
  let bytes = byteLengthOf(extension)
  for (const letter of stem) {
    bytes += byteLengthOf(letter)
    if (bytes > MAX_BYTES) break
    short += letter
  }
  return short.trimEnd() + extension
}

function partsOf(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  return /^\.[\w-]+$/.test(extension) && extension.length <= MAX_EXTENSION_LENGTH
    ? { stem: name.slice(0, dot), extension }
    : { stem: name, extension: '' }
}

function byteLengthOf(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
