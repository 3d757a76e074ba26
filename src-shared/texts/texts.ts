/** The languages of this program. Their texts lie beside this file, a folder a language, and i18next reads them. */
import type { InitOptions, Resource, ResourceKey } from 'i18next'

export const LANGUAGES = ['en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

export function isLanguage(value: unknown): value is Language {
  return (LANGUAGES as readonly unknown[]).includes(value)
}

/** The first of the wanted languages that there is, else English: `es-MX`, `es_ES.UTF-8` and the like are Spanish. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base = ''] = tag.toLowerCase().split(/[-_]/)
    if (isLanguage(base)) return base
  }
  return 'en'
}

/** What every i18next of this program starts with. A missing text shows its key, never another language. */
export const TEXT_OPTIONS = {
  fallbackLng: false,
  // React and the pages of the host escape what they show.
  interpolation: { escapeValue: false },
  returnNull: false,
} as const satisfies InitOptions

/**
 * Adds the plural forms that the language has beside `one` and `other`: Spanish needs `_many` from a million on. The
 * texts have no such counts, so each of these forms is the text of `_other`, unless the file has one.
 */
export function withPluralForms(language: Language, texts: Resource[string]): Resource[string] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const more = pluralCategories.filter((category) => category !== 'one' && category !== 'other')
  if (more.length === 0) return texts
  return Object.fromEntries(Object.entries(texts).map(([name, part]) => [name, withForms(part, more)]))
}

function withForms(texts: ResourceKey, more: readonly string[]): ResourceKey {
  if (typeof texts === 'string') return texts
  const all: Record<string, ResourceKey> = {}
  for (const [name, text] of Object.entries(texts)) {
    all[name] = withForms(text, more)
    if (!name.endsWith('_other')) continue
    const stem = name.slice(0, -'other'.length)
    for (const category of more) all[`${stem}${category}`] ??= text
  }
  return { ...all, ...texts }
}
