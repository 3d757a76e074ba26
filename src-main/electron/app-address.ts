/** Addresses of the window, and the content security policies of what is no screen. */
import { type BytesKind, isBytesKind } from '../../src-shared/contract.ts'
import { FILES_PATH, readUploadQuery } from '../../src-shared/desktop.ts'
import { decodePart } from '../station/screens.ts'
import { APP_HOST, APP_SCHEME } from './app-scheme.ts'

/** Images and reports by id. A report is untrusted: opened as a page of its own, it has no scripts and no origin. */
export const BYTES_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

/** Answers that are neither pages nor pictures. */
export const NOTHING_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** One origin that a policy can name, unlike `file://`, and no way to the disk. Decided by the text alone. */
type AppAddress =
  /** A built file of the screens; `path` is separated by `/` and has no `..`. */
  | { readonly kind: 'screen'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytesKind: BytesKind; readonly id: string }
  /** An upload; its name is untrusted. */
  | {
      readonly kind: 'files'
      readonly name: string
      readonly sizeBytes: number | null
    }

/** Is this an address of our window? Parsed, because Node and Chromium disagree on the origin of a custom scheme. */
export function isAppAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.protocol === `${APP_SCHEME}:` && url.host === APP_HOST
}

/** Is this an address of the screens? Byte addresses are excluded, because a report shown as a page is untrusted. */
export function isScreenAddress(address: string): boolean {
  return readAppAddress(address)?.kind === 'screen'
}

/** Parses an address; null if it is not ours or tries to leave the folder. */
export function readAppAddress(address: string): AppAddress | null {
  const url = URL.parse(address)
  if (!url || !isAppAddress(address)) return null
  if (url.pathname === FILES_PATH) return { kind: 'files', ...readUploadQuery(url.searchParams) }
  const parts = url.pathname.slice(1).split('/').map(decodePart)
  if (!parts.every((part) => part !== null)) return null
  const [first, second, third] = parts
  if (first === 'bytes') {
    if (parts.length !== 3 || second === undefined || third === undefined || !isBytesKind(second)) return null
    return third === '' ? null : { kind: 'bytes', bytesKind: second, id: third }
  }
  if (parts.length === 1 && first === '') return { kind: 'screen', path: 'index.html' }
  return parts.every(isPlainName) ? { kind: 'screen', path: parts.join('/') } : null
}

/** A valid file or folder name on every system: no separator, drive, stream, `..` or leading dot. */
function isPlainName(name: string): boolean {
  return /^[\w@~+-][\w@~+.-]*$/.test(name) && !name.includes('..')
}
