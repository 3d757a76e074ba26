/** A watched folder as it stands in its form. Pure. */
import { folderSettingsSchema, type FolderSettings } from '../../src-shared/settings.ts'
import { readSetting, type NumberLimits } from './read-setting.ts'

export type FolderForm = {
  /** Ours, for telling rows apart while they are edited. */
  readonly key: string
  readonly path: string
  readonly settle: string
  readonly quiet: string
  readonly sweep: string
  readonly existing: NonNullable<FolderSettings['existing']>
  readonly sendWithoutReview: boolean
  /** The folder as it is set, with what this form does not show. */
  readonly whole: FolderSettings
}

/** The limits of the contract, in seconds. */
export const FOLDER_LIMITS = {
  settle: { min: 0, max: 3_600 },
  quiet: { min: 0, max: 86_400 },
  sweep: { min: 1, max: 86_400 },
} as const satisfies Record<string, NumberLimits>

export function folderFormOf(folder: FolderSettings, key: string): FolderForm {
  return {
    key,
    path: folder.path,
    settle: String(folder.settleSeconds),
    quiet: String(folder.quietSeconds),
    sweep: String(folder.sweepSeconds),
    existing: folder.existing ?? 'ask',
    sendWithoutReview: folder.sendWithoutReview,
    whole: folder,
  }
}

/** A new folder with the contract's own defaults. */
export function newFolderForm(key: string): FolderForm {
  return { ...folderFormOf(folderSettingsSchema.parse({ path: '?' }), key), path: '' }
}

/** The settings behind a form, or null where something in it cannot be right. */
export function readFolderForm(form: FolderForm): FolderSettings | null {
  const settleSeconds = readSetting(form.settle, FOLDER_LIMITS.settle)
  const quietSeconds = readSetting(form.quiet, FOLDER_LIMITS.quiet)
  const sweepSeconds = readSetting(form.sweep, FOLDER_LIMITS.sweep)
  const path = form.path.trim()
  if (path === '' || settleSeconds === null || quietSeconds === null || sweepSeconds === null) return null
  return {
    ...form.whole,
    path,
    settleSeconds,
    quietSeconds,
    sweepSeconds,
    existing: form.existing,
    sendWithoutReview: form.sendWithoutReview,
  }
}
