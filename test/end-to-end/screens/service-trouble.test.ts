/** What the screens show of a service that refuses the sign-in, and of one that stored less than it was sent. */
import { describe, expect, it } from 'vitest'
import { openScreens, type Screens } from './open-screens.ts'

const banner = ({ page }: Pick<Screens, 'page'>) => page.getByTestId('banner')

const wrongly = (service: { readonly baseUrl: string; readonly clientId: string }) => ({
  baseUrl: service.baseUrl,
  clientId: service.clientId,
  clientSecret: 'not-the-secret',
})

describe('a refused sign-in', () => {
  it('is shown in the set-up, to its end, until the right secret is entered', async (context) => {
    const config = { setup: 'open' as const, service: undefined, centerId: null }
    const screens = await openScreens(context, { config })
    const { page, service, goTo } = screens
    await goTo('#/setup')
    const goOn = () => page.getByRole('button', { name: 'Continue' }).click()
    const step = (name: string) => page.getByRole('heading', { name, level: 2 }).waitFor()
    await step('Where are cases sent?')
    await page.getByRole('textbox', { name: 'Service address' }).fill(service.baseUrl)
    await page.getByRole('textbox', { name: 'Client ID' }).fill(service.clientId)
    await page.getByRole('textbox', { name: 'Client secret' }).fill('not-the-secret')
    await goOn()
    await page.getByText('Signed in: failed').waitFor()
    await goOn()
    await step('Nearly there')
    await banner(screens).and(page.locator('[data-kind="signedOut"]')).waitFor()
    await page.getByRole('button', { name: 'Service, has a problem' }).waitFor()
    await page.getByRole('definition').getByText('Sign-in refused').waitFor()
    expect(await page.getByText('All well').count()).toBe(0)
    await page.getByRole('button', { name: 'Service, has a problem' }).click()
    await page.getByRole('textbox', { name: 'Client secret' }).fill(service.clientSecret)
    await goOn()
    await page.getByRole('radio', { name: 'Practice Center South' }).waitFor()
    await goOn()
    await page.getByRole('button', { name: 'Service, done' }).waitFor()
    await page.getByRole('img', { name: 'Service: Connected' }).waitFor()
  })

  it('is shown after the start of an idle station, and asked once; new settings end it', async (context) => {
    const screens = await openScreens(context, {
      config: { service: { baseUrl: 'http://127.0.0.1:9', clientId: 'clinic', clientSecret: 'secret' } },
    })
    const { page, service, value } = screens
    await banner(screens).and(page.locator('[data-kind="service"]')).waitFor()
    await value('settings.update', { service: wrongly(service) })
    await banner(screens).and(page.locator('[data-kind="signedOut"]')).waitFor()
    expect(service.journal.of('POST /authorize')).toHaveLength(1)
    const { clientSecret } = service
    await value('settings.update', { service: { ...wrongly(service), clientSecret } })
    await banner(screens).and(page.locator('[data-kind="well"]')).waitFor()
    await page.getByRole('img', { name: 'Service: Connected' }).waitFor()
  })
})

it('a case of which the service shows too few images is nowhere plainly sent', async (context) => {
  const cases = [
    { who: 'H-00511', name: 'Sampleton, Synthia', state: 'sent', eyes: 'rll', caseId: '71', imagesShown: 2 },
    { who: 'H-00512', name: 'Demoson, Fictor', state: 'sent', caseId: '72' },
  ] as const
  const screens = await openScreens(context, { cases })
  const { page, row, openCase } = screens
  await banner(screens).getByText('The service shows fewer images than were sent').waitFor()
  await page.getByRole('button', { name: /^Sent/ }).click()
  await row('H-00511').getByText('Sent, the service shows 2 of 3').waitFor()
  await row('H-00512').getByText('Sent', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Sent Images missing: 1 2$/ }).waitFor()
  await openCase('H-00511')
  await page.getByRole('main').getByText('Sent, the service shows 2 of 3').first().waitFor()
})
