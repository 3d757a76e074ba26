import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fitToDisplays, readBounds, rememberBounds } from '../../../src-main/electron/window.ts'
import { temporaryFolder } from './temporary-folder.ts'

const left = { x: 0, y: 0, width: 1_920, height: 1_040 }
const right = { x: 1_920, y: 0, width: 1_280, height: 984 }
const at = (x: number, y: number, width = 1_200, height = 800) => ({ x, y, width, height })

describe('the place of the window', () => {
  it.each([
    ['inside', at(100, 100), [left], at(100, 100)],
    ['over the right edge', at(1_500, 100), [left], at(720, 100)],
    ['above the top, where its title could not be reached', at(100, -60), [left], at(100, 0)],
    ['larger than the display', at(10, 10, 4_000, 3_000), [left], at(0, 0, 1_920, 1_040)],
    ['mostly on the second display', at(1_700, 50), [left, right], at(1_920, 50)],
    ['on a display that is gone', at(2_000, 100), [left], at(720, 100)],
    ['on a display to the left that is gone', at(-1_500, 100), [left], at(0, 100)],
  ])('is kept on the displays: %s', (_where, remembered, areas, fitted) => {
    expect(fitToDisplays(remembered, areas)).toEqual(fitted)
  })

  it('is nowhere in particular where none is remembered or there is no display', () => {
    expect(fitToDisplays(null, [left])).toBeNull()
    expect(fitToDisplays(at(0, 0), [])).toBeNull()
  })

  it('is remembered from one run to the next', async () => {
    const path = join(await temporaryFolder(), 'new', 'window.json')
    expect(await readBounds(path)).toBeNull()
    await rememberBounds(path, at(1, 2))
    expect(await readBounds(path)).toEqual(at(1, 2))
  })

  it.each(['', 'x', '{"x":1}', '{"x":1,"y":1,"width":-5,"height":3}', 'null'])(
    'is forgotten where the note is damaged: %j',
    async (content) => {
      const path = join(await temporaryFolder(), 'window.json')
      await writeFile(path, content)
      expect(await readBounds(path)).toBeNull()
    },
  )
})
