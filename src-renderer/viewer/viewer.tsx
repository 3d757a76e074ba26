/** Opens the viewer, whose code is loaded with the first image. */
import { useWindowEvent } from '@mantine/hooks'
import { Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { EYES } from '../../src-shared/measurement-ranges.ts'
import { restoreFocus } from '../components/browser.tsx'
import { lazyScreen } from '../shell/navigation.tsx'
import { boardImages, isSent } from '../components/photo.tsx'
import { useSubmission } from '../submission/form.ts'
import type { ViewerDialogProps } from './viewer-dialog.tsx'

const ViewerDialog = lazyScreen(async () => (await import('./viewer-dialog.tsx')).ViewerDialog)

/** The images of a case in the full window; fetched when the first one is opened. */
export function ImageViewer(props: ViewerDialogProps) {
  const isOpen = props.shownId !== null
  useEffect(() => {
    if (!isOpen) return undefined
    const { activeElement } = document
    const cameFrom = activeElement instanceof HTMLElement ? activeElement : null
    return () => restoreFocus(cameFrom)
  }, [isOpen])
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <ViewerDialog {...props} />
    </Suspense>
  )
}

/** For screens that show an image of a case without being about that case. */
type ViewedImage = { readonly submissionId: string; readonly imageId: string }

const viewerStore = createStore<{ readonly open: ViewedImage | null }>(() => ({ open: null }))

export function openViewer(open: ViewedImage): void {
  viewerStore.setState({ open })
}

function closeViewer(): void {
  viewerStore.setState({ open: null })
}

export function ViewerHost() {
  const open = useStore(viewerStore, (state) => state.open)
  useWindowEvent('hashchange', closeViewer)
  return open && <HostedViewer key={open.submissionId} {...open} />
}

function HostedViewer({ submissionId, imageId }: ViewedImage) {
  const { details } = useSubmission(submissionId)
  if (!details) return null
  const images = boardImages(details.images).map(({ image }) => image)
  return (
    <ImageViewer
      submission={details}
      images={EYES.flatMap((eye) => images.filter((image) => image.eye === eye && isSent(image)))}
      shownId={imageId}
      isFrozen
      onShow={(id) => (id === null ? closeViewer() : openViewer({ submissionId, imageId: id }))}
      onAssign={() => undefined}
    />
  )
}
