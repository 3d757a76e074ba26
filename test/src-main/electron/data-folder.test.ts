import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chooseDataFolder, isWritableFolder } from '../../../src-main/electron/data-folder.ts'
import { temporaryFolder } from './temporary-folder.ts'

const machine = join('C:', 'ProgramData', 'Fundus Courier')
const account = join('account', 'station')

it.each([
  ['win32', join('C:', 'ProgramData'), [machine], machine],
  ['win32', join('C:', 'ProgramData'), [], account],
  ['win32', undefined, [machine], account],
  ['linux', undefined, ['/var/lib/fundus-courier'], '/var/lib/fundus-courier'],
  ['linux', undefined, [], account],
  [
    'darwin',
    undefined,
    ['/Library/Application Support/Fundus Courier'],
    '/Library/Application Support/Fundus Courier',
  ],
] as const)(
  'on %s with ProgramData %j and %j writable the data is in %s',
  (platform, programData, writable, chosen) => {
    const folders: readonly string[] = writable
    expect(
      chooseDataFolder({
        platform,
        programData,
        userData: 'account',
        canWrite: (folder) => folders.includes(folder),
      }),
    ).toBe(chosen)
  },
)

it('finds a folder writable, and one that is not there not', async () => {
  const folder = await temporaryFolder()
  expect(isWritableFolder(folder)).toBe(true)
  expect(isWritableFolder(join(folder, 'missing'))).toBe(false)
})
