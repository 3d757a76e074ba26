import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openTaskbar } from '../../../src-main/electron/taskbar.ts'

function taskbarOn(platform: NodeJS.Platform) {
  const done: string[] = []
  const window = Object.assign(new EventEmitter(), {
    isGone: false,
    isDestroyed: (): boolean => window.isGone,
    setProgressBar: (value: number, options?: { readonly mode: string }) =>
      void done.push(`bar ${value} ${options?.mode}`),
    setOverlayIcon: (image: string | null, description: string) =>
      void done.push(`overlay ${image} "${description}"`),
  })
  const taskbar = openTaskbar<string>({
    platform,
    app: {
      dock: { setBadge: (text) => void done.push(`dock "${text}"`) },
      setBadgeCount: (count) => done.push(`badge ${count}`),
    },
    window,
    badge: (count) => `${count}.png`,
  })
  const take = (): readonly string[] => done.splice(0)
  return { taskbar, window, take }
}

describe('the count', () => {
  it.each([
    ['win32', 'overlay 3.png "3 need attention"', 'overlay null ""'],
    ['darwin', 'dock "3"', 'dock ""'],
    ['linux', 'badge 3', 'badge 0'],
  ] as const)('is drawn on %s in its way, once, and taken away', (platform, three, none) => {
    const { taskbar, take } = taskbarOn(platform)
    taskbar.showCount(0, '')
    taskbar.showCount(3, '3 need attention')
    taskbar.showCount(3, '3 need attention')
    taskbar.showCount(0, '')
    expect(take()).toEqual([three, none])
  })
})

describe('the bar', () => {
  it('is drawn as often as it moves, and taken away', () => {
    const { taskbar, take } = taskbarOn('win32')
    taskbar.showProgress({ kind: 'none' })
    taskbar.showProgress({ kind: 'indeterminate' })
    taskbar.showProgress({ kind: 'normal', fraction: 0.5 })
    taskbar.showProgress({ kind: 'normal', fraction: 0.5 })
    taskbar.showProgress({ kind: 'paused', fraction: 0.5 })
    taskbar.showProgress({ kind: 'error', fraction: 1 })
    taskbar.showProgress({ kind: 'none' })
    expect(take()).toEqual([
      'bar 2 indeterminate',
      'bar 0.5 normal',
      'bar 0.5 paused',
      'bar 1 error',
      'bar -1 none',
    ])
  })
})

describe('a window', () => {
  it('that was hidden gets both anew, because its button is a new one', () => {
    const { taskbar, window, take } = taskbarOn('win32')
    taskbar.showCount(2, 'two')
    taskbar.showProgress({ kind: 'normal', fraction: 0.5 })
    take()
    window.emit('show')
    expect(take()).toEqual(['overlay 2.png "two"', 'bar 0.5 normal'])
  })

  it('that is gone is left alone', () => {
    const { taskbar, window, take } = taskbarOn('win32')
    window.isGone = true
    taskbar.showCount(2, 'two')
    taskbar.showProgress({ kind: 'indeterminate' })
    expect(take()).toEqual([])
  })
})
