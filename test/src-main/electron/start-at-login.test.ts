import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  followStartAtLogin,
  loginArguments,
  type LoginItems,
  setStartAtLogin,
  wasOpenedAtLogin,
} from '../../../src-main/electron/start-at-login.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { settingsSchema, type ShownSettings } from '../../../src-shared/settings.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The entry as the system keeps it, and each time that it was written. */
function loginItems(
  isOn: boolean,
  isObeyed = true,
): LoginItems & {
  readonly written: unknown[]
  readonly asked: string[]
} {
  const written: unknown[] = []
  const asked: string[] = []
  let isThere = isOn
  return {
    written,
    asked,
    getLoginItemSettings: ({ path }) => {
      asked.push(path)
      return { openAtLogin: isThere }
    },
    setLoginItemSettings: (settings) => {
      written.push(settings)
      if (isObeyed) isThere = settings.openAtLogin
    },
  }
}

const PROGRAM = 'C:\\Program Files\\Fundus Courier\\Fundus Courier.exe'
const base = {
  program: PROGRAM,
  args: ['--hidden', '--config', 'C:\\IT files\\config.json'],
  configHome: '',
}

describe('the start at login', () => {
  it('is given the files of this start, by their full paths', () => {
    expect(loginArguments({ configPath: null, dataFolder: null })).toEqual(['--hidden'])
    expect(loginArguments({ configPath: 'config.json', dataFolder: '/data' })).toEqual([
      '--hidden',
      '--config',
      resolve('config.json'),
      '--data',
      resolve('/data'),
    ])
  })

  it('is entered on Windows with words that hold together', async () => {
    const app = loginItems(false)
    await setStartAtLogin('on', { ...base, app, platform: 'win32' })
    expect([...new Set(app.asked)]).toEqual([`"${PROGRAM}"`])
    expect(app.written).toEqual([
      {
        openAtLogin: true,
        path: `"${PROGRAM}"`,
        args: ['--hidden', '--config', '"C:\\IT files\\config.json"'],
      },
    ])
  })

  it.each([
    [['--hidden'], 'on', 'asWanted', 1],
    [['--hidden', '--lang=es', '--disable-gpu'], 'on', 'asWanted', 1],
    // Begun without its words it would be another station, with other cases.
    [['--hidden', '--config', '/c.json'], 'on', 'refused', 0],
    [['--hidden', '--data', '/d'], 'on', 'refused', 0],
    [['--hidden', '--user-data-dir', '/u'], 'on', 'refused', 0],
    [['--hidden', '--data', '/d'], 'off', 'asWanted', 1],
  ] as const)(
    'on a Mac, which keeps no words, with %j and wanted: %s, is %s',
    async (words, wanted, expected, times) => {
      const app = loginItems(false)
      expect(await setStartAtLogin(wanted, { ...base, args: words, app, platform: 'darwin' })).toBe(expected)
      expect(app.written).toHaveLength(times)
    },
  )

  it.each([
    ['darwin', true, true],
    ['darwin', false, false],
    ['win32', true, false],
    ['linux', true, false],
  ] as const)('is known as such at the start on a Mac (%s, %s: %s)', (platform, saidSo, expected) => {
    const app = { getLoginItemSettings: () => ({ wasOpenedAtLogin: saidSo }) }
    expect(wasOpenedAtLogin(app, platform)).toBe(expected)
  })

  it.each([
    [true, 'on', 0],
    // An entry that the system has switched off reads as none.
    [false, 'off', 1],
    [true, 'off', 1],
    [false, 'on', 1],
  ] as const)('that is there: %s, and wanted: %s, is written %s times', async (isOn, wanted, times) => {
    const app = loginItems(isOn)
    expect(await setStartAtLogin(wanted, { ...base, args: ['--hidden'], app, platform: 'darwin' })).toBe(
      'asWanted',
    )
    expect(app.written).toHaveLength(times)
  })

  it.each([
    [false, 'on'],
    [true, 'off'],
  ] as const)('is read back: one that the system keeps at %s is refused', async (isOn, wanted) => {
    const app = loginItems(isOn, false)
    expect(await setStartAtLogin(wanted, { ...base, app, platform: 'win32' })).toBe('refused')
  })

  it.each([
    ['win32', false, 'refused'],
    ['win32', true, 'asWanted'],
    ['darwin', false, 'asWanted'],
  ] as const)(
    'that stands in the list of %s, which will obey it: %s, is %s, and is not written over what somebody chose there',
    async (platform, executableWillLaunchAtLogin, expected) => {
      const app = loginItems(true)
      const items = {
        ...app,
        getLoginItemSettings: () => ({ openAtLogin: true, executableWillLaunchAtLogin }),
      }
      expect(await setStartAtLogin('on', { ...base, args: ['--hidden'], app: items, platform })).toBe(
        expected,
      )
      expect(app.written).toEqual([])
    },
  )

  it('is a file for Linux desktops, which goes away again', async () => {
    const configHome = await temporaryFolder()
    const given = {
      app: loginItems(false),
      platform: 'linux',
      program: '/opt/Fundus Courier/run',
      args: ['--hidden', '--data', '/srv/50% $HOME'],
      configHome,
    } as const
    await setStartAtLogin('on', given)
    expect(readFileSync(join(configHome, 'autostart', 'fundus-courier.desktop'), 'utf8').split('\n')).toEqual(
      [
        '[Desktop Entry]',
        'Type=Application',
        'Name=Fundus Courier',
        'Exec="/opt/Fundus Courier/run" "--hidden" "--data" "/srv/50%% \\\\$HOME"',
        'X-GNOME-Autostart-enabled=true',
        '',
      ],
    )
    await setStartAtLogin('off', given)
    await setStartAtLogin('off', given)
    expect(readdirSync(join(configHome, 'autostart'))).toEqual([])
    expect(given.app.written).toEqual([])
  })

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
    'that a person has switched off in the desktop’s own list (%s) stays off, until it is wanted anew',
    async (line) => {
      const configHome = await temporaryFolder()
      const path = join(configHome, 'autostart', 'fundus-courier.desktop')
      const given = { ...base, app: loginItems(true), platform: 'linux', configHome } as const
      await setStartAtLogin('on', given)
      writeFileSync(path, `${readFileSync(path, 'utf8').replace(/X-GNOME.*\n/, '')}${line}\n`)
      expect(await setStartAtLogin('on', given)).toBe('refused')
      expect(readFileSync(path, 'utf8')).toContain(line)
      await setStartAtLogin('off', given)
      expect(await setStartAtLogin('on', given)).toBe('asWanted')
    },
  )

  it('follows the settings, now and later, and a refusal of the system stops nothing', async () => {
    const shown = (startAtLogin: 'on' | 'off'): ShownSettings => ({
      ...settingsSchema.parse({ desktop: { startAtLogin } }),
      service: null,
      managed: {},
    })
    const set: string[] = []
    const logger = recordingLogger()
    let listen: ((event: StationEvent) => void) | null = null
    await followStartAtLogin({
      station: {
        on: (listener) => {
          listen = listener
          return () => undefined
        },
        handlers: { 'settings.get': () => Promise.resolve(succeed(shown('off'))) } as never,
      },
      logger,
      set: (wanted) => {
        set.push(wanted)
        if (set.length === 2) return Promise.reject(new Error('no'))
        return Promise.resolve(set.length === 3 ? 'refused' : 'asWanted')
      },
    })
    const tell = listen as ((event: StationEvent) => void) | null
    tell?.({ name: 'settingsChanged', revision: 1, payload: shown('on') })
    tell?.({ name: 'settingsChanged', revision: 2, payload: shown('off') })
    await expect.poll(() => set).toEqual(['off', 'on', 'off'])
    await expect
      .poll(() => logger.lines.map(({ message }) => message))
      .toEqual([
        'the start at login could not be set',
        'the system does not start this app at login as it is set',
      ])
  })
})
