import { buffer } from 'node:stream/consumers'
import type { Download } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()
/** The browser is shared by a run: what it has saved comes over the line. */
const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream())

describe('what is in doubt about a case', () => {
  it('leads to where it is mended, and what is only unusual does not stand in the way', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s13')
    const missing = page.getByRole('region', { name: 'Before it can be sent' })
    await missing.getByRole('button', { name: /The sources disagree about the last name/ }).click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-last_name')
    const unusual = page.getByRole('region', { name: /^Unusual/ })
    await unusual.getByRole('button', { name: /The OD IOP of 28 is unusual/ }).click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-od_iop')
    await unusual.getByRole('button', { name: /as behind a lens cap/ }).click()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
      /^Enlarge 1\.2\.826/,
    )
    await unusual.getByText(/A case of this patient and day was sent before/).waitFor()
  })

  it('keeps why an eye has no image, by the keyboard alone, and takes it back', async (context) => {
    const { page, screens, openCase } = await open(context)
    await openCase('s13')
    await page.getByRole('button', { name: /There is no image of the left eye/ }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    // Which goes to the first of the usual reasons by itself.
    await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]') !== null)
    await page.getByRole('textbox', { name: 'Why is no image possible?' }).fill('Dense cataract')
    await page.keyboard.press('Enter')
    const column = page.getByRole('group', { name: /Left eye.*: 0/ })
    await column.getByText('No image possible because: Dense cataract').waitFor()
    await page
      .getByRole('button', { name: /There is no image of the left eye/ })
      .waitFor({ state: 'detached' })
    expect(screens.standIn.submissions.get('s13')?.noImageBecause).toEqual({ left: 'Dense cataract' })
    await page.waitForFunction(() => document.activeElement?.textContent === 'Take back')
    await page.keyboard.press('Enter')
    await column.getByRole('button', { name: /^No image possible.*Left eye/ }).waitFor()
    expect(screens.standIn.submissions.get('s13')?.noImageBecause).toEqual({})
  })

  it('says what is sent of a DICOM file and which files show a photograph once more', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s13')
    // The twin is not counted and has no card of its own.
    await page.getByRole('group', { name: /Right eye.*: 2/ }).waitFor()
    await page.getByRole('article', { name: 'OD_1.jpg' }).getByText('also as DICOM: OD_1.dcm').waitFor()
    const dicom = page.getByRole('article', { name: /^1\.2\.826/ })
    await dicom.getByText('sent as JPEG taken out of the DICOM file').waitFor()
    await dicom.getByRole('button', { name: /^Enlarge/ }).click()
    const viewer = page.getByRole('dialog')
    // Said once the image stands there.
    await viewer.getByText(/The image in the DICOM file is shown and sent/).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: 'Save the file as the camera wrote it' }).click(),
    ])
    // The name carries no patient data.
    expect(download.suggestedFilename()).toMatch(/^FC[0-9A-Z]{9}_OD_2\.dcm$/)
    expect((await bytesOf(download)).length).toBeGreaterThan(0)
  })
})
