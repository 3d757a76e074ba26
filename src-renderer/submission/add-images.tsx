/** A case by hand: it begins empty, and its images are chosen or dropped, one after another. */
import { Group, Portal, Progress, Stack } from '@mantine/core'
import { useFileDialog, useWindowEvent } from '@mantine/hooks'
import { IconPhotoPlus, IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { fail, type Failure } from '../../src-shared/failure.ts'
import { ENDINGS, IMAGE_TYPES, MAX_IMAGE_BYTES } from '../../src-shared/image-files.ts'
import { ActionButton, EmptyState, IconAction, SmallButton } from '../components/controls.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { goTo, writeRoute } from '../shell/navigation.tsx'
import { runCall } from '../shell/toast.tsx'
import { type StationSession, upsertSubmission } from '../store/store.ts'
import { deferUpdates, useSession } from '../store/use-station.ts'
import css from './add-images.module.css'
import { hasDraft } from './drafts.ts'
import { useCase } from './form.ts'

/** The files of one case that were chosen since all of them were dealt with. They exist only in this window. */
type ChosenFiles = {
  readonly total: number
  readonly done: number
  /** Not added, and a person has not decided about them. */
  readonly refused: readonly { readonly file: File; readonly failure: Failure }[]
}

const NO_FILES: ChosenFiles = { total: 0, done: 0, refused: [] }

const chosen = createStore<Readonly<Record<string, ChosenFiles>>>(() => ({}))

function changeFiles(id: string, change: (files: ChosenFiles) => ChosenFiles): void {
  const files = change(chosen.getState()[id] ?? NO_FILES)
  const { [id]: _before, ...others } = chosen.getState()
  const isDone = files.done === files.total && files.refused.length === 0
  chosen.setState(isDone ? others : { ...others, [id]: files }, true)
}

/** Are files of this case on their way, or refused without a decision? It is not sent meanwhile: none is missed silently. */
export function hasOpenFiles(id: string): boolean {
  return chosen.getState()[id] !== undefined
}

/** Why such a case neither leaves nor goes: what is on its way to it would be lost. */
export function filesFirst(): Failure {
  return { kind: 'notAllowed', message: t('newCase:filesFirst') }
}

export function useHasOpenFiles(id: string): boolean {
  return useStore(chosen, (all) => all[id] !== undefined)
}

let adding: Promise<void> = Promise.resolve()

/** Adds files one after another, also after the screen is left. Nothing here reads an eye: the station reads the names. */
export function addFiles(session: StationSession, id: string, files: readonly File[]): void {
  if (files.length === 0) return
  changeFiles(id, (before) => ({ ...before, total: before.total + files.length }))
  deferUpdates(session, `images of ${id}`, () => hasOpenFiles(id))
  for (const file of files) adding = adding.then(() => addFile(session, id, file))
}

async function addFile(session: StationSession, id: string, file: File): Promise<void> {
  const uploaded =
    file.size > MAX_IMAGE_BYTES
      ? fail({ kind: 'badRequest', message: t('outbox:upload.tooLarge', { limit: LIMIT_MB }) })
      : await session.link.uploadFile(file)
  const added = uploaded.ok
    ? await session.call('submissions.addImages', {
        ...currentSignature(),
        id,
        images: [{ path: uploaded.value.path }],
      })
    : uploaded
  if (added.ok) upsertSubmission(session, added.value)
  changeFiles(id, ({ total, done, refused }) => ({
    total,
    done: done + 1,
    refused: added.ok ? refused : [...refused, { file, failure: added.failure }],
  }))
}

/** The station's megabytes, of 1,024 \u00d7 1,024 bytes. */
const LIMIT_MB = MAX_IMAGE_BYTES / 1_024 / 1_024

/** New cases of this window in which nothing was done yet. */
const untouched = new Set<string>()

async function startCase(session: StationSession, files: readonly File[]): Promise<void> {
  const made = await runCall(session, 'submissions.create', {
    ...currentSignature(),
    fields: {},
    images: [],
  })
  if (!made) return
  upsertSubmission(session, made)
  untouched.add(made.id)
  addFiles(session, made.id, files)
  goTo({ screen: 'submission', id: made.id })
}

/** A new case that is left as it began is discarded. The station compares it once more: another person may have begun. */
export function useDiscardUntouched(id: string): void {
  const session = useSession()
  useEffect(
    () => () => {
      if (window.location.hash === writeRoute({ screen: 'submission', id }) || !untouched.delete(id)) return
      const { [id]: left } = session.store.getState().submissions
      const isEmpty = left?.images.length === 0 && Object.keys(left.fields).length === 0
      if (!isEmpty || hasDraft(id) || hasOpenFiles(id) || left.state !== 'incomplete') return
      void session.call('submissions.discard', {
        ids: [id],
        seen: { [id]: left.digest },
        ...currentSignature(),
      })
    },
    [session, id],
  )
}

export function NewCaseButton() {
  const session = useSession()
  const [isMaking, setMaking] = useState(false)
  const start = async (files: readonly File[]): Promise<void> => {
    setMaking(true)
    await startCase(session, files)
    setMaking(false)
  }
  return (
    <>
      <IconAction
        variant="default"
        label={t('newCase:title')}
        icon={IconPlus}
        loading={isMaking}
        onClick={() => void start([])}
      />
      <DropZone label={t('newCase:dropOnQueue')} onFiles={isMaking ? null : (files) => void start(files)} />
    </>
  )
}

type DropZoneProps = {
  readonly label: string
  /** Null if no files are accepted: even then the browser must not navigate to a dropped file. */
  readonly onFiles: ((files: readonly File[]) => void) | null
}

/** Accepts files dropped anywhere in the window; without it a browser would navigate to the file. */
function DropZone({ label, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  useWindowEvent('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    event.dataTransfer.dropEffect = onFiles ? 'copy' : 'none'
    setOver(true)
  })
  // Only the window itself is left for nothing.
  useWindowEvent('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false))
  useWindowEvent('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])]
    setOver(false)
    if (files.length === 0) return
    event.preventDefault()
    onFiles?.(files)
  })
  useWindowEvent('beforeunload', (event) => {
    if (Object.keys(chosen.getState()).length > 0) event.preventDefault()
  })
  if (!isOver || onFiles === null) return null
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

/** Offered first; a camera's files without an extension are available under "all files". */
const ACCEPTED = [
  ...Object.values(ENDINGS).flatMap((endings) => endings.map((ending) => `.${ending}`)),
  ...IMAGE_TYPES,
].join(',')

/** Chooses files for a case by hand; the first act in one that is empty. */
export function AddImagesButton() {
  const session = useSession()
  const { id, images } = useCase().details
  // Emptied when it opens, so that a file can be chosen again.
  const dialog = useFileDialog({
    accept: ACCEPTED,
    resetOnOpen: true,
    onChange: (files) => addFiles(session, id, [...(files ?? [])]),
  })
  return (
    <ActionButton
      variant="filled"
      {...(images.length > 0 && { size: 'compact-sm', variant: 'default', ml: 'auto' })}
      icon={IconPhotoPlus}
      onClick={dialog.open}
    >
      {t('newCase:add')}
    </ActionButton>
  )
}

/** Where files are dropped, the invitation of an empty case, and what became of the files that were chosen. */
export function AddedFiles({ mayAdd }: { readonly mayAdd: boolean }) {
  const session = useSession()
  const { id, images } = useCase().details
  const files = useStore(chosen, (all) => all[id])
  return (
    <>
      <DropZone
        label={t('newCase:dropOnCase')}
        onFiles={mayAdd ? (dropped) => addFiles(session, id, dropped) : null}
      />
      {files && <Progressing {...files} />}
      {files && files.refused.length > 0 && <RefusedFiles id={id} {...files} />}
      {mayAdd && images.length === 0 && (
        <EmptyState
          icon={IconPhotoPlus}
          title={t('newCase:drop')}
          body={t('newCase:formats', { limit: LIMIT_MB })}
        >
          <AddImagesButton />
        </EmptyState>
      )}
    </>
  )
}

function Progressing({ done, total }: ChosenFiles) {
  if (done === total) return null
  const label = t('newCase:adding', { number: done + 1, total })
  return (
    <Group gap={10} mb={10} className="dim" role="status">
      <span>{label}</span>
      <Progress flex={1} value={(done / total) * 100} aria-label={label} />
    </Group>
  )
}

function RefusedFiles({ id, refused }: ChosenFiles & { readonly id: string }) {
  const session = useSession()
  const names = useNames()
  const leaveOut = (): void => changeFiles(id, (files) => ({ ...files, refused: [] }))
  const tryAgain = (): void => {
    leaveOut()
    addFiles(
      session,
      id,
      refused.map(({ file }) => file),
    )
  }
  return (
    <Stack component="section" gap={8} mb={10} className="tone-box breakable" data-tone="red" role="alert">
      <strong className="red">{t('newCase:refused', { count: refused.length })}</strong>
      <ul role="list">
        {refused.map(({ file, failure }, index) => (
          <li key={`${index} ${file.name}`}>
            <span className="bold">{names.fileName(file.name)}</span> {messageOf(failure)}
          </li>
        ))}
      </ul>
      <Group gap={8}>
        <SmallButton onClick={leaveOut}>{t('newCase:leaveOut')}</SmallButton>
        <SmallButton onClick={tryAgain}>{t('shell:tryAgain')}</SmallButton>
      </Group>
    </Stack>
  )
}
