/** What a dry run of a profile tells: how the files of a folder would be grouped, and what would stay unclear. */
import { z } from 'zod'
import { eyeSchema } from './eye.ts'
import { fieldsSchema, fieldNameSchema } from './fields.ts'
import { IMAGE_TYPES } from './image-type.ts'
import { fileNoteSchema } from './station-status.ts'
import { warningSchema, reasonSchema, sourceSchema } from './submission.ts'

export const profileDryRunSchema = z.object({
  /** All files that lie there, but for the junk of operating systems. */
  fileCount: z.number().int(),
  /** How many of them were tried: the newest, where there are very many. */
  triedCount: z.number().int(),
  visits: z.array(
    z.object({
      fields: fieldsSchema,
      sources: z.partialRecord(fieldNameSchema, sourceSchema),
      images: z.array(
        z.object({
          fileName: z.string(),
          contentType: z.enum(IMAGE_TYPES),
          eye: eyeSchema,
          eyeSource: sourceSchema.nullable(),
          /** The file that this one shows once more. */
          twinOf: z.string().nullable(),
        }),
      ),
      /** What a person would be asked. */
      reasons: z.array(reasonSchema),
      oddities: z.array(warningSchema),
    }),
  ),
  /** Files that would become no image of a case, each with a sentence. */
  notes: z.array(fileNoteSchema),
})
export type ProfileDryRun = z.infer<typeof profileDryRunSchema>
