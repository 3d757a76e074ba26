/**
 * Which language the screens speak. It belongs to the person at this screen and not to the station, so it is kept in
 * the browser, and follows the system until somebody chooses.
 */
import i18next from 'i18next'
import type { Resource } from 'i18next'
import { create } from 'zustand'
import type { Sentences } from '../../src-shared/sentence-book.ts'
import {
  isLanguage,
  type Language,
  languageFor,
  TEXT_OPTIONS,
  withPluralForms,
} from '../../src-shared/texts/texts.ts'
import { sayBy } from './said.ts'

/** `auto`: as the system. */
export type LanguageChoice = Language | 'auto'

const KEY = 'fundus-courier.language'

type LoadTexts = () => Promise<Resource[string]>

/** Only the language that is spoken is loaded: what the first page needs at once, the rest with the screens. */
const FIRST_WORDS: Readonly<Record<Language, LoadTexts>> = {
  en: async () => (await import('./english-first.ts')).englishFirst,
  es: async () => (await import('./spanish-first.ts')).spanishFirst,
}
const OTHER_WORDS: Readonly<Record<Language, LoadTexts>> = {
  en: async () => (await import('./english-rest.ts')).englishRest,
  es: async () => (await import('./spanish-rest.ts')).spanishRest,
}

/** What the station says; it says it in English. */
const SENTENCES: Readonly<Record<Language, (() => Promise<Sentences>) | null>> = {
  en: null,
  es: async () =>
    (await import('../../src-shared/texts/es/station.json', { with: { type: 'json' } })).default,
}

type Spoken = { readonly language: Language; readonly choice: LanguageChoice }
const spoken = create<Spoken>(() => ({ language: 'en', choice: 'auto' }))

/** The language that is spoken now; what depends on it is drawn anew when it changes. */
export function useLanguage(): Language {
  return spoken((state) => state.language)
}

/** The same for what draws nothing itself, such as the forms of dates: whoever shows it is drawn anew. */
export function languageNow(): Language {
  return spoken.getState().language
}

export function useLanguageChoice(): LanguageChoice {
  return spoken((state) => state.choice)
}

/** Tells every choice from now on, and the one that was kept when the screens begin to speak. */
export function onLanguageChoice(listener: (choice: LanguageChoice) => void): void {
  spoken.subscribe(({ choice }) => listener(choice))
}

/** Were the words of all screens asked for? Then another language begins with all of its words. */
let areAllNeeded = false

/** Waits for the words of the screens that do not stand on the first page. Whoever fetches such a screen asks. */
export async function learnAllWords(): Promise<void> {
  areAllNeeded = true
  const language = languageNow()
  if (i18next.hasResourceBundle(language, 'settings')) return
  const words = withPluralForms(language, await OTHER_WORDS[language]())
  for (const [room, texts] of Object.entries(words)) i18next.addResourceBundle(language, room, texts)
}

/** Begins to speak a language, or goes on in another one. */
async function speak(language: Language): Promise<void> {
  const [first, rest, sentences] = await Promise.all([
    FIRST_WORDS[language](),
    areAllNeeded ? OTHER_WORDS[language]() : {},
    SENTENCES[language]?.() ?? null,
  ])
  const read = { ...first, ...rest }
  const words = withPluralForms(language, read)
  sayBy(sentences)
  if (i18next.isInitialized) {
    for (const [room, texts] of Object.entries(words)) i18next.addResourceBundle(language, room, texts)
    await i18next.changeLanguage(language)
    return
  }
  await i18next.init({
    ...TEXT_OPTIONS,
    lng: language,
    resources: { [language]: words },
    defaultNS: 'shell',
  })
}

/** Speaks what was chosen in this browser before, or the system's language. Before the first screen is drawn. */
export async function beginSpeaking(browser: Window): Promise<void> {
  const kept = browser.localStorage.getItem(KEY) ?? ''
  await take(isLanguage(kept) ? kept : 'auto', browser)
}

/** Keeps the choice in this browser and speaks by it at once. */
export async function chooseLanguage(choice: LanguageChoice, browser: Window): Promise<void> {
  if (choice === 'auto') browser.localStorage.removeItem(KEY)
  else browser.localStorage.setItem(KEY, choice)
  await take(choice, browser)
}

async function take(choice: LanguageChoice, browser: Window): Promise<void> {
  const language = choice === 'auto' ? languageFor(browser.navigator.languages) : choice
  await speak(language)
  browser.document.documentElement.lang = language
  spoken.setState({ language, choice })
}
