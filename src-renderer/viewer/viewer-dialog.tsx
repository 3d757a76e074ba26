import { Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { EYE_CODES, type Eye } from '../../src-shared/eye.ts'
import type { Image } from '../../src-shared/submission.ts'
import { BytesUnavailable } from '../link/station-link.ts'
import { offerDownload } from '../parts/offer-download.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { downloadName } from '../submission/board-images.ts'
import { t } from '../words/t.ts'
import { AdjustmentFilter } from './adjustment-filter.tsx'
import type { Visit } from './earlier-visit.ts'
import { Filmstrip } from './filmstrip.tsx'
import { ShownPanes } from './shown-panes.tsx'
import { useView } from './use-view.ts'
import css from './viewer-dialog.module.css'
import { ViewerHeader } from './viewer-header.tsx'
import { actionOf } from './viewer-keys.ts'
import { ViewerTools } from './viewer-tools.tsx'

export type ViewerDialogProps = {
  /** Its reference names the files that are saved from here, which carry no patient data. */
  readonly submission: Visit & { readonly reference: string }
  readonly images: readonly Image[]
  readonly shownId: string | null
  readonly isFrozen: boolean
  readonly onShow: (id: string | null) => void
  readonly onAssign: (id: string, eye: Eye) => void
}

/** The images of a case as large as the window, on black. */
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

function ViewerContent(props: ViewerDialogProps & { readonly image: Image }) {
  const { submission, images, image, isFrozen, onShow, onAssign } = props
  const session = useSession()
  const content = useRef<HTMLDivElement>(null)
  const view = useView(image, images, onShow, content)
  const { layout, run } = view
  const mayAssign = layout.kind === 'one' && !isFrozen && image.excludedBecause === null
  const index = images.indexOf(image)

  const saveOriginal = async (): Promise<void> => {
    try {
      const blob = await session.link.readBytes('original', image.id)
      offerDownload(blob, downloadName(submission.reference, EYE_CODES[image.eye], index + 1, image))
    } catch (error) {
      if (!(error instanceof BytesUnavailable)) throw error
      showToast({ tone: 'red', title: t('viewer:notSaved.title'), message: t('viewer:notSaved.message') })
    }
  }
  const press = (event: KeyboardEvent): void => {
    if (!isMeant(content.current, event)) return
    // On some keyboards a bracket is typed with AltGr, which says that it is Ctrl and Alt.
    const isTyped = event.getModifierState('AltGraph')
    if (!isTyped && (event.ctrlKey || event.metaKey || event.altKey)) return
    const isSlider = event.target instanceof HTMLInputElement
    const action = actionOf(event.key, layout.kind)
    if (action === null || (isSlider && MOVES_SLIDERS.test(event.key))) return
    event.preventDefault()
    if (action.kind !== 'assign') run(action)
    else if (mayAssign && image.eye !== action.eye) onAssign(image.id, action.eye)
  }
  // From the window: what had the focus may have gone with the image that was shown before.
  useWindowEvent('keydown', press)
  useEffect(() => {
    const { current } = content
    if (!current || current.contains(document.activeElement)) return
    current.querySelector<HTMLElement>(`[data-image="${CSS.escape(image.id)}"]`)?.focus()
  }, [image.id])
  return (
    <Modal.Content className={css.window ?? ''}>
      <div ref={content} className={css.content}>
        <AdjustmentFilter adjustments={view.adjustments} />
        <ViewerHeader
          historyNumber={submission.fields.history_number}
          image={image}
          index={index}
          count={images.length}
          mayAssign={mayAssign}
          onAssign={(eye) => onAssign(image.id, eye)}
          onAction={run}
          onSave={() => void saveOriginal()}
          onClose={() => onShow(null)}
        />
        <ViewerTools
          adjustments={view.adjustments}
          layout={layout.kind}
          link={view.link}
          canCompare={images.length > 1}
          onAdjust={view.adjust}
          onAction={run}
        />
        <ShownPanes submission={submission} image={image} view={view} />
        <Filmstrip images={images} shownIds={view.shown.map(({ id }) => id)} onShow={view.choose} />
        <p className={css.note}>
          <strong>{t('viewer:notForDiagnosis')}</strong> {t('viewer:viewOnly')}
        </p>
      </div>
    </Modal.Content>
  )
}

/** Is a key for the viewer: pressed in it or nowhere, and with no question over it that hides the images? */
function isMeant(content: HTMLElement | null, { target }: KeyboardEvent): boolean {
  const own = content?.closest(DIALOG)
  if (!own || !(target instanceof Node)) return false
  // A dialog that was opened later stands behind it in the document.
  const isCovered = [...document.querySelectorAll(DIALOG)].some(
    (other) => (own.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
  return !isCovered && (target === document.body || own.contains(target))
}

const DIALOG = '[role="dialog"], [role="alertdialog"]'
const MOVES_SLIDERS = /^(Arrow|Page|Home|End)/
