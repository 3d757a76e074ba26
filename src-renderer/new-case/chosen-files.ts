/** The files that somebody has chosen for a new case, and how far each has come to the station. Pure. */
import type { Eye } from '../../src-shared/eye.ts'
import { MAX_IMAGE_BYTES } from '../../src-shared/image-type.ts'

/** The part of a browser's file that is decided on. */
export type FileLike = Pick<File, 'name' | 'size'>

export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly sentBytes: number }
  | { readonly kind: 'kept'; readonly path: string; readonly sha256: string }
  | { readonly kind: 'refused'; readonly why: UploadRefusal; readonly mayTryAgain: boolean }

/** A word of ours, or a sentence of the station. */
export type UploadRefusal = 'tooLarge' | 'empty' | { readonly message: string }

export type ChosenFile<Given extends FileLike = File> = {
  readonly id: string
  readonly file: Given
  /** Only a person says it here; what its name tells is read by the station. */
  readonly eye: Eye
  readonly state: UploadState
}

/** As many as one call takes. */
export const MAX_FILES = 200
/** As the station says it, which counts megabytes by 1,024. */
export const MAX_FILE_SIZE_TEXT = `${MAX_IMAGE_BYTES / 1_024 / 1_024} MB`
/** More at a time only share the same line. */
const MAX_PARALLEL_UPLOADS = 2

export type AddedFiles<Given extends FileLike> = {
  readonly files: readonly ChosenFile<Given>[]
  /** How many had no place any more. */
  readonly overflowCount: number
}

/**
 * Adds files behind the others. Name, size and time prove nothing: cameras count their names anew for each patient and
 * write several images in a second. Whether two are the same is seen by their bytes.
 */
export function withAdded<Given extends FileLike>(
  before: readonly ChosenFile<Given>[],
  added: readonly Given[],
  newId: () => string,
): AddedFiles<Given> {
  const files = [...before]
  let overflowCount = 0
  for (const file of added) {
    if (files.length >= MAX_FILES) overflowCount += 1
    else files.push({ id: newId(), file, eye: 'unknown', state: initialState(file) })
  }
  return { files, overflowCount }
}

function initialState({ size }: FileLike): UploadState {
  if (size === 0) return { kind: 'refused', why: 'empty', mayTryAgain: false }
  if (size > MAX_IMAGE_BYTES) return { kind: 'refused', why: 'tooLarge', mayTryAgain: false }
  return { kind: 'waiting' }
}

/** Changes one file; one that was taken out meanwhile stays out. */
export function withChange<Given extends FileLike>(
  files: readonly ChosenFile<Given>[],
  id: string,
  change: Partial<Pick<ChosenFile<Given>, 'eye' | 'state'>>,
): readonly ChosenFile<Given>[] {
  return files.map((one) => (one.id === id ? { ...one, ...change } : one))
}

/** Which files begin to be handed over now, in the order in which they were chosen. */
export function nextUploads<Given extends FileLike>(
  files: readonly ChosenFile<Given>[],
): readonly ChosenFile<Given>[] {
  const uploadingCount = files.filter(({ state }) => state.kind === 'sending').length
  return files
    .filter(({ state }) => state.kind === 'waiting')
    .slice(0, Math.max(0, MAX_PARALLEL_UPLOADS - uploadingCount))
}

/** The file before this one that has the very same bytes; null where there is none. */
export function earlierDuplicate<Given extends FileLike>(
  files: readonly ChosenFile<Given>[],
  { id, state }: ChosenFile<Given>,
): ChosenFile<Given> | null {
  if (state.kind !== 'kept') return null
  const before = files.slice(
    0,
    files.findIndex((one) => one.id === id),
  )
  return before.find((other) => other.state.kind === 'kept' && other.state.sha256 === state.sha256) ?? null
}

/** What keeps a case from being made of these files; null where nothing does. No file is left out in silence. */
export function missingStep(
  files: readonly ChosenFile<FileLike>[],
): 'needsImages' | 'needsHandingOver' | 'needsEachOnce' | null {
  if (files.length === 0) return 'needsImages'
  if (!files.every(({ state }) => state.kind === 'kept')) return 'needsHandingOver'
  return files.some((one) => earlierDuplicate(files, one) !== null) ? 'needsEachOnce' : null
}

/** The images of the call, in the order in which they were chosen, which says nothing of their eyes. */
export function imagesOf(
  files: readonly ChosenFile<FileLike>[],
): { readonly path: string; readonly eye: Eye }[] {
  return files.flatMap(({ state, eye }) => (state.kind === 'kept' ? [{ path: state.path, eye }] : []))
}
