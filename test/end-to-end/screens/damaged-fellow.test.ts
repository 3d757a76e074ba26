/** The camera wrote one eye whole and the other damaged: the case waits for a person, who decides on its page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localDate } from '../../../src-main/station/cases/meaning/dates.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { quickFolder } from '../station-fixture.ts'
import { openScreens } from './open-screens.ts'

/** Today: the camera's day is the one on which the images come. */
const DAY = localDate(Date.now())
const VISIT = `H-00417_${DAY.replaceAll('-', '')}`
const [OD, OS] = ['H-00417_OD_1.png', 'H-00417_OS_1.png']
const RECORD = { history_number: 'H-00417', visit_date: DAY, images: { [OD]: 'OD', [OS]: 'OS' } }

function drawn(eye: 'right' | 'left'): Promise<Buffer> {
  return drawFundus({ eye, seed: 5, shot: 0, width: 300, height: 250, format: 'png' })
}

/** Whole in its structure, and no picture. */
function damaged(png: Buffer): Buffer {
  return Buffer.from(png).fill(0, png.indexOf('IDAT') + 4, png.indexOf('IDAT') + 12)
}

it('a damaged eye holds its case back; a person goes without it, or says which is its new export', async (context) => {
  const { page, camera, caseOf, openCase, row, goTo, value } = await openScreens(context, {
    config: { folders: [] },
  })
  await value('settings.update', { folders: [quickFolder(camera)] })
  mkdirSync(join(camera, VISIT))
  const [right, left] = await Promise.all([drawn('right'), drawn('left')])
  writeFileSync(join(camera, VISIT, 'case.json'), JSON.stringify(RECORD))
  writeFileSync(join(camera, VISIT, OD), right)
  writeFileSync(join(camera, VISIT, OS), damaged(left))
  await row('H-00417').getByText(`Unreadable: ${OS}`).waitFor()

  await openCase('H-00417')
  const files = page.getByRole('list', { name: 'Unreadable images' })
  await files.getByText('Waiting for a new export.').waitFor()
  await page.getByRole('button', { name: /This image cannot be read/ }).click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(`Exclude ${OS}`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Another image shows it' }).click()
  await files.getByText('Excluded: Another image shows it').waitFor()
  expect(await caseOf('H-00417')).toMatchObject({ state: 'review', reasons: [] })

  await files.getByRole('button', { name: 'Wait for new export' }).click()
  await files.getByText('Waiting for a new export.').waitFor()
  // Its name was used for other bytes: what the data file says of it proves nothing any more.
  writeFileSync(join(camera, VISIT, OS), left)
  await files.getByText(`Is this the new export of ${OS}?`).waitFor()
  await files.getByRole('button', { name: 'Yes, same image' }).click()
  await expect.poll(async () => (await caseOf('H-00417')).state).toBe('review')
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await expect.poll(async () => (await caseOf('H-00417')).state).toBe('sent')
  await goTo('#/queue')
  expect(await caseOf('H-00417')).toMatchObject({
    images: [{ eye: 'right' }, { eye: 'left' }],
    unusableFiles: [{ decision: 'replaced' }],
  })
})
