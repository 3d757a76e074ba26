/** A watched folder as it stands in its form. Pure. */
import { isCalendarDate } from '../../src-shared/fields.ts'
import { folderSettingsSchema, type FolderSettings } from '../../src-shared/folder-settings.ts'
import { readSetting, type NumberLimits } from './read-setting.ts'
import { t } from '../words/t.ts'

/** Numbers stand as they were typed. */
export type FolderForm = {
  /** Ours, for telling rows apart while they are edited. */
  readonly key: string
  readonly path: string
  readonly profile: string
  readonly watching: FolderSettings['watching']
  readonly settle: string
  readonly quiet: string
  readonly sweep: string
  /** Set in the file only; saving the form keeps it. */
  readonly visitGapMinutes: FolderSettings['visitGapMinutes']
  readonly existing: NonNullable<FolderSettings['existing']>
  readonly existingSince: string
  readonly dicom: FolderSettings['dicom']
  readonly lease: FolderSettings['lease']
  readonly sendWithoutReview: boolean
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
    profile: folder.profile,
    watching: folder.watching,
    settle: String(folder.settleSeconds),
    quiet: String(folder.quietSeconds),
    sweep: String(folder.sweepSeconds),
    visitGapMinutes: folder.visitGapMinutes,
    existing: folder.existing ?? 'ask',
    existingSince: folder.existingSince ?? '',
    dicom: folder.dicom,
    lease: folder.lease,
    sendWithoutReview: folder.sendWithoutReview,
  }
}

/** A new folder with the contract's own defaults. */
export function newFolderForm(key: string): FolderForm {
  return { ...folderFormOf(folderSettingsSchema.parse({ path: '?' }), key), path: '' }
}

/** What is wrong with the day, where files since a day are to be taken. */
export function dayProblem({
  existing,
  existingSince,
}: Pick<FolderForm, 'existing' | 'existingSince'>): string | null {
  return existing === 'since' && !isCalendarDate(existingSince) ? t('settings:folders.sinceMissing') : null
}

/** The settings behind a form, or null where something in it cannot be right. */
export function readFolderForm(form: FolderForm): FolderSettings | null {
  const settleSeconds = readSetting(form.settle, FOLDER_LIMITS.settle)
  const quietSeconds = readSetting(form.quiet, FOLDER_LIMITS.quiet)
  const sweepSeconds = readSetting(form.sweep, FOLDER_LIMITS.sweep)
  const path = form.path.trim()
  if (path === '' || settleSeconds === null || quietSeconds === null || sweepSeconds === null) return null
  if (dayProblem(form) !== null) return null
  return {
    path,
    profile: form.profile,
    watching: form.watching,
    settleSeconds,
    quietSeconds,
    sweepSeconds,
    existing: form.existing,
    ...(isCalendarDate(form.existingSince) && { existingSince: form.existingSince }),
    visitGapMinutes: form.visitGapMinutes,
    dicom: form.dicom,
    lease: form.lease,
    sendWithoutReview: form.sendWithoutReview,
  }
}
