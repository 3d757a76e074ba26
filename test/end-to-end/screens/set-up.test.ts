import { describe, expect, it } from 'vitest'
import { exportVisit } from '../../camera/export-visit.ts'
import { countedActs, openScreens } from './open-screens.ts'
import { takePicture } from './pictures.ts'

const NEW_STATION = { setup: 'open' as const, folders: [], service: undefined, centerId: null }

describe('the first set-up', () => {
  it('asks for all that a station needs in nine acts, keeps each answer, and then watches', async (context) => {
    const { page, service, camera, value, address } = await openScreens(context, { config: NEW_STATION })
    const acts = countedActs()
    const goOn = () => acts.click(page.getByRole('button', { name: 'Continue' }))
    const step = (name: string) => page.getByRole('heading', { name, level: 2 }).waitFor()
    await step('Where does the camera save its images?')
    const visit = await exportVisit({
      folder: camera,
      seed: 3,
      visitDate: '2026-11-20',
      width: 300,
      height: 250,
    })
    await acts.type(page.getByRole('textbox', { name: 'Folder' }), camera)
    const preview = page.getByRole('region', { name: 'Visits and ignored files' })
    await preview.getByText(visit.patient.history_number, { exact: true }).waitFor()
    for (const { path } of visit.images) await preview.getByText(path).waitFor()
    expect(await preview.getByText('No history number').count()).toBe(0)
    await takePicture(page, 'set-up-preview')
    await goOn()
    await step('Where are cases sent?')
    // The window may be closed at any step.
    await page.goto('about:blank')
    await page.goto(address)
    await step('Where are cases sent?')
    await acts.type(page.getByRole('textbox', { name: 'Service address' }), service.baseUrl)
    await acts.type(page.getByRole('textbox', { name: 'Client ID' }), service.clientId)
    await acts.type(page.getByRole('textbox', { name: 'Client secret' }), service.clientSecret)
    await goOn()
    for (const what of ['Service reachable', 'Signed in', 'Centers listed'])
      await page.getByText(`${what}: passed`).waitFor()
    await acts.click(page.getByRole('radio', { name: 'Practice Center South' }))
    await goOn()
    await step('All set')
    await acts.click(page.getByRole('button', { name: 'Open queue' }))
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    acts.expectAtMost(9)
    expect(await value('settings.get')).toMatchObject({
      setup: 'done',
      centerId: '102',
      folders: [{ path: camera }],
      service: { baseUrl: service.baseUrl, hasClientSecret: true },
    })
  })

  it('may leave folder and service out by the keyboard, in the language of the system', async (context) => {
    const { page, value } = await openScreens(context, { config: NEW_STATION })
    const goOn = async (step: string) => {
      await page.getByRole('heading', { name: step, level: 2 }).waitFor()
      await page.waitForFunction(() => document.activeElement?.tagName === 'H2')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
    }
    await goOn('Where does the camera save its images?')
    await goOn('Where are cases sent?')
    await page.getByRole('heading', { name: 'Nearly there', level: 2 }).waitFor()
    await page.getByText('cases are kept, nothing is sent').waitFor()
    await page.getByRole('button', { name: 'Open queue' }).click()
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    expect((await value('settings.get')).setup).toBe('done')
  })
})
