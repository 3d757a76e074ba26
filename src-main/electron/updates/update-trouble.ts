/** What an error on the way to an update means. Pure; electron-updater marks its own with codes. */
import type { UpdateTrouble } from '../../../src-shared/updates.ts'

/** The file is not the one that the feed announced, or not by the maker of this app (Windows). */
const DAMAGED = ['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE', 'ERR_UPDATER_NO_CHECKSUM']
const UNREADABLE = [
  'ERR_UPDATER_INVALID_UPDATE_INFO',
  'ERR_UPDATER_INVALID_VERSION',
  'ERR_UPDATER_NO_FILES_PROVIDED',
  'ERR_UPDATER_ASSET_NOT_FOUND',
  'ERR_UPDATER_ZIP_FILE_NOT_FOUND',
]

export function troubleOf(error: unknown): UpdateTrouble {
  if (!(error instanceof Error)) return 'unreachable'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (DAMAGED.includes(code)) return 'damaged'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'noSpace'
  if (UNREADABLE.includes(code) || error.name === 'ZodError' || error.name === 'YAMLException')
    return 'unreadable'
  return 'unreachable'
}
