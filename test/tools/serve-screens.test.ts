import { join } from 'node:path'
import { expect, it } from 'vitest'
import { accountDataFolder } from '../../tools/serve-screens.ts'

it.each([
  ['linux', {}, join('home', '.config')],
  ['linux', { XDG_CONFIG_HOME: 'config' }, 'config'],
  ['darwin', {}, join('home', 'Library', 'Application Support')],
  ['win32', { APPDATA: 'roaming' }, 'roaming'],
  ['win32', {}, join('home', 'AppData', 'Roaming')],
] as const)(
  'on %s with %j the station lies where Electron would look for it',
  (platform, environment, folder) => {
    expect(accountDataFolder(platform, environment, 'home')).toBe(join(folder, 'fundus-courier', 'station'))
  },
)
