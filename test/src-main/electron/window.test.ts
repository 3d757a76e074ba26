/** The only window: its bounds, its closing, its preferences and its menu. */
import { EventEmitter } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  applicationMenu,
  fitTo,
  hideWindow,
  readBounds,
  rememberBounds,
} from '../../../src-main/electron/window.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

describe('the bounds of the window', () => {
  const left = { x: 0, y: 0, width: 1_920, height: 1_040 }
  const right = { x: 1_920, y: 0, width: 1_280, height: 984 }
  const at = (x: number, y: number, width = 1_200, height = 800) => ({ x, y, width, height })

  it.each([
    ['inside', at(100, 100), left, at(100, 100)],
    ['over the right edge', at(1_500, 100), left, at(720, 100)],
    ['above the top, where its title could not be reached', at(100, -60), left, at(100, 0)],
    ['larger than the display', at(10, 10, 4_000, 3_000), left, at(0, 0, 1_920, 1_040)],
    ['mostly on the second display', at(1_700, 50), right, at(1_920, 50)],
    ['on a display that is gone', at(2_000, 100), left, at(720, 100)],
    ['on a display to the left that is gone', at(-1_500, 100), left, at(0, 100)],
  ])('are fitted to a display: %s', (_case, remembered, area, fitted) => {
    expect(fitTo(area, remembered)).toEqual(fitted)
  })

  it('are remembered from one run to the next, and forgotten if the file is damaged', async () => {
    const path = join(temporaryFolder(), 'new', 'window.json')
    expect(await readBounds(path)).toBeNull()
    await rememberBounds(path, at(1, 2))
    expect(await readBounds(path)).toEqual(at(1, 2))
    for (const content of ['', 'x', '{"x":1}', '{"x":1,"y":1,"width":-5,"height":3}', 'null']) {
      await writeFile(path, content)
      expect([content, await readBounds(path)]).toEqual([content, null])
    }
  })
})

it.each([
  ['darwin', true, ['leave full screen', 'hide']],
  ['darwin', false, ['hide']],
  ['win32', true, ['hide']],
] as const)(
  'on %s, in full screen: %s, a closed window hides and leaves no black screen',
  (platform, isFull, expected) => {
    const done: string[] = []
    const window = Object.assign(new EventEmitter(), {
      isFullScreen: () => isFull,
      setFullScreen: () => done.push('leave full screen'),
      hide: () => done.push('hide'),
    })
    hideWindow(window, platform)
    window.emit('leave-full-screen')
    window.emit('leave-full-screen')
    expect(done).toEqual(expected)
  },
)

it('has a menu only on macOS: copy, paste and quit, and nothing for developers', () => {
  expect(applicationMenu('darwin')).toEqual([
    { role: 'appMenu' },
    { role: 'editMenu' },
    { role: 'windowMenu' },
  ])
  expect([applicationMenu('win32'), applicationMenu('linux')]).toEqual([null, null])
})
