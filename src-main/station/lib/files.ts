/**
 * Files on the disk. Our own: retries while they are locked, durable writes, safe names, the folders of the station.
 * Foreign ones, of a camera, a clinic or a person: classified by name, opened without blocking and without following
 * links.
 *
 * Other programs may hold a fresh file for a moment. On Windows, virus scanners, indexers and sync tools make
 * renaming, opening and removing fail (isaacs/node-graceful-fs 98 and 127, coder/vscode-coder 841), so these are
 * retried with growing pauses for a bounded time.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, fsyncSync, openSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, realpath, rename, rm, statfs } from 'node:fs/promises'
import { dirname, parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { MINUTE } from '../../../src-shared/durations.ts'
import { ENDINGS } from '../../../src-shared/image-files.ts'
import { errorCode } from './errors.ts'

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 100

/** `platform` decides which errors are temporary: outside Windows, a missing permission stays missing. */
type RetryTime = { readonly forMs: number; readonly platform?: NodeJS.Platform }

/** A scanner may hold a large file this long; anything longer is permanent. */
const LONG_RETRY: RetryTime = { forMs: MINUTE }
const BLOCKING_RETRY: RetryTime = { forMs: 1_000 }
const SHORT_RETRY: RetryTime = { forMs: 250 }

/** True if another program holds the file, so that a retry may succeed. */
export function isFileLocked(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  const code = errorCode(error)
  return code === 'EBUSY' || (platform === 'win32' && (code === 'EPERM' || code === 'EACCES'))
}

/** Retries while the file is locked. Throws the last error when the time is up, other errors at once. */
export async function retryWhileLocked<Value>(
  act: () => Promise<Value>,
  retry: RetryTime = LONG_RETRY,
): Promise<Value> {
  const endMs = performance.now() + retry.forMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await act()
    } catch (error) {
      if (!isFileLocked(error, retry.platform) || performance.now() + pauseMs > endMs) throw error
      await sleep(pauseMs)
    }
  }
}

/** The synchronous form. It blocks the thread, so the time is short. */
export function retryWhileLockedSync<Value>(act: () => Value, retry: RetryTime = BLOCKING_RETRY): Value {
  const endMs = performance.now() + retry.forMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return act()
    } catch (error) {
      if (!isFileLocked(error, retry.platform) || performance.now() + pauseMs > endMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
}

/** Renames one of our files, replacing any existing one. */
export async function renameWithRetry(from: string, to: string, retry = LONG_RETRY): Promise<void> {
  await retryWhileLocked(() => rename(from, to), retry)
}

/** Opens one of our files, even right after it was written. */
export async function openWithRetry(
  path: string,
  flags: string | number,
  mode?: number,
): Promise<FileHandle> {
  return retryWhileLocked(() => open(path, flags, mode))
}

/** Removes one of our files that is no longer needed. If it cannot, it does no harm until the next start removes it. */
export async function removeBestEffort(path: string): Promise<void> {
  await retryWhileLocked(() => rm(path, { force: true }), SHORT_RETRY).catch(() => undefined)
}

/** What `act` makes of an open file, which is closed whatever happens. */
export async function withFile<Value, File extends Pick<FileHandle, 'close'>>(
  opening: Promise<File>,
  act: (file: File) => Promise<Value>,
): Promise<Value> {
  const file = await opening
  try {
    return await act(file)
  } finally {
    await file.close()
  }
}

/** Makes the entries of a folder durable. Windows has no such call, and NTFS needs none. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await withFile(open(path, 'r'), (folder) => folder.sync())
}

export function flushFolderSync(path: string): void {
  if (process.platform !== 'win32') flushSync(path, 'r')
}

/** Makes the content of a file durable that another writer produced. Windows flushes only what is open for writing. */
export function flushFileSync(path: string): void {
  flushSync(path, 'r+')
}

function flushSync(path: string, flags: 'r' | 'r+'): void {
  const opened = openSync(path, flags)
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Writes a file atomically: after a power cut the old or the new content is there, never a part, and not before `ready`. */
export async function writeDurably(
  path: string,
  bytes: Uint8Array | string,
  ready: Promise<void> = Promise.resolve(),
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await withFile(openWithRetry(temporary, 'wx', 0o600), async (file) => {
      await file.writeFile(bytes)
      await file.sync()
    })
    await ready
    await renameWithRetry(temporary, path)
  } catch (error) {
    await removeBestEffort(temporary)
    throw error
  }
  await flushFolder(dirname(path))
}

/** What a small file of our own holds; null if there is none, or if it is damaged. Throws if it cannot be read now. */
export async function readJsonFile<Content>(
  path: string,
  schema: z.ZodType<Content>,
): Promise<Content | null> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Devices that Windows opens instead of a file, whatever the extension. */
const RESERVED_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** In UTF-8. File systems allow 255, and our own suffixes need some. */
const MAX_BYTES = 180

/**
 * The last part of a foreign file name without separators, control and bidirectional characters, short enough for
 * every disk. Keeps the extension, because people recognise a file by it; the station never trusts it.
 */
export function sanitiseFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return 'image'
  return shortened(RESERVED_DEVICES.test(plain) ? `_${plain}` : plain)
}

