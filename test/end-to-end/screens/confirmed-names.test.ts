/** A clinic that names its files well becomes hands-free: from the offer over a slip to the confirmation and its end. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src-shared/durations.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { quickFolder } from '../station-fixture.ts'
import { type Screens, shareScreens } from './open-screens.ts'
import { expectNoFindings } from './watched-camera.ts'

/** No number of these may be taken for the time of an export. */
function numberOf(patient: number): string {
  return String(310_003 + patient * 7_919)
}

/** `20261120`, local, as a camera writes it. */
function dayAgo(days: number): string {
  const date = new Date(Date.now() - days * DAY)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
}

const photographs = Promise.all(
  (['right', 'left'] as const).map((eye) => drawFundus({ eye, seed: 3, shot: 0, width: 120, height: 100 })),
)

/** Both eyes of a patient, as the camera exports them. */
async function leaveVisit({ camera }: Screens, patient: number, daysAgo = 0): Promise<void> {
  const [right, left] = await photographs
  for (const [eye, bytes] of [
    ['OD', right],
    ['OS', left],
  ] as const) {
    // Behind its end a JPEG may hold anything: each is a file of its own.
    const own = Buffer.concat([
      bytes ?? Buffer.alloc(0),
      Buffer.from(`${patient} ${daysAgo} ${eye}`.padEnd(64)),
    ])
    writeFileSync(join(camera, `${numberOf(patient)}_${dayAgo(daysAgo)}_${eye}.jpg`), own)
  }
}

/** Waits until these patients are ready to be checked, and approves each as it is shown. */
async function approveAll({ value }: Screens, count: number): Promise<void> {
  const read = () => value('submissions.list', { state: ['review'], limit: 50 })
  await expect.poll(async () => (await read()).items.length, { timeout: 15_000 }).toBe(count)
  for (const { id, digest } of (await read()).items)
    expect(await value('submissions.approve', { ids: [id], seen: { [id]: digest }, by: 'QX' })).toMatchObject(
      {
        refused: [],
      },
    )
}

/** The station learns a little after the last approval. */
async function untilOffered({ value }: Screens, offers: number): Promise<void> {
  const count = async (): Promise<number> => (await value('station.status')).names[0]?.offers ?? 0
  await expect.poll(count, { timeout: 30_000 }).toBe(offers)
}

async function eightVisits(screens: Screens, first: number): Promise<void> {
  for (let index = 0; index < 8; index += 1) await leaveVisit(screens, first + index, index % 2)
  await approveAll(screens, 8)
}

/** Each step goes on from the one before it. */
describe('names that a person confirms', () => {
  const screensOf = shareScreens({ config: { folders: [] } })

  const offerOn = ({ page }: Screens): Locator =>
    page.getByRole('article', { name: 'We can read these file names' })
  const heldOn = ({ page }: Screens): Locator => page.getByRole('list', { name: 'Trusted file names' })

  const untilCount = async ({ value }: Screens, state: 'review' | 'waiting' | 'sent', count: number) =>
    expect.poll(async () => (await value('station.status')).counts[state], { timeout: 20_000 }).toBe(count)

  it('are offered with a preview of what they read', async (context) => {
    const screens = screensOf(context)
    const { page, camera, value } = screens
    await value('settings.update', { folders: [quickFolder(camera, { sendWithoutReview: true })] })
    await eightVisits(screens, 0)
    await untilOffered(screens, 1)
    await page.getByRole('link', { name: 'See file names' }).click()
    const offer = offerOn(screens)
    await offer.getByTitle('{historyNumber}_{date:YYYYMMDD}_{eye}').waitFor()
    await offer.getByText('number_date YYYYMMDD_eye').waitFor()
    await offer.getByText('8 visits of 8 patients on 2 days, 8 right and 8 left images').waitFor()
    await expectNoFindings(page)
    const read = offer.getByRole('table', { name: 'Read: 16' })
    await read.getByRole('row', { name: `${numberOf(7)}_${dayAgo(1)}_OS.jpg` }).waitFor()
    expect(await read.getByRole('row').nth(1).innerText()).toMatch(/^\d{6}_\d{8}_O[DS]\.jpg\t\d{6}\t.*O[DS]/)
  })

  it('are refused after a correction, and confirmed after enough visits since', async (context) => {
    const screens = screensOf(context)
    const { page, value, caseOf } = screens
    // The photographer had the wrong eye set.
    await leaveVisit(screens, 20)
    await untilCount(screens, 'review', 1)
    const slip = await caseOf(numberOf(20))
    const [image] = slip.images
    await value('submissions.update', { id: slip.id, images: [{ id: image?.id ?? '', eye: 'left' }] })
    await approveAll(screens, 1)
    await untilOffered(screens, 0)
    const refused = page.getByRole('article', { name: 'We cannot read these file names yet' })
    await refused
      .getByRole('table', { name: 'Corrected by hand: 1' })
      .getByRole('cell', { name: 'other eye' })
      .waitFor()
    expect(await page.getByRole('button', { name: 'Trust these file names' }).count()).toBe(0)

    await eightVisits(screens, 30)
    await untilOffered(screens, 1)
    const offer = offerOn(screens)

    await offer.getByRole('button', { name: 'Corrected before, enough visits since: 1' }).waitFor()
    await offer.getByLabel('Your initials').fill('QX')
    await offer.getByRole('button', { name: 'Trust these file names' }).click()
    await heldOn(screens).getByText('Trusted by QX').waitFor()
    await leaveVisit(screens, 40)
    await untilCount(screens, 'sent', 18)
  })

  it('are revoked: what was not sent returns, and what was sent is named', async (context) => {
    const screens = screensOf(context)
    const { page, value, goTo, caseOf, complaints } = screens
    await value('station.pause', {})
    await leaveVisit(screens, 41)
    await untilCount(screens, 'waiting', 1)
    await goTo('#/queue')
    await goTo('#/settings/folders')
    const held = heldOn(screens)
    await held.getByText('Cases sent this way: 1.').waitFor()
    await held.getByRole('button', { name: /^Revoke/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Cases returning: 1.').waitFor()
    await expectNoFindings(page)
    await dialog.getByRole('button', { name: 'Wrong eye' }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await held.getByText('Not trusted: cases need review').waitFor()
    const { reference } = await caseOf(numberOf(40))
    await held.getByRole('link', { name: reference }).waitFor()
    expect((await caseOf(numberOf(41))).state).toBe('review')
    await leaveVisit(screens, 42)
    await untilCount(screens, 'review', 2)
    expect(complaints).toEqual([])
  })
})
