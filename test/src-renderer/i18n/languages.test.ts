import { afterEach, expect, test } from 'vitest'
import { chooseLanguage, messageOf, startLanguage, t } from '../../../src-renderer/i18n/i18n.ts'
import { english } from '../../../src-shared/texts/english.ts'
import { browserOf, speak } from '../speak.ts'
import { ENGLISH, isPlural, parametersOf, readTexts, SPANISH } from './text-tables.ts'

const NOT_FOUND = { message: 'Not found', wording: { key: 'failure:notFound.title' } }

afterEach(() => speak('en'))

test('the words and what the station says are in the language that is chosen, and back again', async () => {
  const { window, documentElement, kept } = browserOf(['en-GB'])
  const spoken = () => [documentElement.lang, t('shell:screens.queue'), messageOf(NOT_FOUND), kept.size]
  await startLanguage(window)
  expect(spoken()).toEqual(['en', 'Queue', 'Not found', 0])
  await chooseLanguage('es', window)
  expect(spoken()).toEqual(['es', 'Cola', 'No encontrado', 1])
  await chooseLanguage('auto', window)
  expect(spoken()).toEqual(['en', 'Queue', 'Not found', 0])
})

test.each([
  [0, '0 imágenes'],
  [1, '1 imagen'],
  [2, '2 imágenes'],
  [1_000_000, '1.000.000 imágenes'],
])('%i is counted by the rules of Spanish', async (count, expected) => {
  await speak('es')
  expect(t('queue:images', { count })).toBe(expected)
})

/** The same in both languages, each with the reason. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/^shell:product$/, 'the name of the product'],
  [/^field:eye\.(right|unknown)\.short$/, 'OD is Latin'],
  [/^queue:columns\.right$/, 'OD is Latin'],
  [/^field:no$|^report:no$/, 'the same word'],
  [/\.unit$|^settings:(sending\.rateUnit|storage\.gigabytes)/, 'units are the same everywhere'],
  [/^field:(patient|label)\.diabetes$/, 'the same word'],
  [/^(measure:acuity|settings:clinical\.vaUnits)\..*(decimal|logMAR)$/, 'names of scales'],
  [/^shell:language\.(en|es)$/, 'each language by its own name'],
  [/^^viewer:tools\.gamma$/, 'the same word'],
  [/^report:kind\.pdf$|^submission:images\.types\./, 'names of formats'],
  [/^intake:dataFile\.file\.case$/, 'the name of a file'],
  [/^intake:source\.dicom$/, 'the name of a standard'],
  [/^settings:about\.(licenseName|parts)$/, 'names of software and licences'],
  [/^help:keys\.names\.(ctrl|escape|[a-z]*[fF]\d+)$/, 'what stands on the keys'],
]

/** A text of which nothing is a word: only parameters, digits and signs. */
function hasText(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{\{\{?\w+\}?\}\}/g, ''))
}

test('every text has its Spanish, Spanish has no other, and types know every file of both', () => {
  expect([...SPANISH.keys()].toSorted()).toEqual([...ENGLISH.keys()].toSorted())
  const files = Object.keys(english).toSorted()
  for (const language of ['en', 'es'] as const)
    expect(Object.keys(readTexts(language)).toSorted()).toEqual(files)
})

test('every Spanish text has the parameters of the English one', () => {
  const differing = [...ENGLISH].filter(([key, text]) => {
    const own = parametersOf(SPANISH.get(key) ?? '')
    const wanted = parametersOf(text)
    // "1 case" may be "a case" in one of them.
    const isOfCount = (name: string): boolean => isPlural(key) && name === 'count'
    return own.filter((name) => !isOfCount(name)).join() !== wanted.filter((name) => !isOfCount(name)).join()
  })
  expect(differing).toEqual([])
})

test('no Spanish text is empty or the English one, but for those that are alike with a reason', () => {
  const blank = [...SPANISH].filter(([key, text]) => text.trim() === '' && ENGLISH.get(key)?.trim() !== '')
  expect(blank).toEqual([])
  const alike = [...ENGLISH]
    .filter(([key, text]) => SPANISH.get(key) === text && hasText(text))
    .map(([key]) => key)
  expect(alike.filter((key) => !SAME.some(([which]) => which.test(key)))).toEqual([])
})

test('Spanish keeps its own marks: the left eye is OI, and questions open', () => {
  const texts = [...SPANISH]
  expect(texts.filter(([, text]) => /\bOS\b/.test(text)).map(([key]) => key)).toEqual([])
  expect(texts.filter(([, text]) => text.includes('?') && !text.includes('¿') && text.length > 3)).toEqual([])
  expect(texts.filter(([, text]) => /[“”]/.test(text)).map(([key]) => key)).toEqual([])
})
