import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { hideWindow } from '../../../src-main/electron/window.ts'

describe('a window that is closed', () => {
  it.each([
    ['darwin', true, ['leave full screen', 'hide']],
    ['darwin', false, ['hide']],
    ['win32', true, ['hide']],
  ] as const)(
    'on %s, in full screen: %s, goes out of sight and leaves no black screen',
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
})
