import { expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()

it('each setting tells where it comes from, is searched for and copied, and no secret is shown', async (context) => {
  const { page, goTo, complaints } = await open(context)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await goTo('#/settings/sources')
  const row = (name: string) => page.getByRole('row', { name })
  await row('requireBothEyes').getByText('Cannot be changed on the screens').waitFor()
  expect(await row('requireBothEyes').getByRole('cell').allInnerTexts()).toEqual([
    'false',
    expect.stringMatching(/^Policy, enforced/),
  ])
  await row('service.clientSecret').getByText('kept, and never shown').waitFor()
  await page.getByText('It cannot be understood.').waitFor()
  await page.getByText(/What it said before still holds/).waitFor()
  await page.getByText('These names in it mean nothing here: defaults.centreId').waitFor()
  await page.getByText(/the client secret still lies in it/).waitFor()
  await page.getByText('In a private file (mode 0600).').waitFor()

  await page.getByRole('checkbox', { name: 'Leave out what is built in' }).check()
  expect(await row('delivery.retryBaseSeconds').count()).toBe(0)
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('policy deliv')
  await page.getByText('1 value', { exact: true }).waitFor()
  await row('delivery.concurrency').waitFor()
  await page.getByRole('button', { name: 'Copy the table' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('delivery.concurrency\t2\tPolicy, as a default')
  expect(await copied()).toContain('Policy\t/etc/fundus-courier/policy.json\tIt cannot be understood.')
  expect(complaints).toEqual([])
})

it('a secret that lies in a private file is told with what that means', async (context) => {
  const { page, goTo } = await open(context)
  await goTo('#/settings/about')
  await page.getByText('In a private file (mode 0600).').waitFor()
  await page.getByText(/only the rights of the file protect the secret/).waitFor()
})

it('a center that is enforced cannot be chosen, and the menu says whose word that is', async (context) => {
  const { page, screens, goTo } = await open(context)
  screens.standIn.changeSettings({ managed: { centerId: 'enforced' } })
  await goTo('#/queue')
  await page.getByRole('button', { name: /^Center/ }).click()
  await page.getByText('Set by your administrator. It cannot be changed here.').waitFor()
  const other = page.getByRole('menuitem').filter({ hasNotText: 'current' }).first()
  expect(await other.getAttribute('aria-disabled')).toBe('true')
  await other.click({ force: true })
  expect(await page.getByRole('dialog', { name: /center/i }).count()).toBe(0)
  expect(screens.standIn.asked.some(({ name }) => name === 'centers.change')).toBe(false)
})