function shortened(name: string): string {
  const { ext } = parse(name)
  const extension = /^\.[\w-]{1,11}$/.test(ext) ? ext : ''
  let short = ''
  let bytes = Buffer.byteLength(extension)
  for (const letter of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(letter)
    if (bytes > MAX_BYTES) break
    short += letter
  }
  return short.trimEnd() + extension
}

/** Bytes that this program may still write to the volume of a folder; null if unknown. */
export async function askFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** Files of operating systems, file servers, sync tools and unfinished copies: skipped without a note. */
const JUNK = [
  /^\./,
  // Hidden, as AFP servers write it.
  /^:2e/i,
  /^~\$/,
  /^#.+\.\w+#$/,
  /~$/,
  // As backups and sync tools number it. `SMITHJ~1` is a short name of Windows.
  /\.~[0-9a-f]+~?$/i,
  /^thumbs\.db$/i,
  /^ehthumbs.*\.db$/i,
  /^desktop\.ini$/i,
  /^icon\r$/i,
  // What Windows has deleted: the file, and its former path.
  /^\$[ir][0-9a-z]{6}(\.[^.]+)?$/i,
  // Small pictures that a file server makes of those in the folder.
  /^syno(file|photo|video|audio|index)_/i,
  /\.(~?tmp|temp|part|partial|filepart|crdownload|opdownload|download|upload(ing)?|aria2|!ut|lock|lck|swp|swo)$/i,
  /\.sb-[0-9a-f]{8}-\w{6}$/i,
  // The former version of a file.
  new RegExp(
    `\\.(${[...Object.values(ENDINGS).flat(), 'csv', 'xml', 'json', 'zip'].join('|')})[._-]?(bak|old|orig|prev|backup|save)\\d*$`,
    'i',
  ),
]
/** What systems, file servers and sync tools keep beside the files of people: skipped without a note. */
const JUNK_FOLDERS = [
  /^\./,
  /^:2e/i,
  // With the mark of a server or system such a word leaves no doubt; alone, it may name a folder of the camera.
  /^[#@~$]+_*(recycle|recently|deleted|transcod|upload|synolog|synodrive|synoresource|rmmetadata|gmt-\d)/i,
  /^[#@~$]+_*(trash|snap|snapshot|version|backup|cache|thumb|te?mp|sync|eadir|extend|windows)s?([^a-z]|$)/i,
  // The account whose deleted files Windows keeps there.
  /^s-1-5-\d+(-\d+)*$/i,
  /^(system volume information|temporary items|dfsrprivate|lost\+found|lost\.dir|found\.\d{3})$/i,
]

/** Folders for deleted files, by whatever program, or by a person: left alone with a note. */
const FOLDERS_OF_DELETED = [
  /^(_?nas_|network |volume )?(recycled?|recycler|recycle[ ._-]?bin)([ _-]?(raid|\d+))?_*$/i,
  /^(network )?trash(es)?([ ._-]?(box|bin|can|folder))?([ ._-]?\d+)?$/i,
  /^files_(trashbin|versions)$/i,
  /^(deleted|gel[öo]scht|supprim[ée]s?|eliminad[oa]s?|eliminati)([ ._-](items|files|images|pictures))?$/i,
  /^(papierkorb|corbeille|papelera( de reciclaje)?|cestino|lixeira)$/i,
]

export function isJunkFile(name: string): boolean {
  return JUNK.some((pattern) => pattern.test(name))
}

export function isJunkFolder(name: string): boolean {
  return JUNK_FOLDERS.some((pattern) => pattern.test(name))
}

/** True if a folder of this name holds deleted files: a deleted image stays deleted. */
export function isFolderOfDeleted(name: string): boolean {
  const composed = name.normalize('NFC')
  return FOLDERS_OF_DELETED.some((pattern) => pattern.test(composed))
}

/** True if a file may not be taken because of a folder that it lies in; `folders` are the names from the top. */
export function isInLeftFolder(folders: readonly string[]): boolean {
  return folders.some((name) => isJunkFolder(name) || isFolderOfDeleted(name))
}

/** A path inside a watched folder, after the folders and archives that it lies in. */
export function withParents(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** True if the name suggests facts about the cases beside it. The parser decides whether it holds any. */
export function isSidecar(name: string): boolean {
  return /\.(csv|xml|json)$/i.test(name)
}

/** Files beside images that the station leaves alone, by their extensions. */
const COMPANIONS = [
  ['pdf', 'pdf'],
  ['report', 'htm html mht xps'],
  ['office', 'doc docx odt rtf xls xlsx ods'],
  ['text', 'txt log md'],
  ['database', 'db sqlite sqlite3 mdb accdb db-wal db-shm'],
  ['settings', 'ini cfg conf config lnk url'],
  ['program', 'exe dll msi bat cmd ps1 sh jar'],
  ['video', 'mp4 avi mov wmv mkv mpg mpeg'],
  // In the format of a camera's maker.
  ['rawFile', 'fda fds e2e vol sdb oct img fda2 bsv'],
  ['rawPhotograph', 'cr2 cr3 nef arw dng orf raf rw2'],
] as const

export type CompanionKind = (typeof COMPANIONS)[number][0]

const KIND_BY_EXTENSION = new Map<string, CompanionKind>(
  COMPANIONS.flatMap(([kind, extensions]) =>
    extensions.split(' ').map((extension) => [extension, kind] as const),
  ),
)

export function companionKind(name: string): CompanionKind | null {
  return KIND_BY_EXTENSION.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? null
}

/** Content that is no image which is taken, whatever photograph the name of its file may promise. */
const PROMISED_ONLY = ['text', 'unknown', 'gif', 'heif', 'jpeg2000', 'webp'] as const

/** True if a name may promise an image, and the content is none. Reports and volumes are what they are. */
export function isPromisedOnly(content: string): content is (typeof PROMISED_ONLY)[number] {
  return (PROMISED_ONLY as readonly string[]).includes(content)
}

/**
 * Between a check and opening, another program may put a pipe there, which blocks for ever, or a link, which leads out
 * of the folder. On Windows these flags are undefined and add nothing.
 */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** The code of a file system error, or null. Node's (`ERR_…`) and SQLite's are about content and do not count. */
export function diskCodeOf(error: unknown): string | null {
  const code = errorCode(error)
  return code !== undefined && !/^(ERR|SQLITE)_/.test(code) ? code : null
}

/** The path is a pipe, a device, a socket or a folder. The code is the one that macOS uses. */
export class NotAFile extends Error {
  readonly code = 'EFTYPE'

  constructor() {
    super('What lies there is no file.')
    this.name = 'NotAFile'
  }
}

/** What is read of an open foreign file, and how one is opened. */
export type Source = Pick<FileHandle, 'read' | 'stat' | 'close'>
export type OpenSource = (path: string) => Promise<Source>

/** Opens a foreign file; the caller closes it. `ELOOP` for a link, `NotAFile` for anything but a regular file. */
export async function openSource(path: string): Promise<FileHandle> {
  const handle = await open(path, READ_ONLY)
  try {
    if ((await handle.stat()).isFile()) return handle
    throw new NotAFile()
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The target of a link that a person chose; the path itself if unresolvable, as on some Windows drives. */
export async function chosenFile(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** As `openSource`; returns a descriptor. */
export function openSourceNow(path: string): number {
  const file = openSync(path, READ_ONLY)
  try {
    if (fstatSync(file).isFile()) return file
    throw new NotAFile()
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** The first `mostBytes` bytes; bytes appended meanwhile are left out. Fails as `openSource` does. */
export async function readSource(
  path: string,
  mostBytes: number,
  open: OpenSource = openSource,
): Promise<Buffer> {
  return await withFile(open(path), async (file) =>
    readFrom(file, 0, Math.min((await file.stat()).size, mostBytes)),
  )
}

/** While this process reads and takes no step, it hangs; `own` wait for our disk. The files that it writes begin with `prefix`. */
export const reads = { steps: 0, own: 0, prefix: '' }

/** Reads at a position; fewer bytes than requested mean that the file ends there. */
export async function readFrom(
  handle: Pick<FileHandle, 'read'>,
  position: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  // A read may return fewer bytes than requested before the end, especially on network shares.
  while (filled < length) {
    const piece = Math.min(length - filled, 1_024 * 1_024)
    const { bytesRead } = await handle.read(bytes, filled, piece, position + filled)
    reads.steps += 1
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
