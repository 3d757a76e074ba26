/** Settings of one camera folder. */
import { z } from 'zod'
import { confirmedProfileSchema } from './confirmed-profile.ts'
import { calendarDaySchema } from './fields.ts'

export const folderSettingsSchema = z.object({
  path: z.string().min(1).describe("The camera's export folder. The station only reads it."),
  profile: z
    .string()
    .min(1)
    .max(61)
    .default('auto')
    .describe('How names are read: `auto`, the id of a supplied profile, or of one of `profiles`.'),
  confirmedProfiles: z
    .array(confirmedProfileSchema)
    .max(20)
    .refine((profiles) => new Set(profiles.map(({ id }) => id)).size === profiles.length, {
      message: 'Two confirmed profiles have the same id.',
    })
    .default([])
    .describe(
      'The strict patterns of this folder. Names that a confirmed one reads are proof; `profile` goes on proposing. The station writes them when a person confirms an offer.',
    ),
  firstReviews: z
    .enum(['five', 'waived'])
    .default('five')
    .describe(
      'A person looks at the first five visits that a profile confirmed at another station proves. `waived` counts only in an enforced policy.',
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
  visitGapMinutes: z
    .number()
    .positive()
    .max(1_440)
    .nullable()
    .default(null)
    .describe(
      'Images of one patient and day that are further apart than this belong to two visits, in minutes. `null`: they are one visit.',
    ),
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
