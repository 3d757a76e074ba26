/** The door to the viewer for screens that show an image of a case without being about that case. */
import { createStore } from 'zustand/vanilla'

export type ViewedImage = { readonly submissionId: string; readonly imageId: string }

export const viewerStore = createStore<{ readonly open: ViewedImage | null }>(() => ({ open: null }))

/** Shows an image of a case as large as the window, with its others beside it; nothing of the case can be changed there. */
export function openViewer(open: ViewedImage): void {
  viewerStore.setState({ open })
}

export function closeViewer(): void {
  viewerStore.setState({ open: null })
}
