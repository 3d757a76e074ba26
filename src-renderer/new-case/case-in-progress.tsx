import { Button, Portal } from '@mantine/core'
import { IconPhotoPlus, IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import { type Eye, MAX_IMAGE_BYTES } from '../../src-shared/measurement-ranges.ts'
import { t } from '../i18n/said.ts'
import { goTo, writeRoute } from '../shell/navigation.tsx'
import type { Draft } from '../submission/draft.ts'
import css from './drop-place.module.css'

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

type DropZoneProps = {
  /** What is shown over the screen while files are held over it. */
  readonly label: string
  /** Null while nothing is taken: even then a browser must not leave the screens. */
  readonly onFiles: ((files: readonly File[]) => void) | null
}

/** Takes files that are dropped anywhere in the window; without it a browser would leave the screens to show the file. */
export function DropZone({ label, onFiles }: DropZoneProps) {
  const [depth, setDepth] = useState(0)
  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (hasFiles(event)) setDepth((before) => before + 1)
    }
    const leave = (event: DragEvent): void => {
      if (hasFiles(event)) setDepth((before) => Math.max(0, before - 1))
    }
    const handleDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = onFiles ? 'copy' : 'none'
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDepth(0)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) onFiles?.(files)
    }
    const listeners = { dragenter: enter, dragleave: leave, dragover: handleDragOver, drop } as const
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [onFiles])
  if (depth === 0 || onFiles === null) return null
  return (
    <Portal>
      <div className={css.veil} data-testid="drop-place">
        <p className={css.words}>
          <IconPhotoPlus size={34} stroke={1.5} aria-hidden />
          {label}
        </p>
      </div>
    </Portal>
  )
}

// The files that somebody has chosen for a new case, and how far each has come to the station. Pure.

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

type AddedFiles<Given extends FileLike> = {
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

/**
 * What somebody has begun of a new case. It outlives the screen: looking at the queue in between loses nothing, and
 * files that are dropped there are here before the screen is.
 */
type NewCase = {
  readonly files: readonly ChosenFile[]
  readonly draft: Draft
  /** How many files of the last choice had no place. */
  readonly overflowCount: number
  /** Images that came while this case was begun: a person says whether they belong to it. */
  readonly dropped: readonly File[]
  /** The station makes the case of it now: what would be changed would not be in it. */
  readonly isMaking: boolean
}

const EMPTY_CASE: NewCase = { files: [], draft: {}, overflowCount: 0, dropped: [], isMaking: false }

export const newCase = createStore<NewCase>(() => EMPTY_CASE)

export function addFiles(added: readonly File[]): void {
  newCase.setState(({ files }) => withAdded(files, added, () => crypto.randomUUID()))
}

/** Has somebody begun one? All of it is kept here alone. */
export function hasStartedCase(): boolean {
  const { files, draft, isMaking } = newCase.getState()
  return isMaking || files.length > 0 || Object.values(draft).some((text) => text.trim() !== '')
}

/** Takes files that were dropped where the begun case is not in sight. */
function dropFiles(files: readonly File[]): void {
  const { dropped } = newCase.getState()
  if (hasStartedCase()) newCase.setState({ dropped: [...dropped, ...files] })
  else addFiles(files)
}

/** They are no images of this case; they lie where they were. */
export function discardDropped(): void {
  newCase.setState({ dropped: [] })
}

/** Ends it: nobody wants it any more. */
export function clearNewCase(): void {
  newCase.setState(EMPTY_CASE, true)
}

/** The case was made; images that came meanwhile begin the next one. */
export function startNext(): void {
  const { dropped } = newCase.getState()
  clearNewCase()
  addFiles(dropped)
}

const take = (files: readonly File[]): void => {
  dropFiles(files)
  goTo({ screen: 'new' })
}

/** The way to a case without a camera: by the button, or by dropping images anywhere on the screen it stands on. */
export function NewCaseButton() {
  return (
    <>
      <Button
        component="a"
        href={writeRoute({ screen: 'new' })}
        variant="default"
        leftSection={<IconPlus size={17} aria-hidden />}
      >
        {t('newCase:button')}
      </Button>
      <DropZone label={t('newCase:dropOnQueue')} onFiles={take} />
    </>
  )
}
