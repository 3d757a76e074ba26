/** Settings of one camera folder. */
import { z } from 'zod'
import { confirmedProfileSchema } from './confirmed-profile.ts'
import { calendarDaySchema } from './fields.ts'

export const MOST_PROFILES = 20

const termSchema = z.string().min(1).max(40)

const termsOfEye = (eye: string) =>
  z
    .array(termSchema)
    .max(50)
    .default([])
    .describe(
      `Whole words, or single letters, that mean the ${eye} eye in names whose parts a person marks, in addition to the built-in ones.`,
    )

/** What a person knows of the files of one camera and no file states: plain settings, no description of names. */
const readingShape = {
  leaveAlone: z
    .array(termSchema)
    .max(50)
    .default([])
    .describe(
      'Files whose names contain one of these words are skipped, such as infrared images or mosaics.',
    ),
  dateOrder: z
    .enum(['ymd', 'dmy', 'mdy'])
    .default('ymd')
    .describe(
      'The order of dates in which the year does not come first: in data files, and in names whose parts a person marks.',
    ),
  nameOrder: z
    .enum(['lastFirst', 'firstLast'])
    .default('lastFirst')
    .describe('Which name comes first if one value of a data file or of DICOM holds both.'),
  eyeWords: z
    .object({ right: termsOfEye('right'), left: termsOfEye('left') })
    .refine(
      ({ right, left }) => {
        const onTheRight = new Set(right.map(foldText))
        return !left.some((term) => onTheRight.has(foldText(term)))
      },
      { message: 'The same word means the right and the left eye.' },
    )
    .prefault({}),
  columns: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'The field behind each CSV heading, XML element or JSON name that the station does not know, or `birth_date`, `eye` or `file`.',
    ),
}

export const folderReadingSchema = z.object(readingShape)

/** How the files of one folder are read. */
export type FolderReading = z.infer<typeof folderReadingSchema>

function foldText(term: string): string {
  return term.normalize('NFC').toLowerCase()
}

export const folderSettingsSchema = z.object({
  path: z.string().min(1).describe("The camera's export folder. The station only reads it."),
  ...readingShape,
  confirmedProfiles: z
    .array(confirmedProfileSchema)
    .max(MOST_PROFILES)
    .refine((profiles) => new Set(profiles.map(({ id }) => id)).size === profiles.length, {
      message: 'Two confirmed profiles have the same id.',
    })
    .default([])
    .describe(
      'The strict patterns of this folder. Names that a confirmed one reads are proof. The station writes them when a person confirms an offer, or marks the parts of a path.',
    ),
  watching: z
    .enum(['on', 'paused'])
    .default('on')
    .describe('`paused` keeps the folder in the settings without looking into it.'),
  settleSeconds: z
    .number()
    .min(0)
    .max(3_600)
    .default(5)
    .describe('How long a file must stay unchanged before it is read, in seconds.'),
  quietSeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(180)
    .describe('A visit without a new image for this long is complete, in seconds.'),
  sweepSeconds: z
    .number()
    .min(1)
    .max(86_400)
    .default(60)
    .describe('How often the whole folder is searched for files that no event announced, in seconds.'),
  existing: z
    .enum(['ask', 'include', 'ignore', 'since'])
    .optional()
    .describe(
      'What happens to files that are in the folder before the station first watches it. `since` takes those changed on or after `existingSince`. If left out, the desktop app asks and the headless host includes them.',
    ),
  existingSince: calendarDaySchema
    .optional()
    .describe('The first day for `existing: "since"`, as `YYYY-MM-DD`.'),
  dicom: z
    .enum(['unwrap', 'original'])
    .default('unwrap')
    .describe(
      'What is sent of a DICOM file: the image inside it, or the file itself. The station keeps both.',
    ),
  lease: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'A small hidden file in the folder that keeps a second station from watching it. It is the only file the station ever writes there.',
    ),
  sendWithoutReview: z
    .boolean()
    .default(false)
    .describe(
      'Send a complete case without approval, provided that all of it is proven: by DICOM attributes, by data files of its images, or by names that a person has confirmed.',
    ),
})
export type FolderSettings = z.infer<typeof folderSettingsSchema>
