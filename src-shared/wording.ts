/**
 * Messages by key. The station says what happened as a key with values; the words are in `src-shared/texts`, once a
 * language. The English words go along as `message`, for logs, scripts and readers that do not know the key.
 */
import { createInstance, type i18n } from 'i18next'
import { z } from 'zod'
import call from './texts/en/call.json' with { type: 'json' }
import failure from './texts/en/failure.json' with { type: 'json' }
import field from './texts/en/field.json' with { type: 'json' }
import intake from './texts/en/intake.json' with { type: 'json' }
import outbox from './texts/en/outbox.json' with { type: 'json' }
import sending from './texts/en/sending.json' with { type: 'json' }
import start from './texts/en/start.json' with { type: 'json' }
import { TEXT_OPTIONS } from './texts/texts.ts'

/** The files of texts with which the station speaks. */
const TEXTS = { call, failure, field, intake, outbox, sending, start }

type Leaves<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string ? Name : `${Name}.${Leaves<Texts[Name]>}`
}[keyof Texts & string]

type WithoutPlural<Key extends string> = Key extends `${infer Stem}_${'one' | 'other'}` ? Stem : Key

/** `failure:offline.message`: the file of texts, and the path in it. */
export type WordingKey = {
  [File in keyof typeof TEXTS]: `${File}:${WithoutPlural<Leaves<(typeof TEXTS)[File]>>}`
}[keyof typeof TEXTS]

/** What the keys of a group end with: `NameIn<'intake:zip'>`. */
export type NameIn<Group extends string, Key = WordingKey> = Key extends `${Group}.${infer Name}`
  ? Name
  : never

/** A list of wordings is shown with commas. */
export type WordingValue = string | number | Wording | readonly Wording[]

export type Wording = {
  /** A `WordingKey`, or a key of another version of this program. */
  readonly key: string
  readonly values?: Readonly<Record<string, WordingValue>> | undefined
}

export const wordingSchema: z.ZodType<Wording> = z.object({
  key: z.string().max(200),
  get values() {
    return z
      .record(z.string(), z.union([z.string(), z.number(), wordingSchema, z.array(wordingSchema)]))
      .optional()
  },
})

/** A message for people; rows of older versions have no wording and stay English. */
export type Message = { readonly message: string; readonly wording?: Wording | undefined }

/** The fields of a `Message`. A wording that cannot be read is none: the message says the same in English. */
export const messageFields = { message: z.string(), wording: wordingSchema.optional().catch(undefined) }

export function wordingOf(key: WordingKey, values?: Wording['values']): Wording {
  return values === undefined ? { key } : { key, values }
}

/** The message of this key, with its English words: `{ ...worded('intake:zip.tooLarge', { name }) }`. */
export function worded(key: WordingKey, values?: Wording['values']): Message & { readonly wording: Wording } {
  const wording = wordingOf(key, values)
  return { message: inEnglish(wording), wording }
}

/** A message as a value of another one; in English if it is of another version, whose key has no words here. */
export function quoted({ message, wording }: Message): WordingValue {
  return wording !== undefined && phrase(inEnglishTexts(), wording) !== null ? wording : message
}

/** English words of wordings without values, by their keys: i18next takes about 50 µs to find them. */
const withoutValues = new Map<string, string>()

export function inEnglish(wording: Wording): string {
  const { key, values } = wording
  const known = values === undefined ? withoutValues.get(key) : undefined
  if (known !== undefined) return known
  const text = phrase(inEnglishTexts(), wording)
  if (text !== null && values === undefined) withoutValues.set(key, text)
  return text ?? key
}

/** The words of a wording and of those among its values; null if this version has no words for a key. */
export function phrase(texts: Pick<i18n, 't' | 'exists'>, { key, values = {} }: Wording): string | null {
  const filled: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(values)) {
    const text = phraseOfValue(texts, value)
    if (text === null) return null
    filled[name] = text
  }
  const isKnown = (name: string): name is WordingKey => texts.exists(name, filled)
  return isKnown(key) ? texts.t(key, filled) : null
}

function phraseOfValue(texts: Pick<i18n, 't' | 'exists'>, value: WordingValue): string | number | null {
  if (typeof value !== 'object') return value
  if ('key' in value) return phrase(texts, value)
  const parts = value.map((part) => phrase(texts, part))
  return parts.includes(null) ? null : parts.join(', ')
}

/** Made for the first message: a thread that never says one does without. */
let english: i18n | undefined

function inEnglishTexts(): i18n {
  if (english !== undefined) return english
  english = createInstance()
  // Nothing is loaded, so all texts are there when this returns.
  void english.init({ ...TEXT_OPTIONS, initAsync: false, lng: 'en', resources: { en: TEXTS } })
  return english
}
