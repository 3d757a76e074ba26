/** The files that somebody has chosen for a new case, and how far each has come to the station. Pure. */
import type { Eye } from '../../src-shared/eye.ts'
import { MOST_IMAGE_BYTES } from '../../src-shared/image-type.ts'

/** The part of a browser's file that is decided on. */
export type GivenFile = Pick<File, 'name' | 'size'>

export type HandingOver =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly sentBytes: number }
  | { readonly kind: 'kept'; readonly path: string; readonly sha256: string }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly mayTryAgain: boolean }

/** A word of ours, or a sentence of the station. */
export type Refusal = 'tooLarge' | 'empty' | { readonly message: string }

export type ChosenFile<Given extends GivenFile = File> = {
  readonly id: string
  readonly file: Given
  /** Only a person says it here; what its name tells is read by the station. */
  readonly eye: Eye
  readonly state: HandingOver
}

/** As many as one call takes. */
export const MOST_FILES = 200
/** As the station says it, which counts megabytes by 1,024. */
export const LARGEST = `${MOST_IMAGE_BYTES / 1_024 / 1_024} MB`
/** More at a time only share the same line. */
const MOST_AT_A_TIME = 2

export type Added<Given extends GivenFile> = {
  readonly files: readonly ChosenFile<Given>[]
  /** How many had no place any more. */
  readonly leftOut: number
}

/**
 * Adds files behind the others. Name, size and time prove nothing: cameras count their names anew for each patient and
 * write several images in a second. Whether two are the same is seen by their bytes.
 */
export function withAdded<Given extends GivenFile>(
  before: readonly ChosenFile<Given>[],
  given: readonly Given[],
  newId: () => string,
): Added<Given> {
  const files = [...before]
  let leftOut = 0
  for (const file of given) {
    if (files.length >= MOST_FILES) leftOut += 1
    else files.push({ id: newId(), file, eye: 'unknown', state: firstStateOf(file) })
  }
  return { files, leftOut }
}

function firstStateOf({ size }: GivenFile): HandingOver {
  if (size === 0) return { kind: 'refused', why: 'empty', mayTryAgain: false }
  if (size > MOST_IMAGE_BYTES) return { kind: 'refused', why: 'tooLarge', mayTryAgain: false }
  return { kind: 'waiting' }
}

/** Changes one file; one that was taken out meanwhile stays out. */
export function withChange<Given extends GivenFile>(
  files: readonly ChosenFile<Given>[],
  id: string,
  change: Partial<Pick<ChosenFile<Given>, 'eye' | 'state'>>,
): readonly ChosenFile<Given>[] {
  return files.map((one) => (one.id === id ? { ...one, ...change } : one))
}

/** Which files begin to be handed over now, in the order in which they were chosen. */
export function nextToSend<Given extends GivenFile>(
  files: readonly ChosenFile<Given>[],
): readonly ChosenFile<Given>[] {
  const underWay = files.filter(({ state }) => state.kind === 'sending').length
  return files
    .filter(({ state }) => state.kind === 'waiting')
    .slice(0, Math.max(0, MOST_AT_A_TIME - underWay))
}

/** The file before this one that has the very same bytes; null where there is none. */
export function sameBefore<Given extends GivenFile>(
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
export function whatIsMissing(
  files: readonly ChosenFile<GivenFile>[],
): 'needsImages' | 'needsHandingOver' | 'needsEachOnce' | null {
  if (files.length === 0) return 'needsImages'
  if (!files.every(({ state }) => state.kind === 'kept')) return 'needsHandingOver'
  return files.some((one) => sameBefore(files, one) !== null) ? 'needsEachOnce' : null
}

/** The images of the call, in the order in which they were chosen, which says nothing of their eyes. */
export function imagesOf(
  files: readonly ChosenFile<GivenFile>[],
): { readonly path: string; readonly eye: Eye }[] {
  return files.flatMap(({ state, eye }) => (state.kind === 'kept' ? [{ path: state.path, eye }] : []))
}
