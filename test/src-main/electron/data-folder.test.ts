import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  chooseDataFolder,
  isWritableFolder,
  machineProgramData,
} from '../../../src-main/electron/data-folder.ts'
import { policyPath } from '../../../src-main/electron/managed-setup.ts'
import { temporaryFolder } from './temporary-folder.ts'

const INSTALLER = readFileSync(new URL('../../../assets/installer.nsh', import.meta.url), 'utf8')
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

/** A folder that may be written stands in each row: it is never enough that it is there. */
it.each([
  ['our installer for all accounts', [join('resources', 'machine-data-folder')], machine],
  ['our installer for one account, or nobody', [], account],
  ['somebody who laid the mark into the folder itself', [join(machine, 'machine-data-folder')], account],
] as const)('of Windows that was set up by %s leads to its data', (_by, files, chosen) => {
  const laid: readonly string[] = files
  const programData = machineProgramData({
    programData: join('C:', 'ProgramData'),
    resourcesFolder: 'resources',
    exists: (path) => laid.includes(path),
  })
  expect(
    chooseDataFolder({ platform: 'win32', programData, userData: 'account', canWrite: () => true }),
  ).toBe(chosen)
  // Nor is a policy, or an enrolment beside it, looked for in what anybody may have made.
  expect(policyPath('win32', programData)).toBe(chosen === machine ? join(machine, 'policy.json') : null)
})

it('knows the mark of the installer, which lays it beside the program', async () => {
  const resourcesFolder = await temporaryFolder()
  const facts = { programData: 'P', resourcesFolder }
  expect(machineProgramData(facts)).toBeUndefined()
  const [, mark = ''] = /DATA_FOLDER_MARK "(.+)"/.exec(INSTALLER) ?? []
  expect(INSTALLER).toContain('FileOpen $R8 "$INSTDIR\\resources\\${DATA_FOLDER_MARK}" w')
  await writeFile(join(resourcesFolder, mark), '')
  expect(machineProgramData(facts)).toBe('P')
})

it('finds a folder writable, and one that is not there not', async () => {
  const folder = await temporaryFolder()
  expect(isWritableFolder(folder)).toBe(true)
  expect(isWritableFolder(join(folder, 'missing'))).toBe(false)
})
