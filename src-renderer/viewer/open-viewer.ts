/** The door to the viewer for screens that show an image of a case without being about that case. */
import { createStore } from 'zustand/vanilla'

export type Viewed = { readonly submissionId: string; readonly imageId: string }

export const viewed = createStore<{ readonly open: Viewed | null }>(() => ({ open: null }))

/** Shows an image of a case as large as the window, with its others beside it; nothing of the case can be changed there. */
export function openViewer(open: Viewed): void {
  viewed.setState({ open })
}

export function closeViewer(): void {
  viewed.setState({ open: null })
}
