import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type EarlyApp,
  readCommandLine,
  runCommand,
  usageText,
} from '../../../src-main/electron/command-line.ts'
import { loginArguments } from '../../../src-main/electron/start-at-login.ts'
import { temporaryFolder } from './temporary-folder.ts'

const nothing = {
  configPath: null,
  dataFolder: null,
  userDataFolder: null,
  enrolmentPath: null,
  language: null,
  isHidden: false,
  isSafeMode: false,
  isGpuDisabled: false,
  isRecovering: false,
  isOnlyAsking: null,
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
  [['--help', '--version'], { isOnlyAsking: 'help' }],
  [['--version'], { isOnlyAsking: 'version' }],
  // Chromium's own words stand on the same line, also those that it adds at a second start.
  [
    ['--allow-file-access', '--original-process-start-time=13', '--type=x', '-psn_0_1', '--hidden', '--'],
    { isHidden: true },
  ],
  // A value that is missing takes no word of the others.
  [['--config', '--hidden'], { isHidden: true }],
  [['--config'], {}],
  [['--config='], {}],
  [['--data', '/one', '--data', '/two'], { dataFolder: '/two' }],
])('reads %j', (words, said) => {
  expect(readCommandLine(words)).toEqual({ ...nothing, ...said })
})

it('says every word of it to who asks for help', () => {
  const text = usageText()
  for (const word of ['hidden', 'config=', 'enrol=', 'data=', 'user-data-dir=', 'lang=', 'disable-gpu'])
    expect(text).toContain(`--${word}`)
  for (const word of ['safe-mode', 'recover', 'version', 'help']) expect(text).toContain(`--${word}`)
})

describe('what is obeyed before the app is ready', () => {
  function app() {
    const done: string[] = []
    const early: EarlyApp = {
      getVersion: () => '1.2.3',
      setPath: (name, path) => done.push(`${name} is ${path}`),
      commandLine: {
        getSwitchValue: () => '',
        appendSwitch: (name, value) => done.push(`--${name}=${value ?? ''}`),
      },
    }
    const said: string[] = []
    const obey = (words: readonly string[]) =>
      runCommand(early, readCommandLine(words), (text) => said.push(text))
    return { obey, done, said }
  }

  it('is a question, and then nothing is started', () => {
    const { obey, done, said } = app()
    expect(obey(['--version'])).toBe('said')
    expect(obey(['--help', '--user-data-dir=/nowhere'])).toBe('said')
    expect(said).toEqual(['Fundus Courier 1.2.3\n', usageText()])
    expect(done).toEqual([])
  })

  it('is the folder of the account, made where it is missing: the lock lies in it', async () => {
    const folder = join(await temporaryFolder(), 'of', 'the account')
    const { obey, done } = app()
    expect(obey([`--user-data-dir=${folder}`])).toBe('start')
    expect(done).toEqual([`userData is ${folder}`])
    expect(existsSync(folder)).toBe(true)
  })

  it('is the language, in the one way that Chromium reads', () => {
    const { obey, done } = app()
    obey(['--lang', 'es'])
    expect(done).toEqual(['--lang=es'])
  })
})

it('is given on to the start at login where it says which station this is, and how it is drawn', () => {
  const words = ['--lang=es', '--disable-gpu', '--user-data-dir=/account', '--safe-mode', '--recover']
  expect(loginArguments(readCommandLine(words))).toEqual([
    '--hidden',
    '--user-data-dir',
    '/account',
    '--lang=es',
    '--disable-gpu',
  ])
})
