/** The viewer's dialog: header, filmstrip and keys. */
import { Modal, UnstyledButton } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconDownload, IconMaximize, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { type Eye, EYE_CODES, EYES } from '../../src-shared/measurement-ranges.ts'
import type { Image } from '../../src-shared/submission.ts'
import { EyeMark } from '../components/badges.tsx'
import { offerDownload } from '../components/browser.tsx'
import { downloadName, Photo } from '../components/photo.tsx'
import { formatBytes } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { BytesUnavailable } from '../link/link.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { showToast } from '../shell/toast.tsx'
import { useSession } from '../store/use-station.ts'
import { RedFreeFilter } from './adjustments.tsx'
import type { Visit } from './earlier-visit.ts'
import { nameOf, ShownPanes } from './picture-pane.tsx'
import { actionOf, useView, type ViewAction } from './view.ts'
import css from './viewer.module.css'
import { Tool, ToolGroup, ViewerTools } from './viewer-tools.tsx'

type FilmstripProps = {
  readonly images: readonly Image[]
  readonly shownIds: readonly string[]
  readonly onShow: (id: string) => void
}

function Filmstrip({ images, shownIds, onShow }: FilmstripProps) {
  const names = useNames()
  return (
    <div className={css.strip} role="group" aria-label={t('viewer:images')}>
      {images.map((image) => (
        <UnstyledButton
          key={image.id}
          className={css.frame}
          data-excluded={image.excludedBecause !== null}
          aria-label={t('viewer:shown', { what: labelOf(image, names) })}
          aria-pressed={shownIds.includes(image.id)}
          title={labelOf(image, names)}
          onClick={() => onShow(image.id)}
        >
          <Photo image={image} className={css.photo ?? ''} alt={labelOf(image, names)} />
          <EyeMark eye={image.eye} />
        </UnstyledButton>
      ))}
    </div>
  )
}

function labelOf(image: Image, names: Names): string {
  const name = `${t(`field:eye.${image.eye}.short`)} ${nameOf(image, names)}`
  return image.excludedBecause === null ? name : `${name}, ${t('viewer:leftOut')}`
}

type ViewerHeaderProps = ContentProps & {
  /** Can an eye be assigned here? Only with a single image whose case is editable. */
  readonly mayAssign: boolean
  readonly onAction: (action: ViewAction) => void
}

function ViewerHeader(props: ViewerHeaderProps) {
  const { submission, images, image, mayAssign, onAssign, onAction, onShow } = props
  const session = useSession()
  const names = useNames()
  const name = nameOf(image, names)
  const index = images.indexOf(image)
  const saveOriginal = async (): Promise<void> => {
    try {
      const blob = await session.link.readBytes('original', image.id)
      offerDownload(blob, downloadName(submission.reference, EYE_CODES[image.eye], index + 1, image))
    } catch (error) {
      if (!(error instanceof BytesUnavailable)) throw error
      showToast({
        tone: 'red',
        title: t('viewer:unavailable.title'),
        message: t('viewer:unavailable.message'),
      })
    }
  }
  return (
    <Modal.Header className={css.header ?? ''}>
      <bdi className="bold truncate">{names.patientLabel(submission.fields)}</bdi>
      <Modal.Title className={`truncate ${css.title}`}>{name}</Modal.Title>
      <span className="dim">{formatBytes(image.sizeBytes)}</span>
      {image.excludedBecause !== null && <span className={css.left}>{t('viewer:leftOut')}</span>}
      <span className="grow" />
      {mayAssign && (
        <ToolGroup label={t('submission:images.title')}>
          {EYES.map((eye) => (
            <Tool
              key={eye}
              label={t('submission:images.assign', { eye: t(`field:eye.${eye}.full`), what: name })}
              shortcut={EYE_KEYS[eye]}
              isPressed={image.eye === eye}
              onPress={() => onAssign(image.id, eye)}
            >
              {t(`field:eye.${eye}.short`)}
            </Tool>
          ))}
        </ToolGroup>
      )}
      <ToolGroup label={t('viewer:images')}>
        <Tool
          label={t('viewer:tools.previous')}
          shortcut="["
          isPossible={index > 0}
          icon={IconChevronLeft}
          onPress={() => onAction({ kind: 'step', by: -1 })}
        />
        <span className={`tabular ${css.position}`}>
          {t('viewer:tools.position', { index: index + 1, count: images.length })}
        </span>
        <Tool
          label={t('viewer:tools.next')}
          shortcut="]"
          isPossible={index < images.length - 1}
          icon={IconChevronRight}
          onPress={() => onAction({ kind: 'step', by: 1 })}
        />
      </ToolGroup>
      <ToolGroup label={t('viewer:title')}>
        <Tool
          label={t('viewer:tools.original')}
          isPossible={image.removedAt === null}
          icon={IconDownload}
          onPress={() => void saveOriginal()}
        />
        <Tool
          label={t('viewer:tools.fullScreen')}
          shortcut="F"
          icon={IconMaximize}
          onPress={() => onAction({ kind: 'fullScreen' })}
        />
        <Tool label={t('shell:close')} shortcut="Escape" icon={IconX} onPress={() => onShow(null)} />
      </ToolGroup>
    </Modal.Header>
  )
}

