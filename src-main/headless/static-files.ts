/** Answers of the loopback server: the built screens, and bytes by id. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
}

/** Mantine writes style attributes; scripts come only from our own files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const PLAIN_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** The file in a folder that a request path names; null if the path escapes the folder. */
export function screenPath(folder: string, requestPath: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(requestPath)
  } catch {
    return null
  }
  if (decoded.includes('\0')) return null
  const path = normalize(join(folder, decoded))
  return path.startsWith(folder + sep) ? path : null
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

export type FileAnswer = {
  readonly path: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Streams a file as the whole answer; stops reading if the client disconnects. */
export async function sendFile(response: ServerResponse, file: FileAnswer): Promise<void> {
  response.writeHead(200, {
    ...PLAIN_HEADERS,
    'content-type': file.contentType,
    'content-length': file.sizeBytes,
    ...file.headers,
  })
  await pipeline(createReadStream(file.path), response).catch((error: unknown) => {
    response.destroy(error instanceof Error ? error : undefined)
  })
}

/** The page is always revalidated; files named by their content hash never change. */
function cacheControlFor(path: string): string {
  if (path.endsWith('.html')) return 'no-store'
  return path.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/** Answers with a file of the built screens; false if there is none of this name. */
export async function sendScreen(
  response: ServerResponse,
  folder: string,
  requestPath: string,
): Promise<boolean> {
  const path = screenPath(folder, requestPath === '/' ? '/index.html' : requestPath)
  if (path === null || !(await isFile(path))) return false
  const { size } = await stat(path)
  await sendFile(response, {
    path,
    contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    sizeBytes: size,
    headers: {
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cache-control': cacheControlFor(path),
    },
  })
  return true
}
