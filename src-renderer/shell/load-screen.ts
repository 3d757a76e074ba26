/** Loads screens on demand, and connects them to the desktop app. */
import { lazy, type ComponentType } from 'react'
import { desktopRouteSchema, LANGUAGE_CALL } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import { loadAllTexts, onLanguageChoice } from '../i18n/i18n.ts'
import type { DesktopBridge } from '../link/ipc.ts'
import { goTo } from './navigation.tsx'

const RETRY_MS = SECOND

/**
 * Fetches a module once the station can be reached. Browsers remember a failed import for the lifetime of the page, so
 * an import during an outage would fail for good.
 */
export async function retryUntilReachable<Module>(
  fetchModule: () => Promise<Module>,
  isReachable: () => Promise<boolean> = isPageReachable,
  wait: (milliseconds: number) => Promise<void> = (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds)
    }),
): Promise<Module> {
  while (!(await isReachable())) await wait(RETRY_MS)
  return fetchModule()
}

async function isPageReachable(): Promise<boolean> {
  // The desktop window loads modules from the program itself.
  if (window.fundusCourier) return true
  try {
    const signal = AbortSignal.timeout(RETRY_MS)
    return (await fetch(`${window.location.origin}/health`, { cache: 'no-store', signal })).ok
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return false
    throw error
  }
}

/** A screen or dialog that is not part of the first page; it comes with the texts that are not loaded yet. */
export function lazyScreen<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy(async () => {
    const [component] = await retryUntilReachable(() => Promise.all([fetchComponent(), loadAllTexts()]))
    return { default: component }
  })
}

/** Opens the route that a notification or the tray requests, and reports the chosen language to the desktop app. */
export function followDesktop(bridge: DesktopBridge): void {
  bridge.onRoute((value) => {
    const target = desktopRouteSchema.safeParse(value)
    if (!target.success) return
    const route = target.data
    goTo(route.screen === 'reports' ? { screen: 'reports', ...route.of } : route)
  })
  // A host that does not answer keeps its language; the link reports that it is gone.
  onLanguageChoice((choice) => void bridge.call(LANGUAGE_CALL, choice).catch(() => undefined))
}
