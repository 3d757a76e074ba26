/** The bytes of a file for a case by hand, which a person hands over through the screens. */
import { z } from 'zod'

/** Where both hosts take them: `POST /files?name=…`, with the file as the body. */
export const FILES_PATH = '/files'

/** What the address of a file that is handed over says of it. Chromium states no length on a scheme of one's own. */
export function readUploadQuery(search: { get(name: string): string | null }): {
  readonly name: string
  readonly sizeBytes: number | null
} {
  const size = search.get('size') ?? ''
  return { name: search.get('name') ?? '', sizeBytes: /^\d{1,15}$/.test(size) ? Number(size) : null }
}

export const uploadedFileSchema = z.object({
  /** For `submissions.create`; a file that no case takes is removed after a day. */
  path: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
})
export type UploadedFile = z.infer<typeof uploadedFileSchema>
