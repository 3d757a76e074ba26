/** Every sentence of the station that a screen may show is known in every other language of the screens. */
import { expect, test } from 'vitest'
import sentences from '../../../src-shared/texts/es/station.json' with { type: 'json' }
import { FIELD_NAMES } from '../../../src-shared/fields.ts'
import { labelOf } from '../../../src-shared/measurement-ranges.ts'
import { SentenceBook } from '../../../src-shared/sentence-book.ts'
import { sourceOf } from './sources.ts'
import { NOT_SHOWN, NOT_SHOWN_OF } from './station-not-shown.ts'
import { allStationTexts, stationTextsOf } from './station-texts.ts'

const BOOK = new SentenceBook(sentences)
const TEXTS = allStationTexts()

/** A text with a value for each parameter that no language could have as a word. */
function sampled(text: string): string {
  return text.replaceAll(/\{\{(\d+)\}\}/g, '⟦$1⟧')
}

/** What of a text nobody has translated. */
function missingOf(text: string): string {
  if (Object.hasOwn(sentences.parts, text)) return ''
  return BOOK.piecesOf(sampled(text))
    .filter(({ isKnown }) => !isKnown)
    .map((piece) => piece.text.replaceAll(/⟦\d+⟧/g, '').trim())
    .filter((left) => /\p{L}/u.test(left))
    .join(' | ')
}

function isShown({ path, text }: { readonly path: string; readonly text: string }): boolean {
  // Paths of files in the profiles that are shipped, shown as they are.
  const isPath = /^\S+\/.*\.(jpg|dcm|png|tif)$/.test(text)
  return !isPath && !(path in NOT_SHOWN_OF) && !(text in NOT_SHOWN)
}

test('every sentence of the station that a screen may show has its Spanish', () => {
  const missing = TEXTS.filter(isShown).flatMap(({ path, text }) => {
    const left = missingOf(text)
    return left === '' ? [] : [`${path}: ${left}`]
  })
  expect(missing).toEqual([])
})

test('the sources say sentences, and one that is new is found', () => {
  expect(TEXTS.length).toBeGreaterThan(50)
  const code =
    "export const NEW = failureOf('storage', { message: `The lamp of ${camera} is out. Change it.` })"
  const found = stationTextsOf(sourceOf('src-main/station/lamp.ts', code))
  expect(found.map(({ text }) => text)).toEqual(['The lamp of {{1}} is out. Change it.'])
  expect(found.filter(isShown).map(({ text }) => missingOf(text))).toEqual([
    'The lamp of  is out. Change it.',
  ])
})

test('what is not shown is still said, so that no reason outlives its text', () => {
  const said = new Set(TEXTS.map(({ text }) => text))
  expect(Object.keys(NOT_SHOWN).filter((text) => !said.has(text))).toEqual([])
  const paths = new Set(TEXTS.map(({ path }) => path))
  expect(Object.keys(NOT_SHOWN_OF).filter((path) => !paths.has(path))).toEqual([])
})

test.each(FIELD_NAMES)('the field %s has its name in Spanish', (name) => {
  const spanish = BOOK.translate(`The ${labelOf(name)} is missing. Enter it.`)
  if (name !== 'diabetes') expect(spanish).not.toContain(` ${labelOf(name)}.`)
  expect(spanish).toMatch(/^Falta este dato: .+\. Introdúzcalo\.$/)
})

test('every translation has the parameters of its sentence', () => {
  const placesOf = (text: string): readonly string[] =>
    [...new Set([...text.matchAll(/\{\{(\d+)(?:\|\w+)?\}\}/g)].map(([, number]) => number ?? ''))].toSorted()
  for (const [english, spanish] of [
    ...Object.entries(sentences.sentences),
    ...Object.entries(sentences.parts),
  ])
    expect(placesOf(spanish), english).toEqual(placesOf(english))
})
