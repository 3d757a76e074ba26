import { lazy, Suspense, useEffect } from 'react'
import { restoreFocus } from '../parts/give-focus-back.ts'
import type { ViewerDialogProps } from './viewer-dialog.tsx'
import { loadScreen } from '../shell/fetch-screen.ts'

const ViewerDialog = lazy(async () => ({
  default: (await loadScreen(() => import('./viewer-dialog.tsx'))).ViewerDialog,
}))

/** The images of a case as large as the window; what that needs is fetched when the first is opened. */
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
