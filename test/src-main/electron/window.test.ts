/** The only window: its closing and its menu. */
import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { applicationMenu, hideWindow } from '../../../src-main/electron/window.ts'

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
