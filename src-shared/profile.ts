/** Profiles: how the files of one camera become submissions, described by the names that the camera writes. */
import { z } from 'zod'
import { patternProblem } from './profile-pattern.ts'

const patternSchema = z
  .string()
  .min(1)
  .max(300)
  .superRefine((pattern, context) => {
    const problem = patternProblem(pattern)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem.message })
  })

const eyeTermSchema = z.string().min(1).max(40)

/**
 * A profile other than `auto`. Names that its patterns do not match are read as `auto` reads them; `profile-pattern.ts`
 * describes the language of the patterns.
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
      { message: 'The same word means the right and the left eye.' },
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
      'The field behind each CSV heading, XML element or JSON name that the station does not know, or `birth_date`, `eye` or `file`.',
    ),
})

export type Profile = z.infer<typeof profileSchema>

function foldText(term: string): string {
  return term.normalize('NFC').toLowerCase()
}

const EIDON_PATTERNS = [
  '{historyNumber}-{eye}-{number}-{view}-{number}',
  '{historyNumber}-{eye}-{number}-{view}',
]

/**
 * Profiles for known export layouts, each below an example path. If the names of a layout do not state an eye or a
 * date, no pattern reads it: content, data files or a person provide it.
 */
const LAYOUTS: readonly z.input<typeof profileSchema>[] = [
  // 105-10-0001-2_/105-10-0001-2_Retina_OD_20260602_121802.jpg
  {
    id: 'retcam',
    title: 'RetCam: a folder for each subject, eye and time in the name',
    patterns: ['{historyNumber}[_]/{historyNumber}_Retina_{eye}_{date}_{time}'],
  },
  // 105-10-0001-2/7f0c2a9e.jpg
  {
    id: 'unique-names',
    title: 'A folder for each subject, names without meaning (older RetCam)',
    patterns: ['{historyNumber}[_]/{unique}'],
  },
  // Ana_Lopez_10000001_14-02-2025/FOP/3.00.05.120_PM.jpg
  {
    id: 'remidio-fop',
    title: 'Remidio FOP: names, number and date (day first) in the folder',
    patterns: ['{name}_{historyNumber}_{date}/FOP/{time}'],
    dateOrder: 'dmy',
    nameOrder: 'firstLast',
    leaveAlone: ['REPORTS'],
  },
  // 2.16.840.1.114517.10.5.1.4.1.20260602101500.2.1.dcm
  { id: 'topcon-dicom', title: 'Topcon Maestro2, Triton: DICOM with UIDs as names' },
  // HC-004512-OD-0-visible-1.dcm
  {
    id: 'eidon',
    title: 'iCare EIDON: all images',
    patterns: EIDON_PATTERNS,
  },
  // HC-004512-OD-0-visible-1.dcm
  {
    id: 'eidon-photos',
    title: 'iCare EIDON: colour photographs only, no infrared and no mosaic',
    patterns: EIDON_PATTERNS,
    leaveAlone: ['infrared', '0-af', '11-visible', 'mosaic'],
  },
  // HC-004512_2.25.297362505.dcm
  {
    id: 'optomed-dicom',
    title: 'Optomed Aurora: history number and UID, the rest in DICOM',
    patterns: ['{historyNumber}_{unique}'],
  },
  // DICOM/00000001
  {
    id: 'dicom-media',
    title: 'DICOM media with DICOMDIR: names without meaning',
  },
  // 20260602_38557_0100_PP.tif
  {
    id: 'topcon-trc',
    title: 'Topcon TRC: date, number and sequence',
    patterns: ['{date}_{historyNumber}_{number}_PP'],
  },
  // E0000043/DS000DGS.JPG
  {
    id: 'camera-back',
    title: 'A camera back: a folder for each examination, the names of the camera',
    patterns: [
      '{historyNumber}/DS{unique}',
      '{historyNumber}/IMG_{number}',
      '{historyNumber}/_MG_{number}',
      '{historyNumber}/DSC_{number}',
      '{historyNumber}/_DSC{number}',
    ],
  },
  // 347/347_l1.jpg
  {
    id: 'patient-eye-view',
    title: 'History number, letter of the eye, number of the view',
    patterns: ['{historyNumber}/{historyNumber}_{eye}{number}'],
  },
  // ClinicaSur/LOPEZ GARCIA ANA_004512/20260602-101502_OS_Color_a81f.jpg
  {
    id: 'phelcom-eyer',
    title: 'Phelcom Eyer: name and number in the folder, date, eye and kind in the file',
    patterns: ['{name}_{historyNumber}/{date}-{time}_{eye}_{view}[_{unique}]'],
  },
  // 004512_R_1.bmp
  {
    id: 'flat-with-manifest',
    title: 'One folder for all: number and eye in the name, data file beside',
    patterns: ['{historyNumber}_{eye}[_{number}]'],
  },
]

export const SHIPPED_PROFILES: readonly Profile[] = LAYOUTS.map((layout) => profileSchema.parse(layout))

/** The clinic's own take precedence over the shipped ones. Null for `auto` and unknown ids. */
export function profileById(id: string, own: readonly Profile[]): Profile | null {
  if (id === 'auto') return null
  const isIt = (profile: Profile): boolean => profile.id === id
  return own.find(isIt) ?? SHIPPED_PROFILES.find(isIt) ?? null
}