const EYE_KEYS: Readonly<Record<Eye, string>> = { right: 'R', left: 'L', unknown: 'U' }

export type ViewerDialogProps = {
  /** The reference is used in the names of saved files, which contain no patient data. */
  readonly submission: Visit & { readonly reference: string }
  readonly images: readonly Image[]
  readonly shownId: string | null
  readonly isFrozen: boolean
  readonly onShow: (id: string | null) => void
  readonly onAssign: (id: string, eye: Eye) => void
}

export function ViewerDialog(props: ViewerDialogProps) {
  const image = props.images.find(({ id }) => id === props.shownId)
  return (
    <Modal.Root
      opened={image !== undefined}
      onClose={() => props.onShow(null)}
      fullScreen
      returnFocus={false}
      transitionProps={{ duration: 90 }}
    >
      <Modal.Overlay />
      {image && <ViewerContent {...props} image={image} />}
    </Modal.Root>
  )
}

type ContentProps = ViewerDialogProps & { readonly image: Image }

function ViewerContent(props: ContentProps) {
  const { submission, images, image, isFrozen, onShow, onAssign } = props
  const content = useRef<HTMLDivElement>(null)
  const view = useView(image, images, onShow, content)
  const { layout, run } = view
  const mayAssign = layout.kind === 'one' && !isFrozen && image.excludedBecause === null

  const press = (event: KeyboardEvent): void => {
    if (!isMeant(content.current, event)) return
    // On some keyboards brackets need AltGr, which browsers report as Ctrl and Alt.
    const isTyped = event.getModifierState('AltGraph')
    if (!isTyped && (event.ctrlKey || event.metaKey || event.altKey)) return
    const isSlider = event.target instanceof HTMLInputElement
    const action = actionOf(event.key, layout.kind)
    if (action === null || (isSlider && MOVES_SLIDERS.test(event.key))) return
    event.preventDefault()
    if (action.kind !== 'assign') run(action)
    else if (mayAssign && image.eye !== action.eye) onAssign(image.id, action.eye)
  }
  // On the window, because the focused element may have gone with the previous image.
  useWindowEvent('keydown', press)
  useEffect(() => {
    const { current } = content
    if (!current || current.contains(document.activeElement)) return
    current.querySelector<HTMLElement>(`[data-image="${CSS.escape(image.id)}"]`)?.focus()
  }, [image.id])
  return (
    <Modal.Content className={css.window ?? ''}>
      <div ref={content} className={css.content}>
        <RedFreeFilter />
        <ViewerHeader {...props} mayAssign={mayAssign} onAction={run} />
        <ViewerTools view={view} canCompare={images.length > 1} />
        <ShownPanes submission={submission} image={image} view={view} />
        <Filmstrip images={images} shownIds={view.shown.map(({ id }) => id)} onShow={view.choose} />
        <p className={css.note}>
          <strong>{t('viewer:notForDiagnosis')}</strong> {t('viewer:viewOnly')}
        </p>
      </div>
    </Modal.Content>
  )
}

/** Is a key meant for the viewer: pressed inside it or without focus, and with no dialog over it? */
function isMeant(content: HTMLElement | null, { target }: KeyboardEvent): boolean {
  const own = content?.closest(DIALOG)
  if (!own || !(target instanceof Node)) return false
  // A dialog opened later comes later in the document.
  const isCovered = [...document.querySelectorAll(DIALOG)].some(
    (other) => (own.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
  return !isCovered && (target === document.body || own.contains(target))
}

const DIALOG = '[role="dialog"], [role="alertdialog"]'
const MOVES_SLIDERS = /^(Arrow|Page|Home|End)/
