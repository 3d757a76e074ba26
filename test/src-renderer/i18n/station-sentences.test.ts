/** What the station says to people is a key with values: no English sentence of its reaches a screen. */
import { expect, test } from 'vitest'
import { sourceOf } from './sources.ts'
import { NOT_SHOWN, NOT_SHOWN_OF } from './station-not-shown.ts'
import { allStationTexts, stationTextsOf, type StationText } from './station-texts.ts'

const TEXTS = allStationTexts()

function isShown({ path, text }: StationText): boolean {
  // Paths of files in the profiles that are shipped, shown as they are.
  const isPath = /^\S+\/.*\.(jpg|dcm|png|tif)$/.test(text)
  return !isPath && !(path in NOT_SHOWN_OF) && !(text in NOT_SHOWN)
}

test('no sentence in the sources of the station reaches a screen', () => {
  expect(TEXTS.filter(isShown)).toEqual([])
})

test('the sources hold texts, and a sentence that is new is found', () => {
  expect(TEXTS.length).toBeGreaterThan(20)
  const code =
    "export const NEW = failureOf('storage', { message: `The lamp of ${camera} is out. Change it.` })"
  const found = stationTextsOf(sourceOf('src-main/station/lamp.ts', code))
  expect(found.filter(isShown).map(({ text }) => text)).toEqual(['The lamp of {{1}} is out. Change it.'])
})

test('no reason outlives its text', () => {
  const texts = new Set(TEXTS.map(({ text }) => text))
  expect(Object.keys(NOT_SHOWN).filter((text) => !texts.has(text))).toEqual([])
  const paths = new Set(TEXTS.map(({ path }) => path))
  expect(Object.keys(NOT_SHOWN_OF).filter((path) => !paths.has(path))).toEqual([])
})
