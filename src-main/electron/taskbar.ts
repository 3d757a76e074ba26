/** The window's taskbar or dock button, with its count and progress bar, and the system's notifications. */
import { Notification } from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import type { Notice, Notifier } from '../station/ports.ts'
import type { HostTexts } from './texts.ts'
import type { Progress } from './tray-model.ts'

type TaskbarWindow<Image> = {
  isDestroyed(): boolean
  setProgressBar(value: number, options?: { readonly mode: 'none' | Progress['kind'] }): void
  setOverlayIcon(image: Image | null, description: string): void
  on(event: 'show', listener: () => void): unknown
}

/** The part of `app` that is used here; only macOS has a dock. */
type CountingApp = {
  readonly dock?: { setBadge(text: string): void } | undefined
  setBadgeCount(count: number): unknown
}

/** Electron's values for removing the bar and for the indeterminate bar. */
const WITHOUT_FRACTION = { none: -1, indeterminate: 2 }

/** Only Windows needs overlay pictures, which `badge` provides; elsewhere the system draws the number. */
export function openTaskbar<Image>(options: {
  readonly platform: NodeJS.Platform
  readonly app: CountingApp
  readonly window: TaskbarWindow<Image>
  readonly badge: (count: number) => Image | null
}) {
  const { platform, app, window, badge } = options
  let count = 0
  let description = ''
  let progress: Progress = { kind: 'none' }

  const drawCount = (): void => {
    switch (platform) {
      case 'win32':
        if (!window.isDestroyed()) window.setOverlayIcon(count === 0 ? null : badge(count), description)
        break
      case 'darwin':
        app.dock?.setBadge(count === 0 ? '' : String(count))
        break
      default:
        app.setBadgeCount(count)
    }
  }
  const drawProgress = (): void => {
    if (window.isDestroyed()) return
    const value = 'fraction' in progress ? progress.fraction : WITHOUT_FRACTION[progress.kind]
    window.setProgressBar(value, { mode: progress.kind })
  }
  // A hidden window gets a new button, on which nothing is drawn.
  window.on('show', () => {
    if (platform === 'win32' && count > 0) drawCount()
    if (progress.kind !== 'none') drawProgress()
  })
  return {
    /** Screen readers read the description instead of the number. */
    showCount: (nextCount: number, nextDescription: string): void => {
      if (nextCount === count && nextDescription === description) return
      count = nextCount
      description = nextDescription
      drawCount()
    },
    showProgress: (next: Progress): void => {
      if (JSON.stringify(next) === JSON.stringify(progress)) return
      progress = next
      drawProgress()
    },
  }
}

/** Notifications that stay until a person has seen them, if the system supports it. */
const PERSISTENT_KINDS: readonly Notice['kind'][] = ['alarm', 'urgentReport', 'storage', 'signedOut']

/** Windows and macOS may report a click hours later; the oldest notifications are dropped. */
const MAX_HELD = 50

/** Shows notifications without names or numbers of patients. The system may hide them: the tray shows the same. */
export function createNotifier(options: {
  readonly texts: () => HostTexts
  readonly showRoute: (route: DesktopRoute) => void
}): Notifier {
  // Without a reference a notification is garbage-collected, and its click is lost.
  const shown = new Set<Notification>()
  const forgetOldest = (): void => {
    const [oldest] = shown
    if (shown.size > MAX_HELD && oldest) shown.delete(oldest)
  }
  return {
    notify({ kind, count, route }) {
      if (!Notification.isSupported()) return
      const { t } = options.texts()
      const notification = new Notification({
        title: t(`notices.${kind}.title`, { count }),
        body: t(`notices.${kind}.body`),
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
