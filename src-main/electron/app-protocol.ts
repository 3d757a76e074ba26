/** Serves `app://station/…`: the built screens from their folder, and images and reports by id from the station. */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, net, protocol } from 'electron'
import { type BytesKind, isBytesKind } from '../../src-shared/contract.ts'
import { FILES_PATH, readUploadQuery, type UploadedFile } from '../../src-shared/desktop.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { ServedBytes, Station } from '../station/api.ts'
import { decodePart, findScreen, SCREEN_POLICY } from '../station/storage/served-bytes.ts'
import type { Upload } from '../station/storage/uploads.ts'
import { APP_HOST, APP_SCHEME } from './preload/bridge.ts'

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

/** Few reads for an image of some megabytes, and little memory for many thumbnails at once. */
const CHUNK_BYTES = 256 * 1024

/**
 * Streams a file into an answer that Chromium may cancel at any moment, after which Node's `Readable.toWeb` may throw
 * outside any handler (nodejs/node 64529) and end the app. Opened on the first read and closed however the stream ends.
 */
export function fileStream(path: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  let opening: Promise<FileHandle> | null = null
  let isCancelled = false
  const close = async (): Promise<void> => {
    const file = await opening?.catch(() => null)
    // Wait for a read in progress. If closing fails, the data was read all the same.
    await file?.close().catch(() => undefined)
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          opening ??= open(path)
          const file = await opening
          if (isCancelled) return
          const chunk = new Uint8Array(CHUNK_BYTES)
          const { bytesRead } = await file.read(chunk)
          // Cancelled meanwhile: a closed stream must not be written to.
          if (isCancelled) return
          if (bytesRead > 0) return controller.enqueue(chunk.subarray(0, bytesRead))
          await close()
          if (!isCancelled) controller.close()
        } catch (error) {
          await close()
          if (!isCancelled) controller.error(error)
        }
      },
      async cancel() {
        isCancelled = true
        await close()
      },
    },
    { highWaterMark: 0 },
  )
}

type AppProtocolOptions = {
  readonly screensFolder: string
  readonly bytes: (kind: BytesKind, id: string) => Promise<ServedBytes | null>
  readonly saveUpload: (file: Upload) => Promise<Result<UploadedFile>>
}

/** Sent with every answer, including refusals: no type sniffing, no referrer, no caching. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A report in a frame has an opaque origin, so it cannot even display our resources.
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Content addressed by id never changes, but patients' images must not enter the browser's disk cache.
  'Cache-Control': 'no-store',
}

/** Creates the handler for `protocol.handle`. It never throws for a request; unknown addresses get a 404. */
export function createAppProtocol(options: AppProtocolOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const address = readAppAddress(request.url)
    if (request.method === 'POST' && address?.kind === 'files') return receiveFile(options, request, address)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseWith(405)
    if (!address || address.kind === 'files') return refuseWith(404)
    const served =
      address.kind === 'bytes'
        ? await options.bytes(address.bytesKind, address.id)
        : await findScreen(options.screensFolder, address.path)
    if (!served) return refuseWith(404)
    return new Response(request.method === 'HEAD' ? null : fileStream(served.path), {
      headers: {
        'Content-Type': served.contentType,
        'Content-Length': String(served.sizeBytes),
        'Content-Security-Policy': address.kind === 'bytes' ? BYTES_POLICY : SCREEN_POLICY,
        ...HEADERS,
      },
    })
  }
}

/** Only our own pages may upload: a report in a frame sends its own opaque origin. */
async function receiveFile(
  options: AppProtocolOptions,
  request: Request,
  { name, sizeBytes }: Pick<Upload, 'name' | 'sizeBytes'>,
): Promise<Response> {
  const origin = request.headers.get('Origin')
  if ((origin !== null && !isAppAddress(origin)) || request.body === null) return refuseWith(403)
  const contentLength = request.headers.get('Content-Length')
  const saved = await options.saveUpload({
    name,
    sizeBytes: contentLength === null ? sizeBytes : Number(contentLength),
    bytes: request.body,
  })
  return Response.json(saved, { headers: { 'Content-Security-Policy': NOTHING_POLICY, ...HEADERS } })
}

function refuseWith(status: number): Response {
  return new Response(null, { status, headers: { 'Content-Security-Policy': NOTHING_POLICY, ...HEADERS } })
}

/** The path of one of the app's own files, which the build puts beside package.json. */
export function appFile(...path: readonly string[]): string {
  return join(app.getAppPath(), ...path)
}

export function workerUrl(name: string): URL {
  return pathToFileURL(appFile('out', 'main', name))
}

/** Serves the screens for a station. */
export function serveScreens(station: Station): void {
  const handler = createAppProtocol({
    screensFolder: appFile('out', 'renderer'),
    bytes: (kind, id) => station.bytes(kind, id),
    saveUpload: (file) => station.saveUpload(file),
  })
  const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  // During development, Vite's screens appear under the `app://` address that the sender check expects.
  protocol.handle(APP_SCHEME, (request) => {
    const { pathname, search } = new URL(request.url)
    if (devServer === undefined || pathname.startsWith('/bytes/')) return handler(request)
    return net.fetch(new URL(pathname + search, devServer).href)
  })
}
