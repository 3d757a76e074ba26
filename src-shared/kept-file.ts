/** The bytes of a file for a case by hand, which a person hands over through the screens. */
import { z } from 'zod'

/** Where both hosts take them: `POST /files?name=…`, with the file as the body. */
export const FILES_PATH = '/files'

export const keptFileSchema = z.object({
  /** For `submissions.create`; a file that no case takes is removed after a day. */
  path: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
})
export type KeptFile = z.infer<typeof keptFileSchema>
