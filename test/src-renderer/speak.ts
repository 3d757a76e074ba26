import i18next from 'i18next'
import { startLanguage, loadAllTexts } from '../../src-renderer/i18n/i18n.ts'
import { type Language } from '../../src-shared/texts/texts.ts'

// Screens show a text without its value; a test fails.
i18next.options.missingInterpolationHandler = (text: string, [placeholder]: RegExpExecArray): never => {
  throw new Error(`${placeholder} has no value in: ${text}`)
}

/** As much of a window as choosing a language needs. */
export function browserOf(languages: readonly string[]) {
  const kept = new Map<string, string>()
  const documentElement = { lang: '' }
  const browser = {
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    },
    navigator: { languages },
    document: { documentElement },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return { window: browser as unknown as Window, documentElement, kept }
}

/** Speaks a language from now on, as in a browser that asks for it and in which no one has chosen. */
export async function speak(language: Language): Promise<void> {
  await startLanguage(browserOf([language]).window)
  await loadAllTexts()
}
