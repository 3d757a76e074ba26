import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fail, failureOf } from '../../../src-shared/failure.ts'
import { NEW_STATION } from './setup-scenes.ts'
import { setStage, type Stage } from './stage.ts'

const open = setStage()

/** The screens of a station that nobody has set up, as somebody opens them for the first time. */
async function openNew(...given: Parameters<typeof open>): Promise<Stage> {
  const stage = await open(...given)
  stage.screens.standIn.changeSettings(NEW_STATION)
  await stage.page.reload()
  await stage.page.getByRole('heading', { name: 'Which language do you read?' }).waitFor()
  return stage
}

const next = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 }).waitFor()
const updates = ({ screens }: Stage) =>
  screens.standIn.asked.filter(({ name }) => name === 'settings.update').map(({ input }) => input)

describe('the first run', () => {
  it('asks for all that a station needs, and keeps each answer when its step is left', async (context) => {
    const stage = await openNew(context)
    const { page, screens } = stage
    await next(page)
    await title(page, 'Where does the camera put its images?')
    await page.getByRole('textbox', { name: 'Folder' }).fill('/srv/camera/export')
    await page.getByRole('status').filter({ hasText: '1,240 files found' }).waitFor()
    await page.getByText('H-00412_20261121/OD_1.jpg').waitFor()
    await page.getByRole('radio', { name: 'Leave them alone' }).check()
    await next(page)

    await title(page, 'Where are cases sent?')
    await next(page)
    await page.getByText('Write the client id that the service issued.').waitFor()
    await page.getByRole('textbox', { name: 'Service address' }).fill('https://cases.example/api')
    await page.getByRole('textbox', { name: 'Client id' }).fill('north')
    await page.getByLabel('Client secret').fill('kept secret')
    await page.getByRole('button', { name: 'Test connection' }).click()
    for (const step of ['Service reachable', 'Signed in', 'Centers listed'])
      await page.getByText(`${step}: passed`).waitFor()
    await next(page)

    await title(page, 'For which center are new cases made?')
    await page.getByRole('radio', { name: 'Harbour Clinic' }).check()
    await next(page)

    await title(page, 'How does the service take measurements?')
    await page.getByRole('radio', { name: 'logMAR' }).check()
    await page.getByRole('radio', { name: 'As the patient sees' }).check()
    await page.getByRole('img', { name: /Right eye: base in is 180°, base out is 0°/ }).waitFor()
    await next(page)

    await title(page, 'What may this computer do by itself?')
    await page.getByText('Starting at login belongs to the desktop program.').waitFor()
    await page.getByRole('combobox', { name: 'Reports' }).selectOption('urgent')
    await next(page)

    await title(page, 'Watching')
    await page.getByRole('button', { name: 'Open the queue' }).click()
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    expect(updates(stage)).toMatchObject([
      { folders: [{ path: '/srv/camera/export', profile: 'auto', existing: 'ignore' }] },
      { service: { baseUrl: 'https://cases.example/api', clientId: 'north', clientSecret: 'kept secret' } },
      { centerId: '102' },
      { clinical: { vaUnit: 'logMAR', prismBase: 'patient' } },
      { notifications: { reports: 'urgent', quiet: null }, desktop: { startAtLogin: 'off' } },
      { setup: 'done' },
    ])
    await page.reload()
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    expect(screens.standIn.asked.at(-1)?.name).not.toBe('settings.update')
  })

  it('goes on at the first step that is not done, also after the window was closed', async (context) => {
    const stage = await openNew(context)
    const { page, screens } = stage
    await next(page)
    await page.getByRole('textbox', { name: 'Folder' }).fill('/srv/camera/export')
    await next(page)
    await title(page, 'Where are cases sent?')
    await page.goto('about:blank')
    await page.goto(screens.address)
    await title(page, 'Where are cases sent?')
    await page.getByRole('button', { name: 'Camera folder, done' }).click()
    expect(await page.getByRole('textbox', { name: 'Folder' }).inputValue()).toBe('/srv/camera/export')
    await page.getByRole('button', { name: 'Back' }).click()
    await title(page, 'Which language do you read?')
    expect(await page.getByRole('button', { name: 'Center, not yet' }).isDisabled()).toBe(true)
    expect(updates(stage)).toHaveLength(1)
  })

  it('may be left for later, and may leave the service out with a sentence', async (context) => {
    const stage = await openNew(context)
    const { page, goTo } = stage
    await page.getByRole('link', { name: 'Go on later' }).click()
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    await goTo('#/setup')
    await next(page)
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await page.getByText('cases are collected and kept on this computer').waitFor()
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await page.getByText('As it is not set yet, there is nothing to choose').waitFor()
    await page.getByRole('button', { name: 'Service, skipped' }).waitFor()
    await next(page)
    await next(page)
    await next(page)
    await title(page, 'Nearly there')
    await page.getByText('Not set yet: cases are collected and kept, nothing is sent.').waitFor()
    await page.getByRole('button', { name: 'Open the queue' }).click()
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    expect(updates(stage).at(-1)).toEqual({ setup: 'done' })
  })

  it('loses nothing where the station or the service cannot be asked', async (context) => {
    const stage = await openNew(context)
    const { page, screens } = stage
    screens.standIn.answerWith('folders.tryProfile', async () => fail(failureOf('folderUnreachable')))
    screens.standIn.answerWith('settings.update', async () => fail(failureOf('storage')))
    await next(page)
    await page.getByRole('textbox', { name: 'Folder' }).fill('Z:\\not there')
    await page.getByText('You can go on all the same').waitFor()
    await next(page)
    await page.getByText('Storage problem').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Folder' }).inputValue()).toBe('Z:\\not there')
    screens.standIn.answerWith('settings.update', null)
    await next(page)
    await title(page, 'Where are cases sent?')
    screens.standIn.answerWith('centers.list', async () => fail(failureOf('offline')))
    await page.getByRole('textbox', { name: 'Service address' }).fill('https://cases.example/api')
    await page.getByRole('textbox', { name: 'Client id' }).fill('north')
    await page.getByLabel('Client secret').fill('s')
    await next(page)
    await page.getByText('choose the center later, at the top of the screens').waitFor()
    screens.standIn.answerWith('centers.list', null)
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('radio', { name: 'North Eye Centre' }).check()
    await next(page)
    await title(page, 'How does the service take measurements?')
    expect(updates(stage).at(-1)).toEqual({ centerId: '101' })
  })
})

