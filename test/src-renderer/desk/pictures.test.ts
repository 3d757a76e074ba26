/** A case is in view once every image was seen that is sent. */
import { expect, it } from 'vitest'
import { picturesStateOf, type ShownPictures } from '../../../src-renderer/desk/pictures.tsx'
import { syntheticImage } from '../synthetic-submission.ts'

const BOTH = [syntheticImage('od', 'right'), syntheticImage('os', 'left')]
const RETAKEN = [...BOTH, syntheticImage('od2', 'right')]
const NONE: ShownPictures = { large: {}, small: {}, chosen: {} }
const READY = { od: 'ready', od2: 'ready', os: 'ready' } as const

it.each<readonly [string, typeof BOTH, Partial<ShownPictures>, string]>([
  ['both are decoded', BOTH, { large: READY }, 'ready'],
  ['one is not yet', BOTH, { large: { od: 'ready' } }, 'loading'],
  ['one failed', BOTH, { large: { od: 'ready', os: 'failed' } }, 'failed'],
  ['a first one was not seen in the strip', RETAKEN, { large: READY }, 'loading'],
  ['it was', RETAKEN, { large: READY, small: { od: true } }, 'ready'],
  [
    'another is chosen and not decoded',
    RETAKEN,
    { large: { od2: 'ready', os: 'ready' }, small: { od: true, od2: true }, chosen: { right: 'od' } },
    'loading',
  ],
  [
    'the chosen one failed',
    RETAKEN,
    { large: { ...READY, od: 'failed' }, small: { od: true, od2: true }, chosen: { right: 'od' } },
    'failed',
  ],
  [
    'what is left out was not',
    [...BOTH, syntheticImage('od2', 'right', { excludedBecause: 'Blurred' })],
    { large: READY },
    'ready',
  ],
  [
    'the one whose eye is asked is there',
    [...BOTH, syntheticImage('new', 'unknown')],
    { large: { new: 'ready' } },
    'ready',
  ],
])('if %s, a case is shown so far: %#', (_name, images, pictures, state) => {
  expect(picturesStateOf({ images }, { ...NONE, ...pictures })).toBe(state)
})
