/** Navigations and requests of a page, each asked of the app before anything leaves. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import type { WindowHost } from './window-host.ts'

/**
 * A page announces what it begins itself, and that comes from another process of the browser than the request. After
 * this long without an announcement, on a machine that is busy, the test has begun it.
 */
const ANNOUNCED_WITHIN_MS = 3_000
const LOOK_EVERY_MS = 10

/** A navigation that was refused leaves the page as it is; anything else fails as behind a blocker. */
const refusal = ({ resourceType }: Paused): 'Aborted' | 'BlockedByClient' =>
  resourceType === 'Document' ? 'Aborted' : 'BlockedByClient'

type Paused = {
  readonly requestId: string
  readonly frameId: string
  readonly resourceType: string
  readonly redirectedRequestId?: string | undefined
  readonly request: { readonly url: string; readonly method: string }
}

/** Navigations, and what is not the app's own: its own requests, with their bodies, are left alone. */
const ASKED_FOR: { urlPattern?: string; resourceType?: 'Document'; requestStage: 'Request' }[] = [
  { resourceType: 'Document', requestStage: 'Request' },
  ...['https://*', 'http://1*', 'http://localhost*', 'http://*.example*'].map((urlPattern) => ({
    urlPattern,
    requestStage: 'Request' as const,
  })),
]

/**
 * Asks the app about navigations that a page begins. Those that the app or the test begin are not asked for, as in
 * Electron: a page announces its own.
 */
export async function guardNavigation(
  cdp: CDPSession,
  mainFrame: string,
  window: number,
  host: WindowHost,
): Promise<{
  /** Runs a navigation of the main frame that the app itself begins. */
  byTheApp(navigate: () => Promise<unknown>): Promise<void>
}> {
  let isByTheApp = false
  const announced = new Set<string>()
  cdp.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (disposition === 'currentTab') announced.add(frameId)
  })
  cdp.on('Page.frameNavigated', ({ frame }) => announced.delete(frame.id))
  cdp.on('Fetch.requestPaused', (paused) => {
    // A page that has gone meanwhile has nothing to be answered.
    void answer(paused).catch(() => undefined)
  })
  const answer = async (paused: Paused): Promise<void> => {
    const { requestId } = paused
    if (await mayGoOn(paused)) return void (await cdp.send('Fetch.continueRequest', { requestId }))
    await cdp.send('Fetch.failRequest', { requestId, errorReason: refusal(paused) })
    if (paused.frameId === mainFrame) await tellPlaywright()
  }
  /** Where the announcement came after the request, Playwright waits for a navigation that ended long ago. */
  const tellPlaywright = async (): Promise<void> => {
    await sleep(LOOK_EVERY_MS)
    await cdp.send('Runtime.evaluate', { expression: "history.replaceState(history.state, '')" })
  }
  const mayGoOn = async (paused: Paused): Promise<boolean> => {
    const { url, method } = paused.request
    const isRedirect = paused.redirectedRequestId !== undefined
    if (paused.resourceType === 'Document' && !(await decide(paused.frameId, url, isRedirect))) return false
    if (host.toApp(url) !== url) return true
    return (await host.ask({ kind: 'mayRequest', url, method, resourceType: paused.resourceType })) === true
  }
  const isAnnounced = async (frameId: string): Promise<boolean> => {
    for (let waited = 0; waited < ANNOUNCED_WITHIN_MS; waited += LOOK_EVERY_MS) {
      if (announced.has(frameId)) return true
      await sleep(LOOK_EVERY_MS)
    }
    return false
  }
  const decide = async (frameId: string, address: string, isRedirect: boolean): Promise<boolean> => {
    const isMainFrame = frameId === mainFrame
    if (isMainFrame && isByTheApp) return true
    if (isMainFrame && !(await isAnnounced(frameId))) return true
    announced.delete(frameId)
    return (
      (await host.ask({ kind: 'mayNavigate', window, url: host.toApp(address), isMainFrame, isRedirect })) ===
      true
    )
  }
  await cdp.send('Fetch.enable', { patterns: ASKED_FOR })
  return {
    async byTheApp(navigate) {
      isByTheApp = true
      try {
        await navigate()
      } finally {
        isByTheApp = false
      }
    },
  }
}
