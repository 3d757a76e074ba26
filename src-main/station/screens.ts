/** The built screens as both hosts serve them: their content security policy, and files from their folder. */
import { realpath, stat } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import type { ServedBytes } from './api.ts'
import { errorCode } from './lib/errors.ts'

/**
 * The screens may load only what we built and serve. Inline styles are allowed because the component library writes
 * its theme into a style element; inline scripts are not. Sent as a header, because a meta element can be bypassed.
 */
export const SCREEN_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  // Frames that the screens fill with `srcdoc` need no permission; nothing else is ever framed.
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Chromium refuses module scripts and workers with a wrong type, because both hosts send `nosniff`. */
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
  '.wasm': 'application/wasm',
}

/** Codes of paths that lead to nothing; the last two are too long, or hold a zero byte. */
const NOTHING_THERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']

/** The file of this decoded path; null if there is none, or if the path or a link leads out of the folder. */
export async function findScreen(folder: string, path: string): Promise<ServedBytes | null> {
  const root = await resolveLinks(resolve(folder))
  const file = await resolveLinks(join(resolve(folder), path))
  if (root === null || !file?.startsWith(root + sep)) return null
  const found = await stat(file)
  const contentType = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'
  return found.isFile() ? { path: file, contentType, sizeBytes: found.size } : null
}

/** The path with links resolved; null if there is nothing. Any other error may pass and is thrown. */
async function resolveLinks(path: string): Promise<string | null> {
  return realpath(path).catch((error: unknown) => {
    if (NOTHING_THERE.includes(errorCode(error) ?? '')) return null
    throw error
  })
}

/** A part of an address; null if it cannot be decoded. */
export function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
