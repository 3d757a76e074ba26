import { useWindowEvent } from '@mantine/hooks'
import { useStore } from 'zustand'
import { EYES } from '../../src-shared/eye.ts'
import { boardImages, isSent } from '../submission/board-images.ts'
import { useSubmission } from '../submission/use-submission.ts'
import { ImageViewer } from './image-viewer.tsx'
import { closeViewer, openViewer, viewerStore, type ViewedImage } from './open-viewer.ts'

/** The place of the viewer that `openViewer` opens. */
export function ViewerHost() {
  const open = useStore(viewerStore, (state) => state.open)
  // Whoever goes to another screen has looked enough.
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
