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

/** The kind of companion that the extension states; null for all other files. */
export function companionKind(name: string): CompanionKind | null {
  return KIND_BY_EXTENSION.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? null
}
