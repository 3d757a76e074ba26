/** Notices of the operating system. They carry no name and no number of a patient: anybody may stand before the screen. */
import { Notification } from 'electron'
import type { Notice, Notifier } from '../station/ports.ts'

const WORDS: Readonly<Record<Notice['kind'], { readonly title: string; readonly body: string }>> = {
  needsAttention: { title: 'A case needs attention', body: 'Open Fundus Courier to see what is missing.' },
  folderUnreachable: {
    title: 'A camera folder cannot be reached',
    body: 'New images are not taken in. Open Fundus Courier to see which folder it is.',
  },
  reportArrived: { title: 'A report has arrived', body: 'Open Fundus Courier to read it.' },
}

/** Systems may show a notice silently or not at all; nothing that matters may rest on one. */
export function systemNotifier(onOpen: () => void): Notifier {
  // A notice that nobody holds is collected, and its click with it.
  const shown = new Set<Notification>()
  return {
    notify({ kind }) {
      if (!Notification.isSupported()) return
      const notification = new Notification(WORDS[kind])
      shown.add(notification)
      notification.on('click', onOpen)
      notification.on('close', () => shown.delete(notification))
      notification.show()
    },
  }
}
