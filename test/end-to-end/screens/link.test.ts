import { describe, expect, it } from 'vitest'
import { openScreens } from './open-screens.ts'

const CASES = [
  { who: 'H-00412', name: 'Sampleton, Synthia', state: 'review' as const },
  { who: 'H-00401', name: "O'Mocksey, Mockbert", state: 'unconfirmed' as const },
]

describe('the link', () => {
  it('shows that it is lost, keeps what is on the screen, and heals without a reload', async (context) => {
    const { page, row, value, ids, strangers } = await openScreens(context, { cases: CASES })
    await row('H-00412').getByText('Ready to check').waitFor()
    expect(page.url()).not.toContain('token')
    await page.context().setOffline(true)
    await page.getByText('No connection to the station').first().waitFor()
    await value('submissions.hold', { ids: [ids['H-00412'] ?? ''] })
    expect(await row('H-00412').getByText('Ready to check').count()).toBe(1)
    await page.context().setOffline(false)
    await row('H-00412').getByText('On hold').waitFor()
    await page.getByRole('button', { name: 'Pause sending' }).click()
    await page.getByRole('menuitem', { name: 'Until resumed' }).click()
    const banner = page.getByTestId('banner')
    await banner.getByText('Sending is paused').waitFor()
    await banner.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(async () => (await value('station.status')).mode.kind).toBe('running')
    expect(strangers).toEqual([])
  })

  const OTHER_SHAPE = '{"ok":true,"value":{"items":"seven","counts":[],"id":5,"folders":{"path":null}}}'
  const PAGE = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>'

  it('blanks no screen over an answer that is no answer, and goes on with the next one', async (context) => {
    const { page, goTo, complaints, ids } = await openScreens(context, { cases: CASES })
    const main = page.getByRole('main')
    for (const [call, hash, body] of [
      ['submissions.get', `#/queue/${ids['H-00401']}`, OTHER_SHAPE],
      ['cases.list', '#/cases', PAGE],
    ] as const) {
      await goTo('#/settings/review')
      await page.route(`**/call/${call}`, (route) => route.fulfill({ status: 200, body }))
      await goTo(hash)
      await main.getByText('Unknown answer').first().waitFor()
      await page.unroute(`**/call/${call}`)
      await goTo('#/settings/review')
      await goTo(hash)
      await main.getByText('Unknown answer').waitFor({ state: 'detached' })
    }
    await goTo('#/queue')
    const calls = /\/call\/(?:station\.status|settings\.get|submissions\.list)$/
    await page.route(calls, (route) => route.fulfill({ status: 200, body: OTHER_SHAPE }))
    await page.reload()
    await page.getByRole('navigation').getByRole('link').nth(5).waitFor()
    await page.unroute(calls)
    // No one has to reload: it is read again automatically.
    await page.getByText('H-00401').first().waitFor({ timeout: 20_000 })
    expect(await page.getByText('could not be drawn').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('fails only the screen that cannot be drawn, and offers its error without values', async (context) => {
    const { page, goTo } = await openScreens(context)
    const body = "export function HelpScreen() { throw new RangeError('Quixwood, Zacarias') }"
    await page.route('**/assets/help-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    )
    await goTo('#/help')
    const main = page.getByRole('main')
    await main.getByText('This screen crashed').waitFor()
    await main.getByText('RangeError').waitFor()
    expect(await main.textContent()).not.toMatch(/quixwood|zacarias/i)
    await main.getByRole('link', { name: 'Diagnostics' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  })
})
