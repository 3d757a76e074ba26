import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machineFolder } from '../../src-main/electron/machine.ts'

const projectFolder = resolve(import.meta.dirname, '../..')

type Configuration = {
  readonly appId: string
  readonly npmRebuild: boolean
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly nsis: Readonly<Record<string, boolean>>
}
type BuilderLog = { readonly add: () => void; readonly isEnabled: boolean }

/** What electron-builder itself starts with; not among its exports. */
const builder: {
  readonly getConfig: (folder: string, path: string, overrides: null) => Promise<Configuration>
  readonly validateConfiguration: (configuration: Configuration, log: BuilderLog) => Promise<void>
} = createRequire(createRequire(import.meta.url).resolve('electron-builder'))(
  'app-builder-lib/out/util/config/config.js',
)

const read = () => builder.getConfig(projectFolder, 'electron-builder.yml', null)

describe('the description of the packages', () => {
  it('has no unknown word and no wrong type', async () => {
    await expect(
      builder.validateConfiguration(await read(), { add: () => undefined, isEnabled: false }),
    ).resolves.toBeUndefined()
  })

  it('closes every way to run other code in the app, and keeps unsent cases when it is removed', async () => {
    const { electronFuses, nsis, npmRebuild } = await read()
    expect(electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      // No fuse: a program for Apple silicon starts with a signature only, and flipping breaks the one it came with.
      resetAdHocDarwinSignature: true,
    })
    expect(nsis['deleteAppDataOnUninstall']).toBe(false)
    expect(npmRebuild).toBe(false)
  })

  it('gives the app the name that Windows knows its notices by', async () => {
    const main = readFileSync(resolve(projectFolder, 'src-main/electron/main.ts'), 'utf8')
    expect(main).toContain(`app.setAppUserModelId('${(await read()).appId}')`)
  })
})

describe('what is done when the app is installed', () => {
  const asset = (name: string): string => readFileSync(resolve(projectFolder, 'assets', name), 'utf8')

  it('on Linux is all that electron-builder does, the profile for the sandbox too, and then ours', () => {
    const theirs = readFileSync(
      resolve(projectFolder, 'node_modules/app-builder-lib/templates/linux/after-install.tpl'),
      'utf8',
    )
    expect(theirs).toContain('apparmor_parser')
    expect(asset('after-install.tpl').startsWith(theirs)).toBe(true)
    expect(asset('after-install.tpl').slice(theirs.length)).toContain('-m 2770 /var/lib/fundus-courier')
  })

  it('makes the folder that the app looks for, closed to all but those who run the station', () => {
    expect(machineFolder('linux', undefined)).toBe('/var/lib/fundus-courier')
    expect(machineFolder('win32', 'C:\\ProgramData')).toContain('Fundus Courier')
    expect(asset('installer.nsh')).toContain('!define DATA_FOLDER_NAME "Fundus Courier"')
    expect(asset('installer.nsh')).toContain('/inheritance:r /grant:r')
  })

  describe('on Windows', () => {
    const script = asset('installer.nsh')
    const macro = (name: string): string => script.split(`!macro ${name}\n`)[1]?.split('!macroend')[0] ?? ''
    const inOrder = (text: string, parts: readonly string[]): void => {
      const positions = parts.map((part) => text.indexOf(part))
      expect(positions).not.toContain(-1)
      expect(positions).toEqual(positions.toSorted((one, other) => one - other))
    }

    it('asks whose the folder is before anything is changed in it, and follows no link', () => {
      inOrder(macro('setUpDataFolder'), [
        '!insertmacro askWhoseOwn "$R6" 0x10',
        'Rename "$R6" "$R6 (set aside $R8)"',
        '!insertmacro closeDataFolder',
        'dir /al /s',
        '!insertmacro refuseForeignPolicy',
        '/setowner',
        '!insertmacro closePolicy',
        '!insertmacro letOperatorsIn',
      ])
      const calls = [...script.matchAll(/nsExec::Exec '"\$SYSDIR\\icacls.*'/g)].map(([call]) => call)
      expect(calls.length).toBeGreaterThan(8)
      expect(calls.filter((call) => !call.endsWith(" /L /Q'"))).toEqual([])
    })

    it('leaves a folder closed whose operators do not exist, says so by its exit code, and does not mark it', () => {
      inOrder(macro('letOperatorsIn'), [
        '$R9 != "0"',
        '!insertmacro closeDataFolder',
        '!insertmacro setReason operators',
      ])
      expect(macro('closeDataFolder')).toContain(
        '/inheritance:r /grant:r "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F" /L',
      )
      const [set = '', failed = ''] = macro('makeDataFolder').split(
        '${else}\n    ; Without rights of its own',
      )
      expect(set).toContain('FileOpen $R8 "$INSTDIR\\resources\\${DATA_FOLDER_MARK}" w')
      inOrder(failed, [
        'Delete "$INSTDIR\\resources',
        'SetErrorLevel 2',
        '!insertmacro showText dataFolderFailed',
      ])
      expect(script).not.toContain('RMDir')
    })

    it('believes no policy of another account, and takes nothing back that was enforced', () => {
      inOrder(macro('refuseForeignPolicy'), [
        '!insertmacro askWhoseOwn "$R6\\policy.json" 0',
        'Rename "$R6\\policy.json" "$R6\\policy.set-aside.json"',
        'FileWrite $R8 "What was here was not written',
        'SetErrorLevel 2',
      ])
    })
  })

  it('never starts the app without its sandbox', async () => {
    const all = [JSON.stringify(await read()), asset('after-install.tpl'), asset('installer.nsh')]
    expect(all.filter((text) => text.includes('no-sandbox'))).toEqual([])
  })

  it('is left when an update removes the old program', () => {
    const removal = asset('installer.nsh').split('!macro customUnInstall')[1] ?? ''
    expect(removal.indexOf('${ifNot} ${isUpdated}')).toBeLessThan(removal.indexOf('DeleteRegValue'))
    expect(removal).not.toContain('RMDir')
  })
})

it('the targets are the ones that administrators ask for', async () => {
  expect(await read()).toMatchObject({
    win: { target: 'nsis' },
    nsis: { oneClick: false, perMachine: false, include: 'assets/installer.nsh' },
    mac: { target: ['dmg', 'zip'], hardenedRuntime: true },
    linux: { target: 'deb', publish: null },
  })
})
