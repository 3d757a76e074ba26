/** The case that a person is adding by hand: its files, and dropping files on the window. */
import { Portal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconPhotoPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { createStore } from 'zustand/vanilla'
import { type Eye, MAX_IMAGE_BYTES } from '../../src-shared/measurement-ranges.ts'
import { LinkButton } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { goTo } from '../shell/navigation.tsx'
import type { Draft } from '../submission/drafts.ts'
import css from './drop-place.module.css'

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

type DropZoneProps = {
  readonly label: string
  /** Null if no files are accepted: even then the browser must not navigate to a dropped file. */
  readonly onFiles: ((files: readonly File[]) => void) | null
}

/** Accepts files dropped anywhere in the window; without it a browser would navigate to the file. */
export function DropZone({ label, onFiles }: DropZoneProps) {
  const [depth, setDepth] = useState(0)
  useWindowEvent('dragenter', (event) => hasFiles(event) && setDepth((before) => before + 1))
  useWindowEvent('dragleave', (event) => hasFiles(event) && setDepth((before) => Math.max(0, before - 1)))
  useWindowEvent('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = onFiles ? 'copy' : 'none'
  })
  useWindowEvent('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setDepth(0)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length > 0) onFiles?.(files)
  })
  if (depth === 0 || onFiles === null) return null
  return (
    <Portal>
      <div className={css.veil} data-testid="drop-place">
        <p className={css.label}>
          <IconPhotoPlus size={34} stroke={1.5} aria-hidden />
          {label}
        </p>
      </div>
    </Portal>
  )
}

export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly sentBytes: number }
  | { readonly kind: 'kept'; readonly path: string; readonly sha256: string }
  | { readonly kind: 'refused'; readonly why: UploadRefusal; readonly mayTryAgain: boolean }

/** A code of ours, or a message of the station. */
export type UploadRefusal = 'tooLarge' | 'empty' | { readonly message: string }

export type ChosenFile = {
  readonly id: string
  readonly file: File
  /** Set only by a person; the station reads file names itself. */
  readonly eye: Eye
  readonly state: UploadState
}

export const MAX_FILES = 200

/** As the station's messages state it, in megabytes of 1,024 × 1,024 bytes. */
export const MAX_FILE_SIZE_TEXT = `${MAX_IMAGE_BYTES / 1_024 / 1_024} MB`

/** More parallel uploads would only share the same bandwidth. */
const MAX_PARALLEL_UPLOADS = 2

/**
 * Appends files. Name, size and time do not identify duplicates: cameras restart their numbering for each patient and
 * write several images per second. Duplicates are detected by their bytes.
 */
export function withAdded(
  before: readonly ChosenFile[],
  added: readonly File[],
): Pick<NewCase, 'files' | 'overflowCount'> {
  const taken = added
    .slice(0, Math.max(0, MAX_FILES - before.length))
    .map((file): ChosenFile => ({ id: crypto.randomUUID(), file, eye: 'unknown', state: initialState(file) }))
  return { files: [...before, ...taken], overflowCount: added.length - taken.length }
}

function initialState({ size }: File): UploadState {
  if (size === 0) return { kind: 'refused', why: 'empty', mayTryAgain: false }
  if (size > MAX_IMAGE_BYTES) return { kind: 'refused', why: 'tooLarge', mayTryAgain: false }
  return { kind: 'waiting' }
}

/** Changes one file; a removed one stays removed. */
export function withChange(
  files: readonly ChosenFile[],
  id: string,
  change: Partial<Pick<ChosenFile, 'eye' | 'state'>>,
): readonly ChosenFile[] {
  return files.map((one) => (one.id === id ? { ...one, ...change } : one))
}

export function nextUploads(files: readonly ChosenFile[]): readonly ChosenFile[] {
  const uploadingCount = files.filter(({ state }) => state.kind === 'sending').length
  return files
    .filter(({ state }) => state.kind === 'waiting')
    .slice(0, Math.max(0, MAX_PARALLEL_UPLOADS - uploadingCount))
}

export function earlierDuplicate(files: readonly ChosenFile[], { id, state }: ChosenFile): ChosenFile | null {
  if (state.kind !== 'kept') return null
  const first = files.find((other) => other.state.kind === 'kept' && other.state.sha256 === state.sha256)
  return first === undefined || first.id === id ? null : first
}

/** What prevents creating the case; null if nothing does. No file is dropped silently. */
export function missingStep(
  files: readonly ChosenFile[],
): 'needsImages' | 'needsHandingOver' | 'needsEachOnce' | null {
  if (files.length === 0) return 'needsImages'
  if (!files.every(({ state }) => state.kind === 'kept')) return 'needsHandingOver'
  return files.some((one) => earlierDuplicate(files, one) !== null) ? 'needsEachOnce' : null
}

/** The images of the call in the order chosen, which says nothing about their eyes. */
export function imagesOf(files: readonly ChosenFile[]): { readonly path: string; readonly eye: Eye }[] {
  return files.flatMap(({ state, eye }) => (state.kind === 'kept' ? [{ path: state.path, eye }] : []))
}

/** A new case in progress. It outlives the screen: visiting the queue loses nothing. */
type NewCase = {
  readonly files: readonly ChosenFile[]
  readonly draft: Draft
  readonly overflowCount: number
  /** Images dropped while this case was in progress: a person says whether they belong to it. */
  readonly dropped: readonly File[]
  /** The station is creating the case: later changes would be lost. */
  readonly isMaking: boolean
}

const EMPTY_CASE: NewCase = { files: [], draft: {}, overflowCount: 0, dropped: [], isMaking: false }

export const newCase = createStore<NewCase>(() => EMPTY_CASE)

export function addFiles(added: readonly File[]): void {
  newCase.setState(({ files }) => withAdded(files, added))
}

/** Is a new case in progress? It exists only in this window. */
export function hasStartedCase(): boolean {
  const { files, draft, isMaking } = newCase.getState()
  return isMaking || files.length > 0 || Object.values(draft).some((text) => text.trim() !== '')
}

function dropFiles(files: readonly File[]): void {
  const { dropped } = newCase.getState()
  if (hasStartedCase()) newCase.setState({ dropped: [...dropped, ...files] })
  else addFiles(files)
  goTo({ screen: 'new' })
}

/** The images do not belong to this case; the files themselves are untouched. */
export function discardDropped(): void {
  newCase.setState({ dropped: [] })
}

export function clearNewCase(): void {
  newCase.setState(EMPTY_CASE, true)
}

/** Images dropped meanwhile start the next case. */
export function startNext(): void {
  const { dropped } = newCase.getState()
  clearNewCase()
  addFiles(dropped)
}

export function NewCaseButton() {
  return (
    <>
      <LinkButton to={{ screen: 'new' }} leftSection={<IconPlus size={17} aria-hidden />}>
        {t('newCase:title')}
      </LinkButton>
      <DropZone label={t('newCase:dropOnQueue')} onFiles={dropFiles} />
    </>
  )
}