describe('the set-up', () => {
  it('is not shown by itself where a file states service and folders', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.changeSettings({ setup: 'open', managed: { service: 'preset', folders: 'preset' } })
    await page.reload()
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    await page.waitForTimeout(300)
    expect(new URL(page.url()).hash).not.toContain('setup')
  })

  it('shows what an administrator has set, locked and with the reason, and goes through', async (context) => {
    const stage = await open(context)
    const { page, screens, goTo } = stage
    screens.standIn.changeSettings({
      managed: {
        service: 'enforced',
        'service.clientSecret': 'enforced',
        folders: 'enforced',
        centerId: 'preset',
        clinical: 'enforced',
      },
    })
    await goTo('#/settings/general')
    await page.getByRole('link', { name: 'Go through set-up again' }).click()
    await next(page)
    const reason = page.getByText('Set by your administrator. It cannot be changed here.')
    await reason.waitFor()
    const folder = page.getByRole('textbox', { name: 'Folder' })
    expect([await folder.inputValue(), await folder.isDisabled()]).toEqual(['/srv/camera/export', true])
    await next(page)
    await title(page, 'Where are cases sent?')
    expect(await page.getByRole('textbox', { name: 'Service address' }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Client secret').isDisabled()).toBe(true)
    await next(page)
    await page.getByText('Preset by your administrator.').waitFor()
    await next(page)
    await title(page, 'How does the service take measurements?')
    expect(await page.getByRole('radio', { name: 'logMAR' }).isDisabled()).toBe(true)
    await next(page)
    await title(page, 'What may this computer do by itself?')
    expect(updates(stage)).toEqual([])
  })

  it('is gone through by the keyboard alone, in another language at once', async (context) => {
    const { page } = await openNew(context)
    await page.waitForFunction(() => document.activeElement?.tagName === 'H2')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    await title(page, '¿En qué idioma lee usted?')
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('es')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await title(page, '¿Dónde deja la cámara sus imágenes?')
    await page.keyboard.press('Tab')
    await page.keyboard.type('/srv/camera/export')
    await page.getByText('1240 archivos encontrados').waitFor()
    await page.keyboard.press('Enter')
    await title(page, '¿Adónde se envían los casos?')
    await page.waitForFunction(() => document.activeElement?.textContent === '¿Adónde se envían los casos?')
  })
})
