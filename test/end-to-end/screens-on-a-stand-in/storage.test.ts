import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()

describe('settings of what is kept', () => {
  it('say what removing images means, and keep "never" as never', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/settings/storage')
    await page.getByText(/^180 days after a case was read back/).waitFor()
    await page.getByRole('textbox', { name: /^Days after/ }).fill('0')
    await page.getByText('Write a number from 1 to 36500.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    expect(screens.standIn.asked.some(({ name }) => name === 'settings.update')).toBe(false)
    await page.getByRole('switch', { name: /^Remove the images/ }).click()
    await page.getByText(/^Images are never removed by the station/).waitFor()
    await page.getByRole('textbox', { name: /^Take in no new images/ }).fill('2,5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved.').first().waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'settings.update')?.input).toEqual({
      storage: { keepImagesDays: null, lowWaterBytes: 2.5 * 1_024 ** 3, ballastBytes: 32 * 1_024 ** 2 },
    })
  })
})

describe('settings of sending', () => {
  it('take a limit in either unit, none where it is empty, and a folder for reports', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/settings/sending')
    await page.getByRole('textbox', { name: /^Limit for all transfers/ }).fill('2')
    await page.getByText(/Write a number of at least 4.1 kB/).waitFor()
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('MB/s')
    await page.getByRole('textbox', { name: /^Copy every report/ }).fill('/srv/reports')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved.').first().waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'settings.update')?.input).toMatchObject({
      delivery: { bytesPerSecond: 2_000_000 },
      reports: { saveTo: '/srv/reports' },
    })
    await page.getByRole('textbox', { name: /^Limit for all transfers/ }).fill('')
    await page.getByRole('textbox', { name: /^Copy every report/ }).fill(' ')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => screens.standIn.asked.findLast(({ name }) => name === 'settings.update')?.input)
      .toMatchObject({ delivery: { bytesPerSecond: null }, reports: { saveTo: null } })
  })
})

describe('an image that was removed', () => {
  it('is told with its day wherever it stood, and its bytes are not asked for', async (context) => {
    const { page, screens, goTo } = await open(context)
    const removedAt = new Date(2026, 10, 3, 12).getTime()
    const images = screens.standIn.submissions.get('s30')?.images ?? []
    screens.standIn.changeSubmission('s30', { images: images.map((image) => ({ ...image, removedAt })) })
    const bytes: string[] = []
    page.on('request', (request) => {
      if (/\/bytes\/(image|thumbnail|original)\/i30-/.test(request.url())) bytes.push(request.url())
    })
    await goTo('#/queue/s30')
    const words = 'Removed from this computer on 3 Nov 2026'
    await page.getByRole('article', { name: 'OD_1.jpg' }).getByText(words).waitFor()
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    const viewer = page.getByRole('dialog')
    await viewer.locator('section').getByText(words).waitFor()
    expect(
      await viewer.getByRole('button', { name: 'Save the file as the camera wrote it' }).isDisabled(),
    ).toBe(true)
    await page.keyboard.press('Escape')
    await goTo('#/reports/88390')
    await page
      .getByRole('complementary', { name: 'Images of this case' })
      .getByRole('img', { name: /Removed from/ })
      .first()
      .waitFor()
    await goTo('#/queue')
    await page.getByRole('button', { name: /^Sent/ }).click()
    await page
      .getByRole('row')
      .filter({ hasText: 'H-00350' })
      .getByRole('img', { name: /Removed from/ })
      .first()
      .waitFor()
    expect(bytes).toEqual([])
  })
})
