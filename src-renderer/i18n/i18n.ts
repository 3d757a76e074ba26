/** The language of the screens and their texts. It belongs to the person at this browser and not to the station. */
import i18next, { type FormatterModule, type ResourceKey } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { create } from 'zustand'
import type { Failure, FailureKind } from '../../src-shared/failure.ts'
import type { FieldName, Measurement } from '../../src-shared/fields.ts'
import type { Texts } from '../../src-shared/texts/english.ts'
import {
  isLanguage,
  type Language,
  languageFor,
  TEXT_OPTIONS,
  withPluralForms,
} from '../../src-shared/texts/texts.ts'
import { type Message, phrase } from '../../src-shared/wording.ts'

export type LanguageChoice = Language | 'auto'

const KEY = 'fundus-courier.language'

/** Only the language that is shown is loaded: what the first page needs at once, the rest with the other screens. */
const FIRST_PAGE = {
  en: () => import('../../src-shared/texts/en/first-page.ts'),
  es: () => import('../../src-shared/texts/es/first-page.ts'),
}
const OTHER_SCREENS = {
  en: () => import('../../src-shared/texts/en/other-screens.ts'),
  es: () => import('../../src-shared/texts/es/other-screens.ts'),
}

/** Whole numbers in a text are written as those beside it: `1,100`. */
const NUMBERS: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: string | number) =>
    Number.isInteger(value) ? value.toLocaleString(languageNow()) : (value as string),
}

void i18next
  .use(initReactI18next)
  .use(NUMBERS)
  .init({
    ...TEXT_OPTIONS,
    interpolation: { ...TEXT_OPTIONS.interpolation, alwaysFormat: true },
    // There is nothing to wait for: texts are added when they are loaded.
    initAsync: false,
    lng: 'en',
    resources: {},
    defaultNS: 'shell',
  })

/** `t('queue:columns.state')`. Never while a module loads: the language is chosen after that. */
export const t = i18next.t

/** The language of now, for forms of dates and numbers. The whole window renders again when it changes. */
export function languageNow(): Language {
  return languageFor([i18next.language])
}

/** The same for a component that has to render again. */
export function useLanguage(): Language {
  return languageFor([useTranslation().i18n.language])
}

const choices = create<{ readonly choice: LanguageChoice }>(() => ({ choice: 'auto' }))

export function useLanguageChoice(): LanguageChoice {
  return choices((state) => state.choice)
}

/** Reports every choice from now on, also the kept one when the screens start. */
export function onLanguageChoice(listener: (choice: LanguageChoice) => void): void {
  choices.subscribe(({ choice }) => listener(choice))
}

/** Did a screen beside the first page ask for its texts? Then another language is loaded with all texts. */
let areAllNeeded = false

/** Loads the texts of the screens that are not on the first page, before the first of them renders. */
export async function loadAllTexts(): Promise<void> {
  areAllNeeded = true
  const language = languageNow()
  if (!i18next.hasResourceBundle(language, 'settings')) addTexts(language, await OTHER_SCREENS[language]())
}

function addTexts(language: Language, files: Readonly<Record<string, ResourceKey>>): void {
  for (const [name, texts] of Object.entries(withPluralForms(language, files)))
    i18next.addResourceBundle(language, name, texts)
}

/** Shows the language that was chosen in this browser before, or the system's. Call it before the first render. */
export async function startLanguage(browser: Window): Promise<void> {
  const stored = browser.localStorage.getItem(KEY) ?? ''
  await showIn(isLanguage(stored) ? stored : 'auto', browser)
}

export async function chooseLanguage(choice: LanguageChoice, browser: Window): Promise<void> {
  if (choice === 'auto') browser.localStorage.removeItem(KEY)
  else browser.localStorage.setItem(KEY, choice)
  await showIn(choice, browser)
}

async function showIn(choice: LanguageChoice, browser: Window): Promise<void> {
  const language = choice === 'auto' ? languageFor(browser.navigator.languages) : choice
  const [firstPage, otherScreens] = await Promise.all([
    FIRST_PAGE[language](),
    areAllNeeded ? OTHER_SCREENS[language]() : {},
  ])
  addTexts(language, { ...firstPage, ...otherScreens })
  browser.document.documentElement.lang = language
  await i18next.changeLanguage(language)
  choices.setState({ choice })
}

/** A field's name as a label; measurements carry their eye: `IOP, right eye \u2013 OD`. */
export function fieldLabel(name: FieldName): string {
  const match = /^(od|os)_(.+)$/.exec(name)
  if (match === null) return t(`field:patient.${name as keyof Texts['field']['patient']}`)
  const eye = t(`field:eye.${match[1] === 'od' ? 'right' : 'left'}.within`)
  return `${t(`field:measurement.${match[2] as Measurement}.name`)}, ${eye}`
}

/** A message of the station in the language of the screens; one of an older version stays as it was written. */
export function messageOf({ message, wording }: Message): string {
  return (wording && phrase(i18next, wording)) ?? message
}

/** A failure that a screen states itself, not the station. */
export function failureOfKind(kind: FailureKind): Failure {
  return { kind, message: t(`failure:${kind}.message`) }
}

export function failureTitle(kind: FailureKind): string {
  return t(`failure:${kind}.title`)
}

/** Without accents and case: `Muller` is found in `M\u00fcller`. */
export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Is every term of a search in one of these texts? */
export function isFound(search: string, texts: readonly (string | null | undefined)[]): boolean {
  const text = foldText(texts.join('\n'))
  return foldText(search)
    .split(/\s+/)
    .every((term) => text.includes(term))
}

/** The texts that there are, in one line. */
export function joinTexts(...texts: readonly (string | null | undefined | false)[]): string {
  return texts.filter(Boolean).join(' \u00b7 ')
}
