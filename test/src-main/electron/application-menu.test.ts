import { expect, it } from 'vitest'
import { applicationMenu } from '../../../src-main/electron/window.ts'

it('has copy, paste and quit where the system expects a menu, and nothing for developers', () => {
  expect(applicationMenu('darwin')).toEqual([
    { role: 'appMenu' },
    { role: 'editMenu' },
    { role: 'windowMenu' },
  ])
})

it.each(['win32', 'linux'] as const)('is none on %s', (platform) => {
  expect(applicationMenu(platform)).toBeNull()
})
