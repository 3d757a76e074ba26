import { afterEach, expect, test } from 'vitest'
import { startLanguage, chooseLanguage, messageOf, t } from '../../../src-renderer/i18n/i18n.ts'
import { speak } from '../speak.ts'

const NOT_FOUND = { message: 'Not found', wording: { key: 'failure:notFound.title' } }

/** As much of a window as choosing a language needs. */
function browserOf(languages: readonly string[]) {
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

afterEach(() => speak('en'))

test('the words and what the station says are in the language that is chosen, and back again', async () => {
  const { window, documentElement, kept } = browserOf(['en-GB'])
  await startLanguage(window)
  expect([documentElement.lang, t('queue:title'), messageOf(NOT_FOUND)]).toEqual(['en', 'Queue', 'Not found'])
  await chooseLanguage('es', window)
  expect([documentElement.lang, t('queue:title'), messageOf(NOT_FOUND)]).toEqual([
    'es',
    'Cola',
    'No encontrado',
  ])
  expect(kept.size).toBe(1)
  await chooseLanguage('auto', window)
  expect([documentElement.lang, t('queue:title'), messageOf(NOT_FOUND)]).toEqual(['en', 'Queue', 'Not found'])
  expect(kept.size).toBe(0)
})

test.each([
  [0, '0 casos descartados.'],
  [1, '1 caso descartado.'],
  [2, '2 casos descartados.'],
  [1_000_000, '1000000 casos descartados.'],
])('%i is said by the rules of Spanish', async (count, expected) => {
  await speak('es')
  expect(t('queue:action.discard.done', { count })).toBe(expected)
})
