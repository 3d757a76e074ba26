import { describe, expect, it } from 'vitest'
import { fail, failureOf } from '../../../src-shared/failure.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { dropFiles } from '../screens/drop-files.ts'
import { setStage } from './stage.ts'

const open = setStage()
/** A pause of the form passes before it saves by itself. */
const PATIENTLY = { timeout: 15_000 }

async function photograph(name: string, eye: 'right' | 'left') {
  const buffer = await drawFundus({ eye, seed: 4, shot: 0, width: 300, height: 250 })
  return { name, mimeType: 'image/jpeg', buffer }
}

describe('a new case', () => {
  it('is made of files that are dropped on the queue', async (context) => {
    const { page, screens } = await open(context)
    await dropFiles(page, [await photograph('OD_1.jpg', 'right'), await photograph('b.jpg', 'left')])
    await page.getByRole('heading', { name: 'New case' }).waitFor()
    const first = page.getByRole('article', { name: 'OD_1.jpg' })
    const second = page.getByRole('article', { name: 'b.jpg' })
    await first.getByText(/on this station/).waitFor()
    await second.getByText(/on this station/).waitFor()
    // The order and the name say nothing here.
    for (const card of [first, second])
      expect(
        await card.getByRole('button', { name: /is the Eye not known/ }).getAttribute('aria-pressed'),
      ).toBe('true')
    await second.getByRole('button', { name: /is the Left eye/ }).click()
    await first.getByRole('button', { name: /is the Eye not known/ }).focus()
    await page.keyboard.press('r')
    await page.getByRole('textbox', { name: 'History number' }).fill('H-90001')
    await page.getByRole('button', { name: 'Make the case' }).click()
    await page.getByRole('heading', { name: /H-90001/ }).waitFor()
    const asked = screens.standIn.asked.find(({ name }) => name === 'submissions.create')?.input
    expect(asked).toMatchObject({
      fields: { history_number: 'H-90001' },
      images: [
        { path: expect.stringMatching(/^\/incoming\/.+\/OD_1\.jpg$/), eye: 'right' },
        { path: expect.stringMatching(/b\.jpg$/), eye: 'left' },
      ],
    })
  })

  it('is made by the keyboard and the button, and never without a file that was chosen', async (context) => {
    const { page, screens } = await open(context)
    await page.getByRole('link', { name: 'New case' }).focus()
    await page.keyboard.press('Enter')
    const make = page.getByRole('button', { name: 'Make the case' })
    await make.waitFor()
    expect(await make.isDisabled()).toBe(true)
    await page
      .locator('input[type="file"]')
      .setInputFiles([
        await photograph('a.jpg', 'right'),
        await photograph('broken.jpg', 'left'),
        { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
      ])
    await page.getByText(/not taken: A file did not arrive whole/).waitFor()
    await page.getByText(/not taken: the file is empty/).waitFor()
    expect(await make.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Remove empty.jpg' }).click()
    await page.getByRole('button', { name: 'Remove broken.jpg' }).click()
    await expect.poll(() => make.isDisabled(), PATIENTLY).toBe(false)
    await page.getByRole('textbox', { name: 'Age' }).fill('200')
    await page.keyboard.press('Control+Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-age')
    expect(screens.standIn.asked.some(({ name }) => name === 'submissions.create')).toBe(false)
    await page.getByRole('textbox', { name: 'Age' }).fill('20')
    await page.keyboard.press('Control+Enter')
    await page
      .getByText(/Nothing states the eye of an image/)
      .first()
      .waitFor()
  })

  it('takes no images from the queue unasked once it is begun: they may be of another patient', async (context) => {
    const { page, goTo } = await open(context)
    const drop = async (name: string) => dropFiles(page, [await photograph(name, 'left')])
    const dialog = page.getByRole('dialog', { name: 'A new case is already begun' })
    const card = (name: string) => page.getByRole('article', { name })
    await drop('a.jpg')
    await card('a.jpg').waitFor()
    await page.getByRole('textbox', { name: 'History number' }).fill('H-90001')
    const dropOnQueue = async (name: string): Promise<void> => {
      await goTo('#/queue')
      await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
      await drop(name)
      await dialog.getByText('H-90001').waitFor()
    }
    await dropOnQueue('b.jpg')
    expect(await card('b.jpg').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Add to the begun case' }).click()
    await card('b.jpg').waitFor()
    await dropOnQueue('c.jpg')
    await dialog.getByRole('button', { name: 'Leave the dropped images out' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('article').count()).toBe(2)
    await dropOnQueue('d.jpg')
    await dialog.getByRole('button', { name: 'Discard the begun case and begin anew' }).click()
    await card('d.jpg').waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    expect(await page.getByRole('textbox', { name: 'History number' }).inputValue()).toBe('')
  })

  it('takes nothing that would not be in it while the station makes it', async (context) => {
    const { page, screens } = await open(context)
    const answering = Promise.withResolvers<void>()
    screens.standIn.answerWith('submissions.create', async () => {
      await answering.promise
      return fail(failureOf('diskLow'))
    })
    await dropFiles(page, [await photograph('a.jpg', 'right')])
    await page.getByText(/on this station/).waitFor()
    const age = page.getByRole('textbox', { name: 'Age' })
    await age.fill('20')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.locator('[inert] #field-age').count(), PATIENTLY).toBe(1)
    await page.keyboard.type('5')
    await dropFiles(page, [await photograph('b.jpg', 'left')])
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    answering.resolve()
    await page.getByRole('alert').first().waitFor()
    await expect.poll(() => page.locator('[inert] #field-age').count(), PATIENTLY).toBe(0)
    expect(await age.inputValue()).toBe('20')
    expect(await page.getByRole('article', { name: /\.jpg$/ }).count()).toBe(1)
  })

  it('outlives a look at the queue, and a drop that is no file changes nothing', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/new')
    await page.locator('input[type="file"]').setInputFiles([await photograph('a.jpg', 'right')])
    await page.getByRole('article', { name: 'a.jpg' }).waitFor()
    await goTo('#/queue')
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    await goTo('#/new')
    await page.getByRole('article', { name: 'a.jpg' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    await goTo('#/new')
    await page.getByText('Drop image files here').waitFor()
  })
})
