/** The folders of the data folder, and who else can read it: other accounts of this computer, and anyone who takes its disk out. */
import { execFile } from 'node:child_process'
import { chmodSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, join, parse } from 'node:path'
import { promisify } from 'node:util'
import type { About } from '../../../src-shared/desktop.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Logger } from '../ports.ts'

type Protection = About['protection']

export type DataFolderProtection = {
  /** May other accounts read it? */
  readonly folder: Protection['folder']
  /** Does the system encrypt its volume? It may take seconds to answer. */
  readonly disk: Promise<Protection['disk']>
}

export function protectDataFolder(dataFolder: string, logger: Logger): DataFolderProtection {
  return { folder: closeToOthers(dataFolder, logger), disk: diskEncryptionOf(dataFolder) }
}

/** Makes the folders beside the outbox in a data folder. */
export async function makeDataFolders(dataFolder: string) {
  const folders = {
    spoolFolder: join(dataFolder, 'spool'),
    reportsFolder: join(dataFolder, 'reports'),
    thumbnailsFolder: join(dataFolder, 'thumbnails'),
    // Files that a person adds to a case by hand.
    uploadsFolder: join(dataFolder, 'incoming'),
  }
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 })
  /** The path of the thumbnail of an original: named by its bytes, which are there before it is an image of a case. */
  const thumbnailOf = (spoolName: string): string =>
    join(folders.thumbnailsFolder, `${basename(spoolName)}.jpg`)
  return { ...folders, thumbnailOf }
}

/** On Windows the installer sets who may open the folder, and no mode shows it. */
const HAS_MODES = process.platform !== 'win32'

/** As the deb makes it: of root, and for all accounts of a group. */
const FOR_A_GROUP = 0o2070

/**
 * Closes a data folder of this account to all others, whatever its mode was before; `open` if it belongs to another account and
 * everyone may read it. A group that its owner has let in stays, and a folder for a group stays one if root opens it once:
 * its accounts would begin outboxes of their own, and send everything again.
 */
export function closeToOthers(
  dataFolder: string,
  logger: Logger,
  setMode: (path: string, mode: number) => void = chmodSync,
): Protection['folder'] {
  if (!HAS_MODES) return 'unknown'
  const { mode, uid } = statSync(dataFolder)
  const isForGroup = uid === 0 && (mode & FOR_A_GROUP) === FOR_A_GROUP
  const others = isForGroup ? 0o007 : 0o077
  if (uid === process.getuid?.() && (mode & others) !== 0) {
    try {
      setMode(dataFolder, isForGroup ? 0o2770 : 0o700)
      // Some volumes take a mode and stay as they were mounted.
      if ((statSync(dataFolder).mode & others) === 0) {
        logger.info('the data folder was closed to other accounts')
        return 'closed'
      }
    } catch {
      // A volume without modes, such as a share: what it shows counts.
    }
  }
  if ((mode & 0o007) === 0) return 'closed'
  logger.warn('other accounts of this computer may read the data folder')
  return 'open'
}

const ANSWER_WITHIN_MS = 20 * SECOND

const run = async (program: string, parameters: readonly string[]): Promise<string> => {
  const options = { timeout: ANSWER_WITHIN_MS, windowsHide: true }
  return (await promisify(execFile)(program, [...parameters], options)).stdout
}

/** Is the volume of this folder encrypted by the system (BitLocker, FileVault, LUKS)? Asked of the system; never rejects. */
export async function diskEncryptionOf(folder: string): Promise<Protection['disk']> {
  try {
    if (process.platform === 'win32') return await ofWindows(parse(await realpath(folder)).root)
    if (process.platform === 'darwin') return encryptionByFileVault(await run('fdesetup', ['status']))
    return await encryptionOnLinux(folder)
  } catch {
    return 'unknown'
  }
}

/** The Explorer's own column, which needs no administrator; `manage-bde` does. */
async function ofWindows(root: string): Promise<Protection['disk']> {
  if (!/^[a-z]:\\$/i.test(root)) return 'unknown'
  const column = `(New-Object -ComObject Shell.Application).NameSpace('${root}').Self.ExtendedProperty('System.Volume.BitLockerProtection')`
  return encryptionByBitLocker(await run('powershell', ['-NoProfile', '-NonInteractive', '-Command', column]))
}

/** 1: on, 2: off; others are on the way to one of them, suspended, or unknown. */
export function encryptionByBitLocker(answer: string): Protection['disk'] {
  const state = answer.trim()
  return state === '1' ? 'encrypted' : state === '2' ? 'notEncrypted' : 'unknown'
}

/** `FileVault is On.`, `FileVault is Off.`; while it encrypts or decrypts, it is neither. */
export function encryptionByFileVault(answer: string): Protection['disk'] {
  if (/in progress/i.test(answer)) return 'unknown'
  return /\bis On\b/i.test(answer) ? 'encrypted' : /\bis Off\b/i.test(answer) ? 'notEncrypted' : 'unknown'
}

/** Layers such as LVM above LUKS above RAID are few. */
const MOST_LAYERS = 8

/** Network and memory file systems, and some others, have no device (major 0): of these nothing is known. */
async function encryptionOnLinux(folder: string): Promise<Protection['disk']> {
  const { dev } = await stat(folder, { bigint: true })
  // As `gnu_dev_major` and `gnu_dev_minor` of glibc.
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n)
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n)
  return major === 0n ? 'unknown' : encryptionOfDevice(`/sys/dev/block/${major}:${minor}`)
}

/**
 * By the kernel's folder of a block device: one whose `dm/uuid` begins with `CRYPT-` is of dm-crypt (LUKS or plain), and
 * any other is as all its `slaves` are. Rejects if there is no such device.
 */
export async function encryptionOfDevice(device: string): Promise<Protection['disk']> {
  await stat(device)
  return (await isEncrypted(device, MOST_LAYERS)) ? 'encrypted' : 'notEncrypted'
}

async function isEncrypted(device: string, layers: number): Promise<boolean> {
  const uuid = await readFile(join(device, 'dm', 'uuid'), 'utf8').catch(() => '')
  if (uuid.startsWith('CRYPT-')) return true
  const below = await readdir(join(device, 'slaves')).catch(() => [])
  if (below.length === 0 || layers === 0) return false
  const each = await Promise.all(below.map((name) => isEncrypted(join(device, 'slaves', name), layers - 1)))
  return each.every(Boolean)
}
