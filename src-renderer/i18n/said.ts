/** Plural forms that a language has and English has not. */
import i18next from 'i18next'
import type { Resource, ResourceKey } from 'i18next'
import type { FieldName, Measurement } from '../../src-shared/fields.ts'
import { SentenceBook, type Sentences } from '../../src-shared/sentence-book.ts'
import type { Words } from './english.ts'

/**
 * Adds to every text with `_other` the forms that the language asks for beside it: Spanish says "1 000 000 de" by a
 * form of its own (`_many`), which no count of these screens needs, but without the text its name would be shown.
 */
export function withPluralForms(language: string, words: Resource[string]): Resource[string] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const asked = pluralCategories.filter((category) => category !== 'one' && category !== 'other')
  if (asked.length === 0) return words
  return Object.fromEntries(Object.entries(words).map(([name, texts]) => [name, withForms(texts, asked)]))
}

function withForms(texts: ResourceKey, asked: readonly string[]): ResourceKey {
  if (typeof texts === 'string') return texts
  const all: Record<string, ResourceKey> = {}
  for (const [name, text] of Object.entries(texts)) {
    all[name] = withForms(text, asked)
    if (!name.endsWith('_other')) continue
    const stem = name.slice(0, -'other'.length)
    for (const category of asked) all[`${stem}${category}`] ??= text
  }
  return { ...all, ...texts }
}

declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface CustomTypeOptions {
    resources: Words
    defaultNS: 'shell'
    returnNull: false
  }
}

/**
 * The words of the screens: `t('queue:columns.state')`. Asked for while a screen is drawn, never while a module is
 * loaded: the language is chosen after that.
 */
export const t = i18next.t

/** A field's name as a label; measurements carry their eye: `IOP, right eye \u2013 OD`. */
export function fieldLabel(name: FieldName): string {
  const match = /^(od|os)_(.+)$/.exec(name)
  if (match === null) return t(`field:patient.${name as keyof Words['field']['patient']}`)
  const eye = t(`field:eye.${match[1] === 'od' ? 'right' : 'left'}.within`)
  return `${t(`field:measurement.${match[2] as Measurement}.name`)}, ${eye}`
}

// What the station says, in the language of the screens. The station speaks English, and what it said stays in the
// outbox as it was said; so each sentence is translated where it is shown, by its English.

/** Screens draw the same sentences again and again. */
const MOST_KEPT = 1_000

let book: SentenceBook | null = null

const kept = new Map<string, string>()

/** From now on the station's sentences are shown by this book; as they are where there is none. */
export function sayBy(sentences: Sentences | null): void {
  book = sentences === null ? null : new SentenceBook(sentences)
  kept.clear()
}

/** A message of the station in the language of the screens; what of it nobody has translated stays English. */
export function said(message: string): string {
  if (book === null) return message
  const before = kept.get(message)
  if (before !== undefined) return before
  const text = book.translate(message)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(message, text)
  return text
}
