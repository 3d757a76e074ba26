import { describe, expect, it } from 'vitest'
import { setStage, type Stage } from './stage.ts'

const open = setStage()

const saved = async ({ page, screens }: Stage) => {
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved.').first().waitFor()
  return screens.standIn.asked.findLast(({ name }) => name === 'settings.update')?.input
}
const REASON = 'Set by your administrator. It cannot be changed here.'

describe('the settings', () => {
  it('say when names are hidden, and start the desktop app at login only there', async (context) => {
    const stage = await open(context)
    const { page, screens, goTo } = stage
    await goTo('#/settings')
    await page.getByText('Starting at login belongs to the desktop program.').waitFor()
    await page.getByRole('textbox', { name: 'When nobody has touched the screens for' }).fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write a number from 10 to 86400.').waitFor()
    await page.getByRole('textbox', { name: 'When nobody has touched the screens for' }).fill('60')
    screens.standIn.changeStatus({ host: 'electron' })
    await page.getByRole('switch', { name: 'Start when somebody signs in to this computer' }).click()
    expect(await saved(stage)).toEqual({
      screens: { hideNamesAfterSeconds: 60 },
      desktop: { startAtLogin: 'on' },
    })
  })

  it('speak another language at once', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/settings/general')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('es')
    await page.getByRole('heading', { name: 'Ajustes' }).waitFor()
    await page.getByRole('link', { name: 'Avisos' }).waitFor()
  })

  it('take the units of the service, with examples of what is sent', async (context) => {
    const stage = await open(context)
    const { page, goTo } = stage
    await goTo('#/settings/clinical')
    const half = page.getByRole('row', { name: /Half of it/ })
    await half.getByRole('cell', { name: '0.5' }).waitFor()
    await page.getByRole('radio', { name: 'logMAR' }).check()
    await half.getByRole('cell', { name: '0.3' }).waitFor()
    await page.getByRole('img', { name: /Left eye: base in is 180°, base out is 0°/ }).waitFor()
    expect(await saved(stage)).toEqual({ clinical: { vaUnit: 'logMAR', prismBase: 'examiner' } })
  })

  it('tell nothing in quiet hours, which must be two different times', async (context) => {
    const stage = await open(context)
    const { page, goTo } = stage
    await goTo('#/settings/notifications')
    await page.getByRole('switch', { name: 'A camera folder cannot be reached' }).click()
    await page.getByRole('switch', { name: 'Tell nothing at certain hours' }).click()
    await page.getByText('from 19:00 to 07:00 of the next day').waitFor()
    await page.getByRole('switch', { name: 'Tell of urgent reports at these hours, too' }).click()
    await page.getByLabel('From').fill('07:00')
    await page.getByText('Write two different times.').first().waitFor()
    await page.getByLabel('From').fill('06:30')
    await page.getByText('from 06:30 to 07:00.').waitFor()
    expect(await saved(stage)).toEqual({
      notifications: {
        needsPerson: 'on',
        folderUnreachable: 'off',
        sendingStopped: 'on',
        reports: 'all',
        quiet: { from: '06:30', to: '07:00' },
        urgentInQuiet: 'off',
      },
    })
  })

  it('show the way to the service without its sign-in', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/settings/network')
    await page.getByText('Directly, without a proxy').waitFor()
    const about = await screens.standIn.station.handlers['station.about']({})
    if (!about.ok) throw new Error('The stand-in says nothing of itself')
    screens.standIn.answerWith('station.about', async () => ({
      ok: true,
      value: { ...about.value, proxy: 'http://proxy.clinic.example:3128' },
    }))
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('Through the proxy http://proxy.clinic.example:3128').waitFor()
    await page.getByText(/HTTPS_PROXY/).waitFor()
  })

  it('tell what the station is, and the license of everything that is shipped', async (context) => {
    const { page, goTo, complaints } = await open(context)
    await goTo('#/settings/about')
    await page.getByText('C:\\ProgramData\\Fundus Courier').waitFor()
    await page.getByText('Electron 45.4.1').waitFor()
    await page.getByRole('button', { name: 'Show licenses' }).click()
    for (const shipped of ['better-sqlite3', 'react-dom', 'pdfjs-dist', 'electron', '@mantine/core'])
      await page.locator('summary').filter({ hasText: shipped }).first().waitFor()
    expect(await page.locator('summary').filter({ hasText: 'vitest' }).count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search packages' }).fill('zustand')
    await page.getByText('1 package', { exact: true }).waitFor()
    await page.locator('summary').click()
    await page.getByText(/Permission is hereby granted/).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('settings that an administrator has set', () => {
  it('are locked with the reason, and what is only preset says so', async (context) => {
    const { page, screens, goTo } = await open(context)
    screens.standIn.changeSettings({
      managed: {
        service: 'enforced',
        'service.clientSecret': 'enforced',
        folders: 'enforced',
        storage: 'preset',
      },
    })
    await goTo('#/settings/service')
    await page.getByText(REASON).waitFor()
    expect(await page.getByRole('textbox', { name: 'Client id' }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Client secret').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Centers listed: passed').waitFor()

    await goTo('#/settings/folders')
    const card = page.getByRole('region', { name: '/srv/camera/export' })
    await card.getByText(REASON).waitFor()
    expect(await card.getByRole('textbox', { name: 'Folder', exact: true }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /Remove folder|Add folder|Save/ }).count()).toBe(0)

    await goTo('#/settings/storage')
    await page.getByText('Preset by your administrator.').waitFor()
    expect(await page.getByRole('switch').first().isDisabled()).toBe(false)
    await page.getByText(/33\.6 MB are held back/).waitFor()
  })

  it('can still be asked about files that were there before, and take the secret that a file leaves out', async (context) => {
    const stage = await open(context)
    const { page, screens, goTo } = stage
    screens.standIn.changeSettings({ managed: { service: 'enforced', folders: 'enforced' } })
    const status = await screens.standIn.station.handlers['station.status']({})
    const [watched] = status.ok ? status.value.folders : []
    if (!watched) throw new Error('The stand-in watches no folder')
    screens.standIn.changeStatus({ folders: [{ ...watched, health: 'asking', existingCount: 3 }] })
    await goTo('#/settings/folders')
    await page.getByRole('button', { name: 'Leave them alone' }).click()
    await page.getByText('Watched', { exact: true }).waitFor()

    await goTo('#/settings/service')
    await page.getByText('only the client secret is entered here').waitFor()
    await page.getByLabel('Client secret').fill('a new one')
    expect(await saved(stage)).toMatchObject({ service: { clientSecret: 'a new one' } })
  })

  it('do not keep the rest of a part from being saved', async (context) => {
    const stage = await open(context)
    const { page, screens, goTo } = stage
    screens.standIn.changeSettings({ managed: { delivery: 'enforced' } })
    await goTo('#/settings/sending')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Cases sent at the same time' }).isDisabled())
      .toBe(true)
    await page.getByRole('textbox', { name: 'Ask for missing reports every' }).fill('120')
    expect(await saved(stage)).toEqual({ reports: { checkSeconds: 120, saveTo: null } })
  })
})
