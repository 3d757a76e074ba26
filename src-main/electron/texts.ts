/** The texts that the host shows itself: the tray, notices, dialogs, and the page in place of the screens. */
import { createInstance, type i18n, type Resource, type TFunction } from 'i18next'
import englishHost from '../../src-shared/texts/en/host.json' with { type: 'json' }
import spanishHost from '../../src-shared/texts/es/host.json' with { type: 'json' }
import spanishStart from '../../src-shared/texts/es/start.json' with { type: 'json' }
import { type Language, TEXT_OPTIONS, withPluralForms } from '../../src-shared/texts/texts.ts'
import { type Message, phrase } from '../../src-shared/wording.ts'

/** The texts in one language. Ask again for each text: a person may choose another language. */
export type HostTexts = {
  readonly language: Language
  readonly t: TFunction<'host'>
  /** What the station reports before there are screens: why it cannot open, and what a recovery did. */
  readonly messageOf: (message: Message) => string
}

/** Nothing is loaded, so all texts are there when this returns. */
function translatorOf(lng: Language, resources: Resource[string]): i18n {
  const translator = createInstance()
  void translator.init({ ...TEXT_OPTIONS, initAsync: false, lng, resources: { [lng]: resources } })
  return translator
}

const TRANSLATORS: Readonly<Record<Language, i18n>> = {
  // A message of the station has its English with it.
  en: translatorOf('en', { host: englishHost }),
  es: translatorOf('es', withPluralForms('es', { host: spanishHost, start: spanishStart })),
}

export function hostTexts(language: Language): HostTexts {
  const translator = TRANSLATORS[language]
  return {
    language,
    t: translator.getFixedT(language, 'host'),
    messageOf: ({ message, wording }) => (wording && phrase(translator, wording)) ?? message,
  }
}
