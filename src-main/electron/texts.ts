/** The texts that the host shows itself: the tray, notices, dialogs, and the page in place of the screens. */
import { createInstance, type TFunction } from 'i18next'
import { SentenceBook } from '../../src-shared/sentence-book.ts'
import english from '../../src-shared/texts/en/host.json' with { type: 'json' }
import spanish from '../../src-shared/texts/es/host.json' with { type: 'json' }
import spanishAtStart from '../../src-shared/texts/es/start.json' with { type: 'json' }
import { type Language, TEXT_OPTIONS, withPluralForms } from '../../src-shared/texts/texts.ts'

/** The texts in one language: `t('tray.open')`. Ask again for each text: a person may choose another language. */
export type HostTexts = { readonly language: Language; readonly t: TFunction<'host'> }

const translator = createInstance()
void translator.init({
  ...TEXT_OPTIONS,
  // Nothing is loaded, so all texts are there when this returns.
  initAsync: false,
  lng: 'en',
  resources: { en: { host: english }, es: withPluralForms('es', { host: spanish }) },
})

export function hostTexts(language: Language): HostTexts {
  return { language, t: translator.getFixedT(language, 'host') }
}

const startBook = new SentenceBook(spanishAtStart)

/**
 * Translates what the station reports before there are screens: why it cannot open, and what a recovery did. A sentence
 * without a translation stays English.
 */
export function translateAtStart(message: string, language: Language): string {
  return language === 'es' ? startBook.translate(message) : message
}
