/** The words of the screens in a language, for finding what a person would look for. */
import { createInstance } from 'i18next'
import type { t } from '../../../src-renderer/i18n/i18n.ts'
import { type Language, TEXT_OPTIONS, withPluralForms } from '../../../src-shared/texts/texts.ts'
import { readTexts } from '../../src-renderer/i18n/rooms.ts'

export type Say = typeof t

/** `say('queue:expand', { who: 'H-00401' })` in this language, by the rules of the screens. */
export async function wordsOf(language: Language): Promise<Say> {
  const own = createInstance()
  await own.init({
    ...TEXT_OPTIONS,
    lng: language,
    resources: { [language]: withPluralForms(language, readTexts(language)) },
    defaultNS: 'shell',
  })
  return own.t
}
