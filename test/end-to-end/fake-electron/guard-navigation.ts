/** Navigations and requests of a page, each asked of the app before anything leaves. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'

/**
 * A page announces what it begins itself, and that comes from another process of the browser than the request. After
 * this long without an announcement, on a machine that is busy, the test has begun it.
 */
const ANNOUNCED_WITHIN_MS = 3_000
const CHECK_EVERY_MS = 10

type Paused = {
  readonly requestId: string
  readonly frameId: string
  readonly resourceType: string
  readonly redirectedRequestId?: string | undefined
  readonly request: { readonly url: string }
}

/** Navigations, and what is not the app's own: its own requests, with their bodies, pass untouched. */
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
  app: {
    toApp(address: string): string
    mayNavigate(url: string, isMainFrame: boolean, isRedirect: boolean): Promise<unknown>
    mayRequest(url: string): Promise<unknown>
  },
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
    // A page that has gone meanwhile needs no answer.
    void answer(paused).catch(() => undefined)
  })
  const answer = async (paused: Paused): Promise<void> => {
    const { requestId } = paused
    if (await mayContinue(paused)) return void (await cdp.send('Fetch.continueRequest', { requestId }))
    // A refused navigation leaves the page as it is; anything else fails as behind a blocker.
    const errorReason = paused.resourceType === 'Document' ? 'Aborted' : 'BlockedByClient'
    await cdp.send('Fetch.failRequest', { requestId, errorReason })
    if (paused.frameId !== mainFrame) return
    // If the announcement came after the request, Playwright waits for a navigation that ended long ago.
    await sleep(CHECK_EVERY_MS)
    await cdp.send('Runtime.evaluate', { expression: "history.replaceState(history.state, '')" })
  }
  const mayContinue = async (paused: Paused): Promise<boolean> => {
    const { url } = paused.request
    const isRedirect = paused.redirectedRequestId !== undefined
    if (paused.resourceType === 'Document' && !(await mayNavigate(paused.frameId, url, isRedirect)))
      return false
    return app.toApp(url) !== url || (await app.mayRequest(url)) === true
  }
  const isAnnounced = async (frameId: string): Promise<boolean> => {
    for (let waited = 0; waited < ANNOUNCED_WITHIN_MS; waited += CHECK_EVERY_MS) {
      if (announced.has(frameId)) return true
      await sleep(CHECK_EVERY_MS)
    }
    return false
  }
  const mayNavigate = async (frameId: string, address: string, isRedirect: boolean): Promise<boolean> => {
    const isMainFrame = frameId === mainFrame
    if (isMainFrame && isByTheApp) return true
    if (isMainFrame && !(await isAnnounced(frameId))) return true
    announced.delete(frameId)
    return (await app.mayNavigate(app.toApp(address), isMainFrame, isRedirect)) === true
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
