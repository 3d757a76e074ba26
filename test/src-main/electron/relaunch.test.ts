import { describe, expect, it } from 'vitest'
import { relaunchArguments } from '../../../src-main/electron/command-line.ts'

describe('the next start after this one', () => {
  it('has the words of this one, stays out of sight if it was, and recovers nothing a second time', () => {
    const words = ['--config', '/etc/c.json', '--hidden', '--recover', '--disable-gpu']
    expect(relaunchArguments(words, { isHidden: true, add: ['--disable-gpu'] })).toEqual([
      '--config',
      '/etc/c.json',
      '--hidden',
      '--disable-gpu',
    ])
    expect(relaunchArguments(words, { isHidden: false, add: [] })).toEqual([
      '--config',
      '/etc/c.json',
      '--disable-gpu',
    ])
  })

  it.each([
    [true, ['--data', '/d', '--safe-mode']],
    // Left by a person: else the next bug would bring it back, hidden, and nothing would be sent.
    [false, ['--data', '/d']],
  ])('is in safe mode only where this one still is: %s', (isSafe, expected) => {
    expect(relaunchArguments(['--data', '/d', '--safe-mode'], { isHidden: false, isSafe })).toEqual(expected)
  })
})
