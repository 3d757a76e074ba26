import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../src-main/headless/command-line.ts'

describe('the command line', () => {
  it('has a safe default for everything', () => {
    expect(readCommandLine([])).toEqual({
      configPath: null,
      dataFolder: './fundus-courier-data',
      port: 0,
      address: '127.0.0.1',
      isRecovering: false,
    })
  })

  it('takes what was written, in both spellings', () => {
    const expected = {
      configPath: 'a.json',
      dataFolder: '/data',
      port: 4_100,
      address: 'localhost',
      isRecovering: true,
    }
    expect(
      readCommandLine([
        '--config',
        'a.json',
        '--data',
        '/data',
        '--port',
        '4100',
        '--address',
        'localhost',
        '--recover',
      ]),
    ).toEqual(expected)
    expect(
      readCommandLine(['--config=a.json', '--data=/data', '--port=4100', '--address=localhost', '--recover']),
    ).toEqual(expected)
  })

  it.each([
    ['--port', 'http'],
    ['--port', '-1'],
    ['--port', '65536'],
    ['--port', '80.5'],
    ['--unknown', 'x'],
    ['--config'],
    ['stray.json'],
  ])('says how it is written instead of %j %j', (...args) => {
    const answer = readCommandLine(args)
    expect('usage' in answer ? answer.usage : '').toContain('usage: npm run serve -- --config FILE')
  })
})
