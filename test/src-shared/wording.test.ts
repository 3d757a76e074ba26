import { createInstance } from 'i18next'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { TEXT_OPTIONS } from '../../src-shared/texts/texts.ts'
import { messageFields, phrase, quoted, worded, wordingOf, wordingSchema } from '../../src-shared/wording.ts'

const SPANISH = createInstance()
void SPANISH.init({
  ...TEXT_OPTIONS,
  initAsync: false,
  lng: 'es',
  resources: {
    es: {
      zip: {
        full: '{{name}} tiene {{what}}.',
        files_one: '{{count}} fichero',
        files_other: '{{count}} ficheros',
      },
    },
  },
})

it('says a message in English and by its key', () => {
  const { message, wording } = worded('failure:offline.title')
  expect([message, wording]).toEqual(['No connection', { key: 'failure:offline.title' }])
})

it('says it in another language, with the values that are wordings themselves', () => {
  const files = { key: 'zip:files', values: { count: 2 } }
  const one = { key: 'zip:files', values: { count: 1 } }
  expect(phrase(SPANISH, { key: 'zip:full', values: { name: 'a.zip', what: files } })).toBe(
    'a.zip tiene 2 ficheros.',
  )
  expect(phrase(SPANISH, { key: 'zip:full', values: { name: 'a.zip', what: [files, one] } })).toBe(
    'a.zip tiene 2 ficheros, 1 fichero.',
  )
})

it('has no words for a key of another version, alone or as a value', () => {
  expect(phrase(SPANISH, { key: 'zip:unheardOf' })).toBeNull()
  expect(
    phrase(SPANISH, { key: 'zip:full', values: { name: 'a', what: { key: 'zip:unheardOf' } } }),
  ).toBeNull()
  expect(
    phrase(SPANISH, { key: 'zip:full', values: { name: 'a', what: [{ key: 'zip:unheardOf' }] } }),
  ).toBeNull()
})

it('takes names as they are, also if they look like a text to fill in', () => {
  const name = '{{what}} $t(zip:files)'
  expect(phrase(SPANISH, { key: 'zip:full', values: { name, what: 'x' } })).toBe(`${name} tiene x.`)
})

it('crosses the contract and is kept in rows whole, or not at all if it cannot be read', () => {
  const wording = wordingOf('failure:offline.message', { a: 1, b: [{ key: 'x', values: { c: 'd' } }] })
  expect(wordingSchema.parse(JSON.parse(JSON.stringify(wording)))).toEqual(wording)
  const schema = z.object(messageFields)
  expect(schema.parse({ message: 'm', wording: { key: 5 } })).toEqual({ message: 'm' })
  expect(schema.parse({ message: 'm' })).toEqual({ message: 'm' })
})

it('quotes a message of another version in its English words', () => {
  const known = worded('failure:offline.title')
  expect(quoted(known)).toEqual(known.wording)
  expect(quoted({ message: 'As it was.', wording: { key: 'zip:unheardOf' } })).toBe('As it was.')
  const nested = { key: 'failure:offline.title', values: { a: { key: 'zip:unheardOf' } } }
  expect(quoted({ message: 'As it was.', wording: nested })).toBe('As it was.')
  expect(quoted({ message: 'As it was.' })).toBe('As it was.')
})
