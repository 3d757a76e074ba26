/**
 * Where the station keeps its data. One folder per machine and not per account, because two accounts with their own
 * outbox would send one camera's folder twice. The installer makes it and sets its rights; without an installer
 * there is the account's own.
 */
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type DataFolderFacts = {
  readonly platform: NodeJS.Platform
  /** `%ProgramData%` on Windows. */
  readonly programData: string | undefined
  /** Electron's folder for this account. */
  readonly userData: string
  readonly canWrite: (folder: string) => boolean
}

/** The machine's folder where the installer has made one that may be written, else one for this account. */
export function chooseDataFolder({ platform, programData, userData, canWrite }: DataFolderFacts): string {
  const ofMachine = machineFolder(platform, programData)
  return ofMachine !== null && canWrite(ofMachine) ? ofMachine : join(userData, 'station')
}

/** The folder for all accounts of this computer; the policy lies in it, too, but on Linux. */
export function machineFolder(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'win32') return programData === undefined ? null : join(programData, 'Fundus Courier')
  return platform === 'darwin' ? '/Library/Application Support/Fundus Courier' : '/var/lib/fundus-courier'
}

/** Asked by writing: Windows answers a mere question by the read-only mark, and not by the rights of the account. */
export function isWritableFolder(folder: string): boolean {
  const trial = join(folder, `.trial-${randomUUID()}`)
  try {
    writeFileSync(trial, '', { flag: 'wx', mode: 0o600 })
    rmSync(trial, { force: true })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
