import { describe, expect, it } from 'vitest'
import { dropFiles, photograph } from './drop-files.ts'
import { openScreens, type Screens } from './open-screens.ts'
import { axeFindingsInBothThemes } from '../axe.ts'
import { takePicture } from './pictures.ts'

const CASES = [{ who: 'H-00412', name: 'Sampleton, Synthia', state: 'review' as const }]

describe('a new case', () => {
  const inspect = async ({ page }: Screens, name: string): Promise<void> => {
    expect(await axeFindingsInBothThemes(page)).toEqual([])
    await takePicture(page, name)
  }

  it('begins empty, takes images one after another, and leaves with all of them or a decision', async (context) => {
    const screens = await openScreens(context, { cases: CASES })
    const { page, caseOf, station, answerWith } = screens
    const notYet = page.getByRole('group', { name: /Wait for all images/ })
    await page.getByRole('button', { name: 'New case' }).click()
    await page.getByText('Drop images here').waitFor()
    await inspect(screens, 'new-case-empty')
    await page.getByRole('textbox', { name: 'History number' }).fill('H-90001')
    await page.getByRole('textbox', { name: 'Visit date' }).fill('2026-11-20')
    const opened = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add images' }).click()
    await (await opened).setFiles([await photograph('b.jpg', 'left')])
    await page.getByRole('article', { name: 'b.jpg' }).waitFor()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    answerWith('submissions.addImages', async (input) => {
      await gate
      return station.handlers['submissions.addImages'](input)
    })
    await dropFiles(page, [
      await photograph('OD_1.jpg', 'right'),
      { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
    ])
    await page.getByRole('status').filter({ hasText: 'Adding image 1 of 2' }).waitFor()
    await inspect(screens, 'new-case-adding')
    await page.keyboard.press('Control+Enter')
    await notYet.waitFor()
    open()
    const refused = page.getByRole('alert').filter({ hasText: 'Files not added: 1' })
    await refused.getByText(/An empty file was not added/).waitFor()
    // The order says nothing here.
    await page.getByRole('button', { name: 'b.jpg: Left eye – OS' }).click()
    await inspect(screens, 'new-case-images')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => notYet.count()).toBe(2)
    expect((await caseOf('H-90001')).state).toBe('review')
    await refused.getByRole('button', { name: 'Continue without' }).click()
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await expect.poll(async () => (await caseOf('H-90001')).state).toMatch(/waiting|sending|sent/)
    const sent = (await caseOf('H-90001')).images.map(({ fileName, eye }) => `${fileName} ${eye}`)
    expect(sent.toSorted()).toEqual(['OD_1.jpg right', 'b.jpg left'])
  })

  it('is another one for each drop on the queue: the images may be of another patient', async (context) => {
    const screens = await openScreens(context, { cases: CASES })
    const { page } = screens
    for (const name of ['a.jpg', 'b.jpg']) {
      await screens.goTo('#/queue')
      await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
      await dropFiles(page, [await photograph(name, 'left')])
      await page.getByRole('article', { name }).waitFor()
      expect(await page.getByRole('article').count()).toBe(1)
    }
    await screens.openCase('H-00412')
    await dropFiles(page, [await photograph('c.jpg', 'left')])
    expect(await page.getByTestId('drop-place').count()).toBe(0)
    expect((await screens.value('station.status')).counts.incomplete).toBe(2)
  })

  it('that is left as it began is discarded; one in which anything was done stays', async (context) => {
    const screens = await openScreens(context, { cases: CASES })
    const { page } = screens
    for (const typed of ['', 'H-90002']) {
      await page.getByRole('button', { name: 'New case' }).click()
      await page.getByText('Drop images here').waitFor()
      if (typed !== '') await page.getByRole('textbox', { name: 'History number' }).fill(typed)
      await screens.goTo('#/queue')
      await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
      await page.getByRole('button', { name: 'Discarded 1' }).waitFor()
    }
    await screens.row('H-90002').waitFor()
  })
})
