import { expect, it } from 'vitest'
import { inBothThemes, setTour } from './tour.ts'

const tour = setTour('en')

it('axe finds nothing on any screen, in any state, in either theme', async (context) => {
  expect(await tour(context, inBothThemes)).toEqual({})
}, 600_000)
