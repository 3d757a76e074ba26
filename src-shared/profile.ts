/** How the files of one camera become submissions: what a clinic may say about the names that its camera writes. */
import { z } from 'zod'
import { patternProblem } from './profile-pattern.ts'

const patternSchema = z
  .string()
  .min(1)
  .max(300)
  .superRefine((pattern, context) => {
    const message = patternProblem(pattern)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

const eyeTermSchema = z.string().min(1).max(40)

/**
 * A profile beside `auto`. What its patterns do not read is read as `auto` does.
 *
 * A pattern describes the end of a path inside the watched folder, without the extension, with `/` between folders:
 * `{historyNumber}_/{historyNumber}_Retina_{eye}_{date}_{time}`. Parts in braces are read, all else is literal; the
 * language is described in `profile-pattern.ts`.
 */
export const profileSchema = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'small letters, digits and dashes')
    .describe('The name for `folders[].profile`: lowercase letters, digits and dashes.'),
  title: z.string().min(1).max(80).describe('The name on the screens.'),
  patterns: z
    .array(patternSchema)
    .max(20)
    .default([])
    .describe(
      'Patterns for the path below the watched folder, without the extension, such as `{historyNumber}_{date}_{eye}`. The first match reads the file; one whose dates and eyes can be read goes before one that matches in shape only.',
    ),
  eyeWords: z
    .object({
      right: z
        .array(eyeTermSchema)
        .max(50)
        .default([])
        .describe(
          'Whole words, or single letters, that mean the right eye, in addition to the built-in ones.',
        ),
      left: z
        .array(eyeTermSchema)
        .max(50)
        .default([])
        .describe(
          'Whole words, or single letters, that mean the left eye, in addition to the built-in ones.',
        ),
    })
    .refine(
      ({ right, left }) => {
        const onTheRight = new Set(right.map(foldText))
        return !left.some((term) => onTheRight.has(foldText(term)))
      },
      { message: 'The same word stands for the right and for the left eye.' },
    )
    .prefault({}),
  dateOrder: z
    .enum(['ymd', 'dmy', 'mdy'])
    .default('ymd')
    .describe('The order of dates, in names and data files, in which the year does not come first.'),
  nameOrder: z
    .enum(['lastFirst', 'firstLast'])
    .default('lastFirst')
    .describe('Which name comes first if one part, or DICOM, holds both.'),
  leaveAlone: z
    .array(z.string().min(1).max(40))
    .max(50)
    .default([])
    .describe(
      'Files whose names contain one of these words are skipped, such as infrared images or mosaics.',
    ),
  columns: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'The field behind each CSV heading, XML element or JSON name that the station does not know by itself, or `birth_date`, `eye` or `file`.',
    ),
})
export type Profile = z.infer<typeof profileSchema>

function foldText(term: string): string {
  return term.normalize('NFC').toLowerCase()
}
