import { type DesktopRoute, desktopRouteSchema, LANGUAGE_CALL } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import { learnAllWords, onLanguageChoice } from '../i18n/i18n.ts'
import type { DesktopBridge } from '../link/ipc.ts'
import { goTo, type Route } from './navigation.tsx'

const RETRY_MS = SECOND

/**
 * Fetches a part of the screens once the station that serves it can be reached. Browsers keep a refusal for as long as
 * the page lives, so a part that was asked for while the station was away would never come.
 */
export async function retryUntilReachable<Module>(
  fetchModule: () => Promise<Module>,
  isReachable: () => Promise<boolean> = isPageReachable,
  wait: (milliseconds: number) => Promise<void> = pause,
): Promise<Module> {
  while (!(await isReachable())) await wait(RETRY_MS)
  return fetchModule()
}

async function isPageReachable(): Promise<boolean> {
  // In the desktop window the parts lie in the program.
  if (window.fundusCourier) return true
  try {
    const signal = AbortSignal.timeout(RETRY_MS)
    return (await fetch(`${window.location.origin}/health`, { cache: 'no-store', signal })).ok
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return false
    throw error
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** Fetches a screen, or a dialog, that is not on the first page, and the words that are not there yet. */
export async function loadScreen<Module>(fetchModule: () => Promise<Module>): Promise<Module> {
  const [module] = await retryUntilReachable(() => Promise.all([fetchModule(), learnAllWords()]))
  return module
}

// What passes between the screens and the desktop app that shows them, beside the station.

/** Goes where a notice or the tray leads, and lets those speak the language that is chosen here. */
export function followDesktop(bridge: DesktopBridge): void {
  bridge.onPlace((value) => {
    const target = desktopRouteSchema.safeParse(value)
    if (target.success) goTo(routeOf(target.data))
  })
  // A host that does not answer speaks as it did before; the link tells that it is gone.
  onLanguageChoice((choice) => void bridge.call(LANGUAGE_CALL, choice).catch(() => undefined))
}

function routeOf(target: DesktopRoute): Route {
  switch (target.screen) {
    case 'queue':
    case 'help':
    case 'submission':
    case 'settings':
      return target
    case 'reports':
      return target.of === null
        ? { screen: 'reports', caseId: null }
        : { screen: 'reports', caseId: target.of.caseId, submissionId: target.of.submissionId }
  }
}
