import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import {
  applyEarlyOptions,
  type EarlyApp,
  readCommandLine,
  relaunchArguments,
} from '../../../src-main/electron/command-line.ts'
import { loginArguments } from '../../../src-main/electron/start-at-login.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const DEFAULTS = {
  configPath: null,
  dataFolder: null,
  userDataFolder: null,
  enrolmentPath: null,
  language: null,
  isHidden: false,
  isSafeMode: false,
  isGpuDisabled: false,
  isRecovering: false,
}

it.each([
  [[], {}],
  [['.'], {}],
  [['.', '--config', '/etc/station.json'], { configPath: '/etc/station.json' }],
  [['--config=C:\\station.json', '--hidden'], { configPath: 'C:\\station.json', isHidden: true }],
  [['--config=/a=b.json'], { configPath: '/a=b.json' }],
  [['--data', '/srv/station'], { dataFolder: '/srv/station' }],
  [['--user-data-dir=/srv/account'], { userDataFolder: '/srv/account' }],
  [['--enrol', 'enrolment.json'], { enrolmentPath: 'enrolment.json' }],
  [['--lang=es'], { language: 'es' }],
  [['--lang', 'es'], { language: 'es' }],
  [['--safe-mode'], { isSafeMode: true }],
  [['--disable-gpu'], { isGpuDisabled: true }],
  [['--recover'], { isRecovering: true }],
  // Chromium's own switches are on the same line, also those that it adds at a second start.
  [
    ['--allow-file-access', '--original-process-start-time=13', '--type=x', '-psn_0_1', '--hidden', '--'],
    { isHidden: true },
  ],
  // A missing value takes no switch for it.
  [['--config', '--hidden'], { isHidden: true }],
  [['--config'], {}],
  [['--config='], {}],
  [['--data', '/one', '--data', '/two'], { dataFolder: '/two' }],
])('reads %j', (parameters, expected) => {
  expect(readCommandLine(parameters)).toEqual({ ...DEFAULTS, ...expected })
})

it('before the app is ready, the folder of the account is made, and the language is set in the one way that Chromium reads', () => {
  const folder = join(temporaryFolder(), 'of', 'the account')
  const done: string[] = []
  const app: EarlyApp = {
    setPath: (name, path) => done.push(`${name} is ${path}`),
    commandLine: {
      getSwitchValue: () => '',
      appendSwitch: (name, value) => done.push(`--${name}=${value ?? ''}`),
    },
  }
  applyEarlyOptions(app, readCommandLine([`--user-data-dir=${folder}`, '--lang', 'es']))
  expect(done).toEqual([`userData is ${folder}`, '--lang=es'])
  expect(existsSync(folder)).toBe(true)
})

it.each([
  ['', '--hidden'],
  ['--lang=es --disable-gpu --safe-mode --recover', '--hidden --lang=es --disable-gpu'],
  ['--user-data-dir=/account', `--hidden --user-data-dir ${resolve('/account')}`],
  ['--config=a.json --data=/d', `--hidden --config ${resolve('a.json')} --data ${resolve('/d')}`],
])('the start at login selects the station of %j by its full paths', (line, expected) => {
  expect(loginArguments(readCommandLine(line.split(' '))).join(' ')).toBe(expected)
})

it.each([
  [
    ['--data', '/d', '--hidden', '--recover'],
    { isHidden: true, isSafe: false },
    ['--data', '/d', '--hidden'],
  ],
  [['--data', '/d', '--hidden', '--recover'], { isHidden: false, isSafe: false }, ['--data', '/d']],
  [['--disable-gpu'], { isHidden: false, isSafe: false }, ['--disable-gpu']],
  [['--data', '/d', '--safe-mode'], { isHidden: false, isSafe: true }, ['--data', '/d', '--safe-mode']],
  // A person left it: else the next bug would bring it back, hidden, and nothing would be sent.
  [['--data', '/d', '--safe-mode'], { isHidden: false, isSafe: false }, ['--data', '/d']],
])('the next start after %j and %j is %j', (parameters, state, expected) => {
  expect(relaunchArguments(parameters, state)).toEqual(expected)
})
