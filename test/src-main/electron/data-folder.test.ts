import { type PathLike, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  chooseDataFolder,
  isWritableFolder,
  machineProgramData,
  policyPath,
} from '../../../src-main/electron/machine.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const INSTALLER = readFileSync(new URL('../../../assets/installer.nsh', import.meta.url), 'utf8')
const PROGRAM_DATA = join('C:', 'ProgramData')
const machine = join(PROGRAM_DATA, 'Fundus Courier')
const account = join('account', 'station')
const LINUX = '/var/lib/fundus-courier'
const MAC = '/Library/Application Support/Fundus Courier'

it.each([
  ['win32', PROGRAM_DATA, [machine], machine],
  ['win32', PROGRAM_DATA, [], account],
  ['win32', undefined, [machine], account],
  ['linux', undefined, [LINUX], LINUX],
  ['linux', undefined, [], account],
  ['darwin', undefined, [MAC], MAC],
] as const)(
  'on %s with ProgramData %j and %j writable the data is in %s',
  (platform, programData, writable: readonly string[], chosen) => {
    const canWrite = (folder: string): boolean => writable.includes(folder)
    expect(chooseDataFolder({ platform, programData, userData: 'account', canWrite })).toBe(chosen)
  },
)

/** Each row has a folder that may be written: its existence is never enough. */
it.each([
  ['our installer for all accounts', [join('resources', 'machine-data-folder')], machine],
  ['our installer for one account, or no one', [], account],
  ['a person who put the mark into the folder itself', [join(machine, 'machine-data-folder')], account],
] as const)('Windows that was set up by %s leads to its data', (_by, files: readonly string[], chosen) => {
  const exists = (path: PathLike) => files.includes(String(path))
  const programData = machineProgramData(PROGRAM_DATA, 'resources', exists)
  const facts = { platform: 'win32', programData, userData: 'account', canWrite: () => true } as const
  expect(chooseDataFolder(facts)).toBe(chosen)
  // Nor is a policy, or an enrolment beside it, read from what anyone may have made.
  expect(policyPath('win32', programData)).toBe(chosen === machine ? join(machine, 'policy.json') : null)
})

it('knows the mark that the installer puts beside the program', async () => {
  const resourcesFolder = temporaryFolder()
  expect(machineProgramData('P', resourcesFolder)).toBeUndefined()
  const [, mark = ''] = /DATA_FOLDER_MARK "(.+)"/.exec(INSTALLER) ?? []
  expect(INSTALLER).toContain('FileOpen $R8 "$INSTDIR\\resources\\${DATA_FOLDER_MARK}" w')
  await writeFile(join(resourcesFolder, mark), '')
  expect(machineProgramData('P', resourcesFolder)).toBe('P')
})

it('finds a folder writable, and not one that is missing', () => {
  const folder = temporaryFolder()
  expect(isWritableFolder(folder)).toBe(true)
  expect(isWritableFolder(join(folder, 'missing'))).toBe(false)
})
