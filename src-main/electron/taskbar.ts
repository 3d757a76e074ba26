/** The window's button on the taskbar or in the dock: how many need a person, and how far sending is. */
import { Notification } from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import type { Notice, Notifier } from '../station/ports.ts'
import type { HostWords } from './language-setting.ts'
import type { Progress } from './tray-model.ts'

/** The part of a window that is needed. */
type TaskbarWindow<Image> = {
  isDestroyed(): boolean
  setProgressBar(value: number, options?: { readonly mode: 'none' | Progress['kind'] }): void
  setOverlayIcon(image: Image | null, description: string): void
  on(event: 'show', listener: () => void): unknown
}

/** The part of `app` that is needed; only macOS has a dock. */
type CountingApp = {
  readonly dock?: { setBadge(text: string): void } | undefined
  setBadgeCount(count: number): unknown
}

/** How Electron is told to take the bar away, and to let it run to and fro. */
const NO_BAR = -1

const UNKNOWN_LENGTH = 2

type Taskbar = {
  /** `description` is read out by a screen reader in place of the number. */
  showCount(count: number, description: string): void
  showProgress(progress: Progress): void
}

/** Only Windows has pictures to lay over a button, `badge` finds them; elsewhere the system draws the number itself. */
export function openTaskbar<Image>(options: {
  readonly platform: NodeJS.Platform
  readonly app: CountingApp
  readonly window: TaskbarWindow<Image>
  readonly badge: (count: number) => Image | null
}): Taskbar {
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
    switch (progress.kind) {
      case 'none':
        return window.setProgressBar(NO_BAR, { mode: 'none' })
      case 'indeterminate':
        return window.setProgressBar(UNKNOWN_LENGTH, { mode: 'indeterminate' })
      case 'normal':
      case 'paused':
      case 'error':
        return window.setProgressBar(progress.fraction, { mode: progress.kind })
    }
  }
  // A window that was hidden comes back with a new button, on which nothing is drawn.
  window.on('show', () => {
    if (platform === 'win32' && count > 0) drawCount()
    if (progress.kind !== 'none') drawProgress()
  })
  return {
    showCount: (nextCount, nextDescription) => {
      if (nextCount === count && nextDescription === description) return
      count = nextCount
      description = nextDescription
      drawCount()
    },
    showProgress: (next) => {
      if (JSON.stringify(next) === JSON.stringify(progress)) return
      progress = next
      drawProgress()
    },
  }
}

// Notices of the operating system. They carry no name and no number of a patient: anybody may stand before the screen.

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
