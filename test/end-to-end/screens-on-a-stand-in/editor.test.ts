import { describe, expect, it } from 'vitest'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'

const open = setStage()
/** A pause of the form passes before it saves by itself. */
const PATIENTLY = { timeout: 15_000 }

describe('what is typed into a case', () => {
  it('is saved by itself after a pause, and approves nothing', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s6')
    const { state } = screens.standIn.submissions.get('s6') ?? {}
    // It stands there for two seconds only.
    const unsaved = page.getByText('Not saved yet').waitFor()
    await page.getByRole('textbox', { name: 'Reason for the visit' }).fill('Blurred vision')
    await unsaved
    await page.getByText(/^Saved \d/).waitFor()
    expect(screens.standIn.submissions.get('s6')?.fields.visit_reason).toBe('Blurred vision')
    expect(screens.standIn.submissions.get('s6')?.state).toBe(state)
    expect(screens.standIn.asked.some(({ name }) => name === 'submissions.approve')).toBe(false)
  })

  it('stays here and says so while it cannot be right', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s6')
    await page.getByRole('textbox', { name: /^IOP, right eye/ }).fill('300')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Example')
    await page.keyboard.press('Tab')
    await page.getByText('Not saved: one value cannot be right').waitFor()
    await expect
      .poll(() => screens.standIn.submissions.get('s6')?.fields.last_name, PATIENTLY)
      .toBe('Example')
    expect(screens.standIn.submissions.get('s6')?.fields.od_iop).not.toBe(300)
  })

  it('never overwrites what somebody else has changed meanwhile', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s6')
    const reason = page.getByRole('textbox', { name: 'Reason for the visit' })
    // On a slow computer it would be saved before the other's change has come.
    screens.standIn.answerWith('submissions.update', async () => fail(failureOf('internal')))
    await reason.fill('Mine')
    const { fields = {} } = screens.standIn.submissions.get('s6') ?? {}
    screens.standIn.changeSubmission('s6', { fields: { ...fields, visit_reason: 'Theirs' } })
    await page.getByText(/Somebody else has changed this to “Theirs”/).waitFor()
    screens.standIn.answerWith('submissions.update', null)
    await page.keyboard.press('Tab')
    await page.getByText('Not saved: changed elsewhere meanwhile').waitFor()
    expect(screens.standIn.submissions.get('s6')?.fields.visit_reason).toBe('Theirs')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.keyboard.press('Tab')
    await page.getByText(/^Saved \d/).waitFor()
    expect(screens.standIn.submissions.get('s6')?.fields.visit_reason).toBe('Mine')
  })
})

describe('an image', () => {
  it('is dragged to the other eye, and back by one click', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s5')
    const eyes = () => screens.standIn.submissions.get('s5')?.images.map(({ eye }) => eye)
    const before = eyes()
    const [first] = screens.standIn.submissions.get('s5')?.images ?? []
    expect(first?.eye).toBe('right')
    await page.locator(`#image-${first?.id}`).dragTo(page.getByRole('group', { name: /^Left eye – OS: / }))
    await page
      .getByText(/OD_1.jpg is the left eye – OS now/)
      .first()
      .waitFor()
    expect(eyes()?.[0]).toBe('left')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(eyes, PATIENTLY).toEqual(before)
    await page
      .getByRole('group', { name: /^Right eye – OD: / })
      .locator(`#image-${first?.id}`)
      .waitFor()
    await page.locator(`#image-${first?.id}`).dragTo(page.getByRole('group', { name: /^Eye not known: / }))
    await expect.poll(() => eyes()?.[0], PATIENTLY).toBe('unknown')
  })
})

describe('a case that resembles another', () => {
  it('is shown beside it, and is discarded or sent by a person', async (context) => {
    const { page, screens, goTo } = await open(context)
    const earlier = [...screens.standIn.submissions.values()].find(({ state }) => state === 'sent')
    if (!earlier) throw new Error('The stand-in has sent nothing')
    screens.standIn.changeSubmission('s6', {
      oddities: [{ kind: 'sentBefore', message: 'It was sent before.', references: [earlier.reference] }],
    })
    await goTo('#/queue/s6')
    const panel = page.getByRole('region', { name: /Is it the same visit/ })
    const side = panel.getByRole('article', { name: `Earlier case ${earlier.reference}` })
    await side.getByRole('link', { name: 'Open the earlier case' }).waitFor()
    await side.getByRole('img').first().waitFor()
    await panel.getByRole('button', { name: 'Send anyway' }).waitFor()
    await panel.getByRole('button', { name: 'Discard this case' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await dialog.getByRole('button', { name: /Discard/ }).click()
    await expect.poll(() => screens.standIn.submissions.get('s6')?.state, PATIENTLY).toBe('discarded')
  })

  it('says so where the other one cannot be read', async (context) => {
    const { page, screens, goTo } = await open(context)
    screens.standIn.changeSubmission('s6', {
      oddities: [{ kind: 'sentBefore', message: 'It was sent before.', references: ['FC00000000Q'] }],
    })
    screens.standIn.answerWith('submissions.list', async () =>
      succeed({ items: [], total: 0, counts: {} as never }),
    )
    await goTo('#/queue/s6')
    await page.getByText(/The other case could not be read/).waitFor()
  })
})
