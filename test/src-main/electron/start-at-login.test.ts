import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createStartAtLogin,
  type LoginItems,
  setStartAtLogin,
  wasOpenedAtLogin,
} from '../../../src-main/electron/start-at-login.ts'
import { readCommandLine } from '../../../src-main/electron/command-line.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { settingsSchema, type ShownSettings } from '../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const PROGRAM = 'C:\\Program Files\\Fundus Courier\\Fundus Courier.exe'
const base = { program: PROGRAM, args: ['--hidden'], configHome: '' }

/** The system's entry, each write of it and each path that was asked for; the system may ignore what is written. */
function loginItems(isOn: boolean, { isEffective = true, willLaunch = true } = {}) {
  const written: unknown[] = []
  const asked = new Set<string>()
  let isThere = isOn
  const app: LoginItems = {
    getLoginItemSettings: ({ path }) => {
      asked.add(path)
      return { openAtLogin: isThere, executableWillLaunchAtLogin: willLaunch }
    },
    setLoginItemSettings: (settings) => {
      written.push(settings)
      if (isEffective) isThere = settings.openAtLogin
    },
  }
  return { app, written, asked }
}

it('is entered on Windows with arguments that hold together', async () => {
  const { app, written, asked } = loginItems(false)
  const args = ['--hidden', '--config', 'C:\\IT files\\config.json']
  await setStartAtLogin('on', { ...base, args, app, platform: 'win32' })
  expect([...asked]).toEqual([`"${PROGRAM}"`])
  const quoted = ['--hidden', '--config', '"C:\\IT files\\config.json"']
  expect(written).toEqual([{ openAtLogin: true, path: `"${PROGRAM}"`, args: quoted }])
})

it.each([
  // A correct entry is not written again, and a wrong or disabled one is removed.
  [true, ['--hidden'], 'on', 'asWanted', 0],
  [false, ['--hidden'], 'off', 'asWanted', 1],
  [true, ['--hidden'], 'off', 'asWanted', 1],
  [false, ['--hidden'], 'on', 'asWanted', 1],
  [false, ['--hidden', '--lang=es', '--disable-gpu'], 'on', 'asWanted', 1],
  // Started without its arguments it would be another station, with other cases.
  [false, ['--hidden', '--config', '/c.json'], 'on', 'refused', 0],
  [false, ['--hidden', '--data', '/d'], 'on', 'refused', 0],
  [false, ['--hidden', '--user-data-dir', '/u'], 'on', 'refused', 0],
  [false, ['--hidden', '--data', '/d'], 'off', 'asWanted', 1],
] as const)(
  'on a Mac, which stores no arguments, an entry (there: %s) with %j and wanted %s is %s',
  async (isOn, args, wanted, expected, writes) => {
    const { app, written } = loginItems(isOn)
    expect(await setStartAtLogin(wanted, { ...base, args, app, platform: 'darwin' })).toBe(expected)
    expect(written).toHaveLength(writes)
  },
)

it.each([
  [false, 'on'],
  [true, 'off'],
] as const)('is read back: one that the system leaves at %s is refused', async (isOn, wanted) => {
  const { app } = loginItems(isOn, { isEffective: false })
  expect(await setStartAtLogin(wanted, { ...base, app, platform: 'win32' })).toBe('refused')
})

it.each([
  ['win32', false, 'refused'],
  ['win32', true, 'asWanted'],
  ['darwin', false, 'asWanted'],
] as const)(
  'in the list of %s, which will launch it (%s), is %s, and a choice there is not overwritten',
  async (platform, willLaunch, expected) => {
    const { app, written } = loginItems(true, { willLaunch })
    expect(await setStartAtLogin('on', { ...base, app, platform })).toBe(expected)
    expect(written).toEqual([])
  },
)

it.each([
  ['darwin', true, true],
  ['darwin', false, false],
  ['win32', true, false],
  ['linux', true, false],
] as const)('is recognized at the start only on a Mac (%s, %s: %s)', (platform, wasOpened, expected) => {
  const app = { getLoginItemSettings: () => ({ wasOpenedAtLogin: wasOpened }) }
  expect(wasOpenedAtLogin(app, platform)).toBe(expected)
})

it('is a file for Linux desktops, which goes away again', async () => {
  const configHome = temporaryFolder()
  const { app, written } = loginItems(false)
  const args = ['--hidden', '--data', '/srv/50% $HOME']
  const options = { app, platform: 'linux', program: '/opt/Fundus Courier/run', args, configHome } as const
  await setStartAtLogin('on', options)
  const autostart = join(configHome, 'autostart')
  expect(readFileSync(join(autostart, 'fundus-courier.desktop'), 'utf8').split('\n')).toEqual([
    '[Desktop Entry]',
    'Type=Application',
    'Name=Fundus Courier',
    'Exec="/opt/Fundus Courier/run" "--hidden" "--data" "/srv/50%% \\\\$HOME"',
    'X-GNOME-Autostart-enabled=true',
    '',
  ])
  await setStartAtLogin('off', options)
  await setStartAtLogin('off', options)
  expect(readdirSync(autostart)).toEqual([])
  expect(written).toEqual([])
})

it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'that a person has switched off in the desktop’s own list (%s) stays off, until it is wanted again',
  async (line) => {
    const configHome = temporaryFolder()
    const path = join(configHome, 'autostart', 'fundus-courier.desktop')
    const options = { ...base, ...loginItems(true), platform: 'linux', configHome } as const
    await setStartAtLogin('on', options)
    writeFileSync(path, `${readFileSync(path, 'utf8').replace(/X-GNOME.*\n/, '')}${line}\n`)
    expect(await setStartAtLogin('on', options)).toBe('refused')
    expect(readFileSync(path, 'utf8')).toContain(line)
    await setStartAtLogin('off', options)
    expect(await setStartAtLogin('on', options)).toBe('asWanted')
  },
)

it('follows the settings, now and later, and a refusal of the system stops nothing', async () => {
  const shown = (startAtLogin: 'on' | 'off'): ShownSettings => ({
    ...settingsSchema.parse({ desktop: { startAtLogin } }),
    service: null,
    managed: {},
  })
  const set: string[] = []
  const logger = createRecordingLogger()
  const listeners: ((event: StationEvent) => void)[] = []
  const startAtLogin = createStartAtLogin(logger, readCommandLine([]), (wanted) => {
    set.push(wanted)
    if (set.length === 2) return Promise.reject(new Error('no'))
    return Promise.resolve(set.length === 3 ? 'refused' : 'asWanted')
  })
  expect(startAtLogin.result()).toBeNull()
  await startAtLogin.follow({
    on: (listener) => {
      listeners.push(listener)
      return () => undefined
    },
    handlers: { 'settings.get': () => Promise.resolve(succeed(shown('off'))) } as never,
  })
  expect(startAtLogin.result()).toBe('asWanted')
  for (const [index, wanted] of (['on', 'off'] as const).entries())
    listeners[0]?.({ name: 'settingsChanged', revision: index, payload: shown(wanted) })
  await expect.poll(() => set).toEqual(['off', 'on', 'off'])
  await expect
    .poll(() => logger.lines.map(({ message }) => message))
    .toEqual([
      'the start at login could not be set',
      'the system does not start this app at login as it is set',
    ])
  expect(startAtLogin.result()).toBe('refused')
})
