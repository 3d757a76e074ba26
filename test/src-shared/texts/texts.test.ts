import { expect, it } from 'vitest'
import { languageFor, withPluralForms } from '../../../src-shared/texts/texts.ts'

it.each([
  [['es-MX', 'en'], 'es'],
  [['ES'], 'es'],
  [['es_ES.UTF-8'], 'es'],
  [['de-AT', 'es'], 'es'],
  [['EN-gb', 'es'], 'en'],
  [['de', 'fr'], 'en'],
  [[], 'en'],
] as const)('for %j the language is %s', (wanted, language) => {
  expect(languageFor(wanted)).toBe(language)
})

it('takes a plural form without a text of its own from "other"', () => {
  const texts = { queue: { cases_one: 'a', cases_other: 'b', deep: { files_other: 'c', files_many: 'd' } } }
  expect(withPluralForms('es', texts)).toEqual({
    queue: { ...texts.queue, cases_many: 'b', deep: texts.queue.deep },
  })
  expect(withPluralForms('en', texts)).toEqual(texts)
})
