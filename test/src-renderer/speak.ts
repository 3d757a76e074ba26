import i18next from 'i18next'
import { startLanguage, loadAllTexts } from '../../src-renderer/i18n/i18n.ts'
import { type Language } from '../../src-shared/texts/texts.ts'

// Screens show a text without its value; a test fails.
i18next.options.missingInterpolationHandler = (text: string, [placeholder]: RegExpExecArray): never => {
  throw new Error(`${placeholder} has no value in: ${text}`)
}

/** Speaks a language from now on, as in a browser that asks for it and in which no one has chosen. */
export async function speak(language: Language): Promise<void> {
  const browser = {
    localStorage: { getItem: () => null },
    navigator: { languages: [language] },
    document: { documentElement: { lang: '' } },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a window as choosing a language needs
  await startLanguage(browser as unknown as Window)
  await loadAllTexts()
}
