/**
 * A strict profile: the whole relative path of a camera's files, every part typed, so that a person can confirm that
 * names of this form say who, which day and which eye. Nothing in it matches any text.
 */
import { z } from 'zod'
import { ENDINGS, IMAGE_TYPES, type ImageType } from './image-files.ts'

/** A check digit or letter that every id of a format carries; `formats.ts` computes them. */
export const CHECKS = ['luhn', 'mod11', 'letter23', 'norwegian', 'cpf', 'rut'] as const

const idFormatSchema = z.object({
  /** `9` is a digit, `A` a letter, anything else itself; letters that are the same in all ids are lower case. */
  shape: z.string().regex(/^[9A\p{Ll}\p{Lo}\p{M}'’. \-_]{1,64}$/u),
  check: z.enum(CHECKS).nullable().default(null),
})

export type IdFormat = z.infer<typeof idFormatSchema>

/**
 * `YYYY` or `YY`, `MM` or `M`, `DD` or `D`, each at most once, with single separators. A format without all three is a
 * part of a date, such as the folder of a month.
 */
const dateFormatSchema = z
  .string()
  .regex(/^(?:YYYY|YY|MM?|DD?)(?:[-._ ]?(?:YYYY|YY|MM?|DD?)){0,2}$/)
  .refine((format) => !/([YMD])(?!\1).*\1/.test(format))

/** `HH H MM SS mmm AM` with separators. */
const TIME_FORMAT = /^HH?[-._:h ]?MM(?:[-._:m ]?SS(?:[-._:]?mmm)?s?)?(?:[-._ ]?AM)?$/

const term = z.string().regex(/^[^/]{1,64}$/)

const partSchema = z.discriminatedUnion('kind', [
  /** Itself, ignoring case; `/` ends a folder's name. */
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(200) }),
  z.object({
    kind: z.literal('id'),
    formats: z.array(idFormatSchema).min(1).max(40),
    /** Names write the number with zeros before it, up to this many digits; the number itself has none. */
    padTo: z.number().int().min(2).max(20).nullable().default(null),
  }),
  z.object({ kind: z.literal('date'), format: dateFormatSchema, of: z.enum(['visit', 'other']) }),
  z.object({ kind: z.literal('time'), format: z.string().regex(TIME_FORMAT) }),
  z.object({
    kind: z.literal('eye'),
    right: z.array(term).min(1).max(12),
    left: z.array(term).min(1).max(12),
  }),
  /** Views and kinds of image: one of these, ignoring case. */
  z.object({ kind: z.literal('view'), terms: z.array(term).min(1).max(60) }),
  z.object({
    kind: z.literal('unique'),
    form: z.enum(['uuid', 'hex', 'digits']),
    /** The numbers of characters seen; none for a UUID. */
    lengths: z.array(z.number().int().min(1).max(64)).max(16),
  }),
  z.object({ kind: z.literal('counter'), maxDigits: z.number().int().min(1).max(3) }),
  z.object({
    kind: z.literal('name'),
    /** `unchecked`: no approved visit had a name to compare this part with. */
    of: z.enum(['last', 'first', 'both', 'unchecked']),
    /** Written between words instead of a space. */
    joint: z.enum(['_']).nullable().default(null),
  }),
])

/** One part of a path. Words, formats and lengths are closed lists: what is not in them does not match. */
export type StrictPart = z.infer<typeof partSchema>

type NameOfType<Type> = Type extends `${string}/${infer Name}` ? Name : never

export type ExtensionClass = NameOfType<ImageType> | 'jpeg2000' | 'none'

/** The kinds of files by their extension; `none` has no extension. */
export const EXTENSION_CLASSES = Object.fromEntries([
  ...IMAGE_TYPES.map((type) => [type.replace(/^\w+\//, ''), ENDINGS[type]]),
  ['jpeg2000', ['jp2', 'j2k', 'jpx']],
  ['none', []],
]) as Readonly<Record<ExtensionClass, readonly string[]>>

const extensionSchema = z.enum(Object.keys(EXTENSION_CLASSES) as [ExtensionClass, ...ExtensionClass[]])

const MAX_NAME_PARTS = 4

const confirmationSchema = z.object({
  by: z.string().min(1).max(100).describe('The initials of the person who confirmed it.'),
  at: z.iso.datetime().describe('When, as an ISO instant. It proves only files that were first seen later.'),
  digest: z
    .string()
    .describe(
      'The digest of the parts and extensions that were confirmed. If it differs, the profile is unconfirmed.',
    ),
  station: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'The id of the station at which it was confirmed. `null`: unknown, treated as another station.',
    ),
})

export const confirmedProfileSchema = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,60}$/)
    .describe('The name of the profile inside its folder: lowercase letters, digits and dashes.'),
  parts: z
    .array(partSchema)
    .min(1)
    .max(60)
    .refine((parts) => parts.some(({ kind }) => kind === 'id'), {
      message: 'The pattern has no history number.',
    })
    .refine((parts) => parts.filter(({ kind }) => kind === 'name').length <= MAX_NAME_PARTS, {
      message: `The pattern has more than ${MAX_NAME_PARTS} names.`,
    })
    .refine((parts) => parts.every(hasTwoEyes), { message: 'A word means the right and the left eye.' })
    .describe(
      'The parts of the whole path, without the extension, in order, as the station writes them: copy them unchanged.',
    ),
  extensions: z.array(extensionSchema).min(1).describe('The kinds of files that it reads.'),
  confirmed: confirmationSchema
    .nullable()
    .default(null)
    .describe(
      'Who confirmed it, when and where, with the digest of what was confirmed. `null`: it proves nothing.',
    ),
  proposes: z
    .boolean()
    .default(false)
    .describe(
      'A person has marked its parts on one path: until it is confirmed, it proposes what the names say.',
    ),
})

export type ConfirmedProfile = z.infer<typeof confirmedProfileSchema>

export type Confirmation = z.infer<typeof confirmationSchema>

function hasTwoEyes(part: StrictPart): boolean {
  if (part.kind !== 'eye') return true
  const onTheRight = new Set(part.right.map((term) => term.toLowerCase()))
  return !part.left.some((term) => onTheRight.has(term.toLowerCase()))
}

/** The pattern as people read it: `{historyNumber}/{date:YYYYMMDD}_{eye}_{number}`. */
export function patternTextOf({ parts }: Pick<ConfirmedProfile, 'parts'>): string {
  return parts.map(partText).join('')
}

const NAME_TEXTS = { last: 'lastName', first: 'firstName', both: 'name', unchecked: 'name' } as const

function partText(part: StrictPart): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'id':
      return '{historyNumber}'
    case 'date':
      return part.of === 'visit' ? `{date:${part.format}}` : `{otherDate:${part.format}}`
    case 'time':
      return `{time:${part.format}}`
    case 'eye':
      return '{eye}'
    case 'view':
      return '{view}'
    case 'unique':
      return '{unique}'
    case 'counter':
      return '{number}'
    case 'name':
      return `{${NAME_TEXTS[part.of]}}`
  }
}
