import { expect, it } from 'vitest'
import { englishOn } from './english-left.ts'
import { isForeign } from './foreign-texts.ts'
import { SCENE_ROOMS, type SceneRoom } from './scenes.ts'
import { stickingOut } from './sticking-out.ts'
import { inBothThemes, setTour } from './tour.ts'

const tour = setTour('es')
const rooms = Object.keys(SCENE_ROOMS) as readonly SceneRoom[]

it.for(rooms)(
  'the %s speaks Spanish in every state, its words fit, and axe finds nothing there',
  { timeout: 600_000 },
  async (room, context) => {
    const found = await tour(context, room, async (page, scene) => [
      ...(await englishOn(page, isForeign)).map((text) => `in English: ${text}`),
      ...(await stickingOut(page)),
      ...(await inBothThemes(page, scene)),
    ])
    expect(found).toEqual({})
  },
)
