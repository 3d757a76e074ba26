/** Notices of the operating system. They carry no name and no number of a patient: anybody may stand before the screen. */
import { Notification } from 'electron'
import type { DesktopRoute } from '../../src-shared/place.ts'
import type { Notice, Notifier } from '../station/ports.ts'
import type { HostWords } from './words/host-words.ts'

/** Those that stay until somebody has seen them, where the system can do that. */
const PERSISTENT_KINDS: readonly Notice['kind'][] = ['alarm', 'urgentReport', 'storage', 'signedOut']

/** Windows and macOS keep what was shown in a list of their own, where a click comes hours later; so long is none kept. */
const MAX_HELD = 50

/**
 * Shows notices; a click on one leads to what it is about. Systems may show a notice silently or not at all, and where
 * they have none nothing is shown: nothing that matters may rest on one, and the tray tells the same.
 */
export function createNotifier(options: {
  readonly texts: () => HostWords
  readonly showRoute: (place: DesktopRoute) => void
}): Notifier {
  // A notice that nobody holds is collected, and its click with it.
  const shown = new Set<Notification>()
  const forgetOldest = (): void => {
    const [oldest] = shown
    if (shown.size > MAX_HELD && oldest) shown.delete(oldest)
  }
  return {
    notify({ kind, count, route }) {
      if (!Notification.isSupported()) return
      const { title, body } = options.texts().notices[kind]
      const notification = new Notification({
        title: title(count),
        body,
        ...(PERSISTENT_KINDS.includes(kind) && { timeoutType: 'never', urgency: 'critical' }),
      })
      shown.add(notification)
      forgetOldest()
      notification.on('click', () => {
        shown.delete(notification)
        options.showRoute(route)
      })
      notification.on('failed', () => shown.delete(notification))
      notification.show()
    },
  }
}
