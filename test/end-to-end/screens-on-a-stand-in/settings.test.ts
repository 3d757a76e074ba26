import { describe, expect, it } from 'vitest'
import { succeed } from '../../../src-shared/failure.ts'
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

  it('show no result of a connection that was changed while it was tested', async (context) => {
    const { page, screens, goTo } = await open(context)
    let answer: () => void = () => undefined
    const passed = { kind: 'passed' } as const
    screens.standIn.answerWith('service.test', async () => {
      await new Promise<void>((resolve) => (answer = resolve))
      return succeed({ reachable: passed, signedIn: passed, centersListed: passed, centers: [] })
    })
    await goTo('#/settings/service')
    const test = page.getByRole('button', { name: 'Test connection' })
    await page.getByLabel('Client secret').fill('right')
    await test.click()
    await expect.poll(() => screens.standIn.asked.some(({ name }) => name === 'service.test')).toBe(true)
    await page.getByLabel('Client secret').fill('another')
    answer()
    await expect.poll(() => test.isEnabled()).toBe(true)
    expect(await page.getByText('Signed in: passed').count()).toBe(0)
    await test.click()
    await expect
      .poll(() => screens.standIn.asked.filter(({ name }) => name === 'service.test').length)
      .toBe(2)
    answer()
    await page.getByText('Signed in: passed').waitFor()
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

  it('count the files since a day before any of them is taken', async (context) => {
    const { page, screens } = await open(context)
    const [watched] = await foldersOf(screens)
    if (!watched) throw new Error('The stand-in watches no folder')
    screens.standIn.changeStatus({
      folders: [{ ...watched, health: 'asking', guard: 'unguarded', existingCount: 1_240 }],
    })
    await page.getByRole('button', { name: 'Decide' }).click()
    await page.getByText(/a second station is not kept off it/).waitFor()
    await page.getByLabel('Only files since').fill('2026-06-01')
    await page.getByText('124 files since that day').waitFor()
    expect(screens.standIn.asked.some(({ name }) => name === 'folders.decideExisting')).toBe(false)
    await page.getByRole('button', { name: 'Make cases of these' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make cases of 124 files since 1 Jun 2026?' })
    await dialog.getByRole('button', { name: 'Make cases of these' }).click()
    await page.getByText('Watched', { exact: true }).waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'folders.decideExisting')?.input).toEqual({
      path: '/srv/camera/export',
      existing: 'since',
      since: '2026-06-01',
    })
  })

  it('say all that a folder may be told', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/settings/folders')
    const card = page.getByRole('region', { name: '/srv/camera/export' })
    await card.getByRole('combobox', { name: 'How the names of the files are read' }).selectOption('retcam')
    await card.getByRole('radiogroup', { name: 'Watching' }).getByText('Paused').click()
    await card.getByRole('combobox', { name: 'Of a DICOM file is sent' }).selectOption('original')
    await card.getByRole('switch', { name: 'Keep a second station off this folder' }).click()
    await card.getByRole('combobox', { name: 'Files that are already there' }).selectOption('since')
    await page.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Choose the day.').waitFor()
    await card.getByLabel('Changed on this day or later').fill('2026-06-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved.').first().waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'settings.update')?.input).toMatchObject({
      folders: [
        {
          profile: 'retcam',
          watching: 'paused',
          dicom: 'original',
          lease: 'off',
          existing: 'since',
          existingSince: '2026-06-01',
        },
      ],
    })
  })

  it('set a patient list and say how it is', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/settings/patientList')
    await page.getByRole('switch', { name: 'Use a patient list' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write the path of the file.').waitFor()
    await page.getByRole('textbox', { name: 'File' }).fill('/srv/lists/patients.csv')
    await page.getByRole('combobox', { name: 'Dates are written' }).selectOption('dmy')
    await page.getByRole('button', { name: 'Add heading' }).click()
    await page.getByRole('textbox', { name: 'Heading' }).fill('Geburtstag')
    await page.getByRole('combobox', { name: 'Geburtstag holds' }).selectOption('birth_date')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved.').first().waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'settings.update')?.input).toEqual({
      patientList: {
        path: '/srv/lists/patients.csv',
        dateOrder: 'dmy',
        columns: { Geburtstag: 'birth_date' },
      },
    })
    screens.standIn.changeStatus({
      patientList: {
        kind: 'unreadable',
        patients: 1_812,
        message: 'No heading of the list is understood as the history number.',
        readAt: Date.now(),
      },
    })
    await page.getByText('No heading of the list is understood as the history number.').waitFor()
    await page.getByText('The list that was read before stays in use.').waitFor()
    await page.getByText(/1,812 patients/).waitFor()
  })

  it('change the center only after saying what happens to what waits', async (context) => {
    const { page } = await open(context)
    await page.getByRole('button', { name: 'Center North Eye Centre' }).click()
    await page.getByRole('menuitem', { name: /Harbour Clinic/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Make new cases for Harbour Clinic?' })
    await dialog.getByText('13 cases that are here now keep their center.').waitFor()
    await dialog.getByRole('button', { name: 'Change center' }).click()
    await page.getByRole('button', { name: 'Center Harbour Clinic' }).waitFor()
  })
})

async function foldersOf({ standIn }: Screens) {
  const status = await standIn.station.handlers['station.status']({})
  return status.ok ? status.value.folders : []
}
