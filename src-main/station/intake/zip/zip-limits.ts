/** How much of one archive is taken. All of it is far more than a camera writes, and less than a disk holds. */
export type ZipLimits = {
  readonly entries: number
  readonly totalBytes: number
  readonly entryBytes: number
  /** Unpacked over packed bytes. */
  readonly ratio: number
}

/** A phone camera's archive holds some tens of files; a whole year of a clinic some thousands. */
export const MAX_ENTRIES = 10_000

const MEBIBYTE = 1_024 * 1_024

export const ZIP_LIMITS: ZipLimits = {
  entries: MAX_ENTRIES,
  totalBytes: 4_096 * MEBIBYTE,
  // The same as for a file that lies in the folder itself.
  entryBytes: 512 * MEBIBYTE,
  ratio: 200,
}

/** A black uncompressed image of 36 MB shrinks to a thousandth by right, so a ratio alone is no bomb. */
export const RATIO_MATTERS_FROM_BYTES = 100 * MEBIBYTE
