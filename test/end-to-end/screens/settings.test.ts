import { describe, expect, it } from 'vitest'
import { UNMANAGED } from '../../../src-main/station/settings/managed-files.ts'
import { exportVisit } from '../../camera/export-visit.ts'
import { openScreens } from './open-screens.ts'
import { takePicture } from './pictures.ts'

describe('the settings', () => {
  it('keep the secret unless a new one is written, and say at which of three steps a connection fails', async (context) => {
    const { page, service, goTo, value } = await openScreens(context)
    await goTo('#/settings/service')
    await page.getByText('Saved. Leave empty to keep it.').waitFor()
    await page.getByRole('textbox', { name: 'Client secret' }).fill('wrong')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Service reachable: passed').waitFor()
    await page.getByText('Signed in: failed').waitFor()
    await page.getByText('Centers listed: not tried').waitFor()
    await page.getByRole('textbox', { name: 'Client secret' }).fill('')
    await page.getByRole('combobox', { name: /reference/i }).selectOption('retinologist_notes')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
    expect((await value('settings.get')).service).toMatchObject({
      clientId: service.clientId,
      hasClientSecret: true,
      referenceField: 'retinologist_notes',
    })
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Centers listed: passed').waitFor()
  })

  it('ask once what files are that were there before, and count those since a day', async (context) => {
    const { page, camera, value, goTo } = await openScreens(context, { config: { folders: [] } })
    await exportVisit({ folder: camera, seed: 3, visitDate: '2026-11-20', width: 300, height: 250 })
    await goTo('#/settings/folders')
    await page.getByRole('button', { name: 'Add folder' }).click()
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill(camera)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
    const decide = page.getByRole('button', { name: 'Ignore', exact: true })
    await page.getByText(/files were already in this folder/).waitFor()
    await page.getByLabel('Files since').fill('2026-06-01')
    await page.getByText('4 files since then').waitFor()
    expect((await value('submissions.list')).total).toBe(0)
    await decide.click()
    await page.getByText('Watched', { exact: true }).waitFor()
    expect((await value('station.status')).folders).toMatchObject([{ path: camera, health: 'watching' }])
  })

  it('show what would become of the files of a watched folder', async (context) => {
    const { page, camera, goTo } = await openScreens(context)
    const visits = [4, 5].map((seed) => ({ seed, visitDate: '2026-11-20', width: 300, height: 250 }))
    const made = await Promise.all(visits.map((visit) => exportVisit({ folder: camera, ...visit })))
    await goTo('#/settings/folders')
    await page.getByRole('button', { name: 'Preview' }).click()
    const found = page.getByRole('region', { name: 'Visits and ignored files' })
    for (const { patient, images } of made) {
      const shown = found.getByRole('listitem').filter({ hasText: patient.history_number }).first()
      await shown.getByText('20 Nov 2026').waitFor()
      for (const { path } of images) await shown.getByText(path).waitFor()
    }
    expect(await found.getByText('No history number').count()).toBe(0)
    await takePicture(page, 'settings-preview')
  })

  it('of an administrator are locked with the reason, the rest of a part is saved, and each names its source', async (context) => {
    const { page, goTo, value, complaints } = await openScreens(context, {
      managed: {
        ...UNMANAGED,
        policy: {
          defaults: {},
          enforced: { delivery: { concurrency: 1 } },
          unknownNames: [],
          service: null,
          enrolment: null,
        },
      },
    })
    const reason = page.getByText('Set by your administrator. Cannot be changed here.')
    await goTo('#/settings/service')
    await reason.first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Cases sent at once' }).isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: /reference/i }).selectOption('visit_reason')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'hidden' })
    expect((await value('settings.get')).service?.referenceField).toBe('visit_reason')
    await goTo('#/settings/it')
    const row = page.getByRole('row', { name: 'delivery.concurrency' })
    await row.getByText('Locked on the screens').waitFor()
    expect(complaints).toEqual([])
  })

  it('mark the parts of a path, and show what that reads before it is stored', async (context) => {
    const { page, camera, goTo, value } = await openScreens(context)
    for (const seed of [3, 4])
      await exportVisit({
        folder: camera,
        seed,
        visitDate: '2026-11-20',
        sidecar: 'none',
        width: 300,
        height: 250,
      })
    await expect.poll(async () => (await value('submissions.list')).total).toBe(2)
    await goTo('#/settings/folders')
    await page.getByRole('button', { name: 'Mark parts of a file name' }).click()
    const card = page.getByRole('article', { name: 'What does each part mean?' })
    const eye = card.getByRole('combobox', { name: /^O[DS] is$/ })
    await eye.selectOption('rest')
    await card.getByText('Eye: must be set by hand.').waitFor()
    await eye.selectOption('eye')
    await card.getByText('Eye: must be set by hand.').waitFor({ state: 'hidden' })
    await card.scrollIntoViewIfNeeded()
    await takePicture(page, 'settings-marked')
    await card.getByLabel('Your initials').fill('QX')
    await card.getByRole('button', { name: 'Read names this way' }).click()
    await page.getByText('Marked by hand').waitFor()
    expect((await value('settings.get')).folders[0]?.confirmedProfiles).toMatchObject([
      { proposes: true, confirmed: null },
    ])
  })
})
