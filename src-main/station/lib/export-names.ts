/**
 * Classifies exported files by name alone: junk, sidecars, and companions that the station leaves alone with a note.
 */

/** Files of operating systems, sync tools and unfinished copies: skipped without a note. */
const JUNK = [
  /^\./,
  /^~\$/,
  /~$/,
  /^thumbs\.db$/i,
  /^ehthumbs.*\.db$/i,
  /^desktop\.ini$/i,
  /^icon\r$/i,
  /\.(tmp|temp|part|partial|filepart|crdownload|download|lock|lck|swp)$/i,
]
const JUNK_FOLDERS = [
  /^\./,
  /^\$recycle\.bin$/i,
  /^system volume information$/i,
  /^@eadir$/i,
  /^lost\+found$/i,
]

export function isJunkFile(name: string): boolean {
  return JUNK.some((pattern) => pattern.test(name))
}

export function isJunkFolder(name: string): boolean {
  return JUNK_FOLDERS.some((pattern) => pattern.test(name))
}

/**
 * True if the name suggests facts about the cases beside it: `case.json`, and the tables and data files that cameras
 * and clinics write. The parser decides whether it holds any.
 */
export function isSidecar(name: string): boolean {
  return /\.(csv|xml|json)$/i.test(name)
}

type Companion = {
  readonly extensions: readonly string[]
  readonly what: string
  readonly advice: string | null
}

const COMPANIONS: readonly Companion[] = [
  { extensions: ['pdf'], what: 'a PDF document', advice: null },
  { extensions: ['htm', 'html', 'mht', 'xps'], what: 'a report page', advice: null },
  {
    extensions: ['doc', 'docx', 'odt', 'rtf', 'xls', 'xlsx', 'ods'],
    what: 'an office document',
    advice: null,
  },
  { extensions: ['txt', 'log', 'md'], what: 'a text', advice: null },
  {
    extensions: ['db', 'sqlite', 'sqlite3', 'mdb', 'accdb', 'db-wal', 'db-shm'],
    what: 'a database of the camera',
    advice: null,
  },
  { extensions: ['ini', 'cfg', 'conf', 'config', 'lnk', 'url'], what: 'a settings file', advice: null },
  { extensions: ['exe', 'dll', 'msi', 'bat', 'cmd', 'ps1', 'sh', 'jar'], what: 'a program', advice: null },
  { extensions: ['mp4', 'avi', 'mov', 'wmv', 'mkv', 'mpg', 'mpeg'], what: 'a video', advice: null },
  {
    extensions: ['fda', 'fds', 'e2e', 'vol', 'sdb', 'oct', 'img', 'fda2', 'bsv'],
    what: "a raw file in the camera maker's own format",
    advice: 'If its photograph is wanted, export it as an image from the camera program.',
  },
  {
    extensions: ['cr2', 'cr3', 'nef', 'arw', 'dng', 'orf', 'raf', 'rw2'],
    what: 'a raw photograph',
    advice: 'Set the camera to write JPEG as well.',
  },
]

const COMPANION_BY_EXTENSION = new Map(
  COMPANIONS.flatMap((companion) => companion.extensions.map((extension) => [extension, companion] as const)),
)

/** The note for a file whose extension marks it as a companion of images; null for all others. */
export function companionMessage(name: string): string | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const companion = COMPANION_BY_EXTENSION.get(extension)
  if (!companion) return null
  const sentence = `This is ${companion.what}, not an image; it is left where it is.`
  return companion.advice === null ? sentence : `${sentence} ${companion.advice}`
}
