/** Plural forms that a language has and English has not. */
import type { Resource, ResourceKey } from 'i18next'

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
