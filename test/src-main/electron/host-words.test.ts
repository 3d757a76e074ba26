import { expect, it } from 'vitest'
import { hostWords } from '../../../src-main/electron/language-setting.ts'
import { hostLanguageFor } from '../../../src-main/electron/texts.ts'

/** What is rightly the same in both languages. */
const SAME: readonly string[] = ['language']

/** Every text by its name, those with a number for one and for several. */
function textsOf(words: unknown, name = ''): readonly (readonly [string, string])[] {
  if (typeof words === 'string') return [[name, words]]
  if (typeof words === 'function') {
    const say: (value: number | string) => unknown = words as never
    // One that takes no number always says the same.
    if (words.length === 0) return [[`${name}()`, String(say(1))]]
    return [1, 2].map((count) => [`${name}(${count})`, String(say(count))])
  }
  return Object.entries(words as object).flatMap(([key, value]) =>
    textsOf(value, name === '' ? key : `${name}.${key}`),
  )
}

const english = textsOf(hostWords('en'))
const spanish = textsOf(hostWords('es'))

it('says everything in both languages', () => {
  expect(english.length).toBeGreaterThan(40)
  expect(spanish.map(([name]) => name)).toEqual(english.map(([name]) => name))
  expect([...english, ...spanish].filter(([, text]) => text.trim() === '')).toEqual([])
})

it('says nothing in the other language', () => {
  const of = new Map(english)
  const untranslated = spanish.filter(([name, text]) => of.get(name) === text && !SAME.includes(name))
  expect(untranslated).toEqual([])
})

it('says a number wherever there is more than one', () => {
  const counted = [...english, ...spanish].filter(([name]) => name.endsWith('(2)'))
  expect(counted.filter(([, text]) => !text.includes('2'))).toEqual([])
})

it.each([
  [['es-MX', 'en'], 'es'],
  [['es_ES.UTF-8'], 'es'],
  [['de-AT', 'es'], 'es'],
  [['EN-gb', 'es'], 'en'],
  [['de'], 'en'],
  [[], 'en'],
])('for %j it speaks %s', (wanted, language) => {
  expect(hostLanguageFor(wanted)).toBe(language)
})
