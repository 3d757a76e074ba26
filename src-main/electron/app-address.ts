import { type BytesKind, isBytesKind } from '../../src-shared/contract.ts'
import { FILES_PATH, readUploadQuery } from '../../src-shared/desktop.ts'
import { APP_HOST, APP_SCHEME } from './app-scheme.ts'

/** The content security policies of the window, sent as headers: a meta element can be forgotten or outrun. */

/**
 * The screens. Nothing but what we built and serve ourselves. Styles may stand in the page because the component
 * library writes its theme into a style element; scripts may not.
 */
export const SCREEN_POLICY = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' blob: data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'worker-src': "'self'",
  // A page that the screens write into a frame is theirs and needs no word here; nothing else is ever framed.
  'frame-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
})

/** Images and reports by id. A report is hostile input: shown as a page of its own it has no scripts and no origin. */
export const BYTES_POLICY = policy({
  'default-src': "'none'",
  'img-src': 'data:',
  'style-src': "'unsafe-inline'",
  'frame-ancestors': "'none'",
  sandbox: '',
})

/** Answers that are no page and no picture. */
export const NOTHING_POLICY = policy({ 'default-src': "'none'", 'frame-ancestors': "'none'" })

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')
}

/**
 * The addresses of the window: `app://station/…`.
 *
 * A scheme of our own instead of `file://`: pages of one origin that can be named in a policy, and no page that can
 * read the disk. Everything here is decided from the text of the address alone.
 */
type AppAddress =
  /** A built file of the screens; `path` has `/` between its parts and no part that leads upwards. */
  | { readonly kind: 'screen'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytesKind: BytesKind; readonly id: string }
  /** Where a file is handed over; the name is a stranger's. */
  | {
      readonly kind: 'files'
      readonly name: string
      /** As the sender states it; null where it does not. */
      readonly sizeBytes: number | null
    }

/** Is this address one of our own window? Node and Chromium disagree on the origin of such a scheme, so it is parsed. */
export function isAppAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.protocol === `${APP_SCHEME}:` && url.host === APP_HOST
}

/** Is this an address of the screens themselves? Bytes are none: a report that became a page would be a stranger. */
export function isScreenAddress(address: string): boolean {
  return readAppAddress(address)?.kind === 'screen'
}

/** What an address stands for; null where it is none of ours or tries to leave the folder. */
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

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** The name of one file or folder, on every system: no separator, no drive, no stream, no way up, nothing hidden. */
function isPlainName(name: string): boolean {
  return /^[\w@~+-][\w@~+.-]*$/.test(name) && !name.includes('..')
}
