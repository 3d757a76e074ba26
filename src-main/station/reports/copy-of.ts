/** What of a report lies in the clinic's folder, and under which ending. */
import type { ReportKind } from '../../../src-shared/report.ts'

const IMAGE_ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const ENDINGS: Readonly<Record<Exclude<ReportKind, 'image'>, string>> = {
  pdf: 'pdf',
  json: 'json',
  html: 'html',
  text: 'txt',
  link: 'url',
  unknown: 'bin',
}

export function endingOf(kind: ReportKind, contentType: string): string {
  return kind === 'image' ? (IMAGE_ENDINGS[contentType] ?? 'img') : ENDINGS[kind]
}

/** Documents go as they came; an address alone becomes a file that opens it. */
export function copyOf(kind: ReportKind, bytes: Uint8Array): Uint8Array {
  if (kind !== 'link') return bytes
  const address = Buffer.from(bytes)
    .toString('utf8')
    .replace(/[\s\p{Cc}]/gu, '')
  return Buffer.from(`[InternetShortcut]\r\nURL=${address}\r\n`)
}
