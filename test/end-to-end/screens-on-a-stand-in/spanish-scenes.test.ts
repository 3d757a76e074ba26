import { expect, it } from 'vitest'
import { englishOn } from './english-left.ts'
import { isForeign } from './foreign-texts.ts'
import { inBothThemes, setTour } from './tour.ts'

const tour = setTour('es')

it('every screen, in every state, speaks Spanish, and axe finds nothing there', async (context) => {
  const found = await tour(context, async (page, scene) => [
    ...(await englishOn(page, isForeign)).map((text) => `in English: ${text}`),
    ...(await inBothThemes(page, scene)),
  ])
  expect(found).toEqual({})
}, 600_000)
