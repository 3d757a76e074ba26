import { describe, expect, it } from 'vitest'
import type { Screens } from './open-screens.ts'
import { setStage } from './stage.ts'

const open = setStage()

describe('settings', () => {
  it('keep the secret unless a new one is written', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/settings/service')
    await page.getByText('A secret is kept. Leave this empty to keep it.').waitFor()
    await page.getByRole('textbox', { name: 'Client id' }).fill('harbour')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved.').first().waitFor()
    const saved = screens.standIn.asked.find(({ name }) => name === 'settings.update')
    expect(saved?.input).toEqual({
      service: {
        baseUrl: 'https://cases.example/api',
        clientId: 'harbour',
        callbackUrl: null,
        referenceField: 'other_relevant_info',
      },
    })
  })

  it('tell at which of three steps a connection fails', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/settings/service')
    await page.getByLabel('Client secret').fill('wrong')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Service reachable: passed').waitFor()
    await page.getByText('Signed in: failed').waitFor()
    await page.getByText('Centers listed: not tried').waitFor()
  })

  it('ask once what the files are that were there before', async (context) => {
    const { page, screens } = await open(context)
    const [watched] = await foldersOf(screens)
    screens.standIn.changeStatus({ folders: [{ ...watched!, health: 'asking', existingCount: 1_240 }] })
    await page.getByText('1240 files were already in a watched folder').waitFor()
    await page.getByRole('button', { name: 'Decide' }).click()
    await page.getByText('1,240 files were in this folder before').waitFor()
    await page.getByRole('button', { name: 'Leave them alone' }).click()
    await page.getByText('Watched', { exact: true }).waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'folders.decideExisting')?.input).toEqual({
      path: '/srv/camera/export',
      existing: 'ignore',
    })
  })

  it('change the center only after saying what happens to what waits', async (context) => {
    const { page } = await open(context)
    await page.getByRole('button', { name: 'Center North Eye Centre' }).click()
    await page.getByRole('menuitem', { name: /Harbour Clinic/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Make new cases for Harbour Clinic?' })
    await dialog.getByText('12 cases that are here now keep their center.').waitFor()
    await dialog.getByRole('button', { name: 'Change center' }).click()
    await page.getByRole('button', { name: 'Center Harbour Clinic' }).waitFor()
  })
})

async function foldersOf({ standIn }: Screens) {
  const status = await standIn.station.handlers['station.status']({})
  return status.ok ? status.value.folders : []
}
