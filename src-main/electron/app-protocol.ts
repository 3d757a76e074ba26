/** Serves `app://station/…`: the built screens from their folder, and images and reports by id from the station. */
import { realpath, stat } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import type { BytesKind } from '../../src-shared/contract.ts'
import type { UploadedFile } from '../../src-shared/kept-file.ts'
import type { Result } from '../../src-shared/result.ts'
import type { Upload } from '../station/handed-files.ts'
import type { ServedBytes } from '../station/station-api.ts'
import { isAppAddress, readAppAddress } from './app-address.ts'
import { BYTES_POLICY, NOTHING_POLICY, SCREEN_POLICY } from './content-policy.ts'
import { fileStream } from './file-stream.ts'

export type AppProtocolOptions = {
  /** The folder of the built screens. */
  readonly screensFolder: string
  readonly bytes: (kind: BytesKind, id: string) => Promise<ServedBytes | null>
  /** Takes a file that a person hands over. */
  readonly saveUpload: (file: Upload) => Promise<Result<UploadedFile>>
}

/** A module script or a worker with a wrong type is refused by Chromium, because we send `nosniff`. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
}

/** Stands on every answer, also on those that refuse: no guessing of types, no word of where a page came from, nothing kept. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A report in a frame is of no origin, so it cannot even show what belongs to us.
  'Cross-Origin-Resource-Policy': 'same-origin',
  // What is served by id stays what it is; patients' images do not belong into the browser's cache on the disk.
  'Cache-Control': 'no-store',
}

/** Makes the handler for `protocol.handle`. It never throws for what a page asks; what is not there is a 404. */
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

/** Only our own pages hand files over: a report in a frame has an origin of its own, and names it. */
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

async function findScreen(folder: string, path: string): Promise<ServedBytes | null> {
  const root = await resolveLinks(resolve(folder))
  const file = await resolveLinks(join(resolve(folder), path))
  // The address was read strictly already; this holds even if that is ever loosened, and where a link leads outside.
  if (root === null || !file?.startsWith(root + sep)) return null
  const found = await stat(file)
  const contentType = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'
  return found.isFile() ? { path: file, contentType, sizeBytes: found.size } : null
}

/** The path without links; null where there is nothing. */
async function resolveLinks(path: string): Promise<string | null> {
  return realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
}

function refuseWith(status: number): Response {
  return new Response(null, { status, headers: { 'Content-Security-Policy': NOTHING_POLICY, ...HEADERS } })
}
