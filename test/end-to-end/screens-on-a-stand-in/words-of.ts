/** The words of the screens in a language, for finding what a person would look for. */
import { createInstance } from 'i18next'
import type { Language } from '../../../src-renderer/i18n/i18n.ts'
import { english } from '../../../src-renderer/i18n/english.ts'
import { spanish } from '../../../src-renderer/i18n/spanish.ts'
import { type t, withPluralForms } from '../../../src-renderer/i18n/said.ts'

export type Say = typeof t

const WORDS = { en: english, es: spanish } as const

/** `say('queue:expand', { who: 'H-00401' })` in this language, by the rules of the screens. */
export async function wordsOf(language: Language): Promise<Say> {
  const own = createInstance()
  await own.init({
    lng: language,
    resources: { [language]: withPluralForms(language, WORDS[language]) },
    defaultNS: 'shell',
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  return own.t
}
