/**
 * The station's data folder. There is one per machine and not per account, because two accounts with separate outboxes
 * would send one camera's folder twice. The installer creates it and sets its permissions; without an installer, the
 * account's own folder is used.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../station/lib/errors.ts'

export type DataFolderFacts = {
  readonly platform: NodeJS.Platform
  readonly programData: string | undefined
  readonly userData: string
  readonly canWrite: (folder: string) => boolean
}

/** The machine's folder if the installer created it and it is writable, else the account's folder. */
export function chooseDataFolder({ platform, programData, userData, canWrite }: DataFolderFacts): string {
  const machineWide = machineFolder(platform, programData)
  return machineWide !== null && canWrite(machineWide) ? machineWide : join(userData, 'station')
}

/** The folder shared by all accounts of this computer; on Windows and macOS it also contains the policy. */
export function machineFolder(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'win32') return programData === undefined ? null : join(programData, 'Fundus Courier')
  return platform === 'darwin' ? '/Library/Application Support/Fundus Courier' : '/var/lib/fundus-courier'
}

/** The installer writes this file beside the program once it has set up the machine's folder. */
const INSTALLER_MARK = 'machine-data-folder'

/**
 * `%ProgramData%` if our installer has set up a folder there. Its mark is in a place that only administrators can
 * write; without it, any account could create such a folder with its own policy and outbox.
 */
export function machineProgramData(
  programData: string | undefined,
  resourcesFolder: string,
  exists = existsSync,
): string | undefined {
  return exists(join(resourcesFolder, INSTALLER_MARK)) ? programData : undefined
}

/** Tests by writing: on Windows an access check does not consider the account's permissions. */
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
