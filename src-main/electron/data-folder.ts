/**
 * Where the station keeps its data. One folder per machine and not per account, because two accounts with their own
 * outbox would send one camera's folder twice. The installer makes it and sets its rights; without an installer
 * there is the account's own.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../station/lib/errors.ts'

export type DataFolderFacts = {
  readonly platform: NodeJS.Platform
  /** As `machineProgramData` answers. */
  readonly programData: string | undefined
  /** Electron's folder for this account. */
  readonly userData: string
  readonly canWrite: (folder: string) => boolean
}

/** The machine's folder where the installer has made one that may be written, else one for this account. */
export function chooseDataFolder({ platform, programData, userData, canWrite }: DataFolderFacts): string {
  const machineWide = machineFolder(platform, programData)
  return machineWide !== null && canWrite(machineWide) ? machineWide : join(userData, 'station')
}

/** The folder for all accounts of this computer; the policy lies in it, too, but on Linux. */
export function machineFolder(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'win32') return programData === undefined ? null : join(programData, 'Fundus Courier')
  return platform === 'darwin' ? '/Library/Application Support/Fundus Courier' : '/var/lib/fundus-courier'
}

/** What the installer lays beside the program once it has set up the machine's folder (assets/installer.nsh). */
const INSTALLER_MARK = 'machine-data-folder'

/**
 * `%ProgramData%` on Windows where our installer has set up a folder in it, else undefined: there any account may make a
 * folder of that name, with a policy and an outbox of its own in it. The mark lies where only an administrator writes; a
 * program that was installed for one account has none, and neither has one that was only copied.
 */
export function machineProgramData({
  programData,
  resourcesFolder,
  exists = existsSync,
}: {
  readonly programData: string | undefined
  /** `process.resourcesPath`. */
  readonly resourcesFolder: string
  readonly exists?: (path: string) => boolean
}): string | undefined {
  return exists(join(resourcesFolder, INSTALLER_MARK)) ? programData : undefined
}

/** Asked by writing: Windows answers a mere question by the read-only mark, and not by the rights of the account. */
export function isWritableFolder(folder: string): boolean {
  const probePath = join(folder, `.trial-${randomUUID()}`)
  try {
    writeFileSync(probePath, '', { flag: 'wx', mode: 0o600 })
    rmSync(probePath, { force: true })
    return true
  } catch (error) {
    if (errorCode(error) !== undefined) return false
    throw error
  }
}
