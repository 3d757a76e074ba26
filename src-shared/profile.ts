/** How the files of one camera become submissions: what a clinic may say about the names that its camera writes. */
import { z } from 'zod'
import { patternTrouble } from './profile-pattern.ts'

const patternSchema = z
  .string()
  .min(1)
  .max(300)
  .superRefine((pattern, context) => {
    const message = patternTrouble(pattern)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

const eyeWordSchema = z.string().min(1).max(40)

/**
 * A profile beside `auto`. What its patterns do not read is read as `auto` does.
 *
 * A pattern describes the end of a path inside the watched folder, without the extension, with `/` between folders:
 * `{historyNumber}_/{historyNumber}_Retina_{eye}_{date}_{time}`. Parts in braces are read, all else is literal; the
 * language is described in `profile-pattern.ts`.
 */
export const profileSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'small letters, digits and dashes'),
  title: z.string().min(1).max(80),
  /**
   * Tried in this order; the first that fits reads the file. One whose dates and eye words can be read goes before one
   * that fits in shape only.
   */
  patterns: z.array(patternSchema).max(20).default([]),
  /** Whole words that state an eye in these names, also single letters, beside the ones that everybody knows. */
  eyeWords: z
    .object({
      right: z.array(eyeWordSchema).max(50).default([]),
      left: z.array(eyeWordSchema).max(50).default([]),
    })
    .refine(
      ({ right, left }) => {
        const onTheRight = new Set(right.map(folded))
        return !left.some((word) => onTheRight.has(folded(word)))
      },
      { message: 'The same word stands for the right and for the left eye.' },
    )
    .prefault({}),
  /** How dates are written in names and data files where the year does not stand first. */
  dateOrder: z.enum(['ymd', 'dmy', 'mdy']).default('ymd'),
  /** Which name stands first where one part, or DICOM, holds both. */
  nameOrder: z.enum(['lastFirst', 'firstLast']).default('lastFirst'),
  /** Files whose names hold one of these words are left alone: infrared, mosaic. */
  leaveAlone: z.array(z.string().min(1).max(40)).max(50).default([]),
  /** Headings of CSV columns, XML elements and JSON names, and the field (or `birth_date`, `eye`, `file`) they hold. */
  columns: z.record(z.string(), z.string()).default({}),
})
export type Profile = z.infer<typeof profileSchema>

function folded(word: string): string {
  return word.normalize('NFC').toLowerCase()
}
