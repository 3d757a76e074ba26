/** Shows a hostile report to a person who clicks on everything in it, and tells what it came to. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FrameLocator, Page } from 'playwright-core'

export type Tried = {
  /** How many things in the report were clicked. */
  readonly clicked: number
  /** Whatever the window is or holds afterwards that it was not before. */
  readonly changes: readonly string[]
}

/** A connection that a page opens ahead of a request comes some moments after it was drawn. */
const SETTLE_MS = 400
const END = 'The end of the hostile report'
const CLICKABLE = 'a, button, input, summary, text'

export async function tryReport(page: Page, caseId: string): Promise<Tried> {
  const changes: string[] = []
  page.on('download', (download) => {
    changes.push('a download')
    void download.cancel().catch(() => undefined)
  })
  page.on('dialog', (dialog) => {
    changes.push('a dialog')
    void dialog.dismiss().catch(() => undefined)
  })
  page.context().on('page', () => changes.push('another page'))
  await page.evaluate(() =>
    window.addEventListener('message', ({ data }) => {
      if (String(data).startsWith('hacked')) Object.assign(window, { hacked: data })
    }),
  )
  const title = await page.title()

  const frame = await open(page, caseId)
  await sleep(SETTLE_MS)
  // The browser of the tests opens no connection ahead of a request, Electron does: so nothing may be there to ask for it.
  const left = await frame.locator('a[href], base, embed, iframe, link, object, script').count()
  if (left > 0) changes.push(`${left} elements that lead or connect elsewhere`)
  const count = await frame.locator(CLICKABLE).count()
  for (let index = 0; index < count; index += 1) {
    const button = index % 3 === 2 ? 'middle' : 'left'
    // What cannot be clicked does no harm; a report that went elsewhere is opened again.
    await frame
      .locator(CLICKABLE)
      .nth(index)
      .click({ force: true, noWaitAfter: true, timeout: 1_000, button })
      .catch(() => undefined)
    if ((await frame.getByText(END).count()) === 0) {
      changes.push(`the report, by what stands in place ${index}`)
      await open(page, caseId)
    }
  }
  await page.getByRole('button', { name: 'Print' }).click()
  // The frame that is printed is made once its bytes have come, and is empty at first.
  await page.locator('body > iframe').contentFrame().getByText(END).first().waitFor({ state: 'attached' })
  await sleep(SETTLE_MS)

  const after = await page.evaluate(() => ({
    hash: window.location.hash,
    hacked: 'hacked' in window,
    frames: [...document.querySelectorAll('iframe')].map(
      (one) => one.contentDocument?.documentElement.dataset['ran'] ?? null,
    ),
  }))
  if (after.hash !== `#/reports/${caseId}`) changes.push(`the address ${after.hash}`)
  if (after.hacked) changes.push('something of the window')
  for (const ran of after.frames) if (ran !== null) changes.push(`a script that ran: ${ran}`)
  if ((await page.title()) !== title) changes.push('the title')
  return { clicked: count, changes }
}

async function open(page: Page, caseId: string): Promise<FrameLocator> {
  await page.evaluate(() => {
    window.location.hash = '#/queue'
  })
  await page.getByRole('heading', { name: 'Queue' }).waitFor()
  await page.evaluate((to) => {
    window.location.hash = to
  }, `#/reports/${caseId}`)
  const frame = page.frameLocator('iframe[title="Report page"]')
  await frame.getByText(END).waitFor()
  return frame
}
