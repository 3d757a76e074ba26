import { expect, it } from 'vitest'
import { SCENE_ROOMS, type SceneRoom } from './scenes.ts'
import { inBothThemes, setTour } from './tour.ts'

const tour = setTour('en')
const rooms = Object.keys(SCENE_ROOMS) as readonly SceneRoom[]

it.for(rooms)(
  'axe finds nothing in any state of the %s, in either theme',
  { timeout: 600_000 },
  async (room, context) => {
    expect(await tour(context, room, inBothThemes)).toEqual({})
  },
)
