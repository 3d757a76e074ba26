/** What is sent is what is on the screen, and what an edit takes away is said before. */
import { describe, expect, it } from 'vitest'
import { jsonAnswer } from '../../practice-service/answers.ts'
import { shareScreens, type Screens } from './open-screens.ts'
import { expectNoFindings, openPage, photograph, TODAY, watchCamera } from './watched-camera.ts'
import { takePicture } from './pictures.ts'

const screensOf = shareScreens()

/** A case that a data file describes, and that the service refused once. */
async function refusedCase(screens: Screens, number: string): Promise<string> {
  const { page, service, value } = screens
  const camera = await watchCamera(screens)
  const stated = { last_name: 'Probe', first_name: 'Testina', age: 44, gender: 1, od_iop: 14, os_iop: 15 }
  const eyes = { 'OD_1.jpg': 'OD', 'OS_1.jpg': 'OS' }
  const record = { history_number: number, visit_date: TODAY, ...stated, images: eyes }
  camera.write(`${number}/case.json`, JSON.stringify(record))
  camera.write(`${number}/OD_1.jpg`, await photograph('right'), 2)
  camera.write(`${number}/OS_1.jpg`, await photograph('left'), 1)
  const made = await camera.settledCase(2)
  service.faults.add('POST /cases', {
    name: 'refused',
    moment: 'read',
    act: { kind: 'answer', answer: jsonAnswer(422, { success: false, message: 'Unknown history number.' }) },
  })
  await value('submissions.approve', { ids: [made.id] })
  await expect.poll(async () => (await value('submissions.get', { id: made.id })).state).toBe('refused')
  await openPage(screens, made)
  await page.getByRole('textbox', { name: 'History number' }).fill(`${number}9`)
  return made.id
}

const received = ({ service }: Screens, number: string): Readonly<Record<string, string>> | undefined =>
  service.cases().find(({ fields }) => fields['history_number'] === number)?.fields

/** A record whose number was wrong proves no eye any more: that is shown, and the case is approved before it goes. */
async function sendOnceApproved({ page, value }: Screens, id: string): Promise<void> {
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('more has changed than you typed').first().waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(async () => (await value('submissions.get', { id })).state).toBe('review')
  await value('submissions.approve', { ids: [id] })
}

describe('a refused case whose number is changed', () => {
  it('is not sent before a person has said what becomes of the rest, which is kept', async (context) => {
    const screens = screensOf(context)
    const { page, value } = screens
    const id = await refusedCase(screens, 'RX-100')
    const note = page.getByRole('group', { name: /came with RX-100/ })
    await note.getByText(/Last name, First name|First name, Last name/).waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('group', { name: 'Not saved: keep or clear the rest' }).waitFor()
    expect((await value('submissions.get', { id })).state).toBe('refused')
    await expectNoFindings(page)
    await takePicture(page, 'number-changed')
    await note.getByRole('button', { name: 'Keep' }).click()
    await sendOnceApproved(screens, id)
    await expect
      .poll(() => received(screens, 'RX-1009'))
      .toMatchObject({
        last_name: 'Probe',
        first_name: 'Testina',
        age: '44',
        gender: '1',
        od_iop: '14',
        os_iop: '15',
      })
  })

  it('goes without the rest if a person clears it', async (context) => {
    const screens = screensOf(context)
    const { page } = screens
    const id = await refusedCase(screens, 'RX-200')
    await page
      .getByRole('group', { name: /came with RX-200/ })
      .getByRole('button', { name: 'Clear' })
      .click()
    await sendOnceApproved(screens, id)
    await expect.poll(() => received(screens, 'RX-2009')).toBeDefined()
    expect(Object.keys(received(screens, 'RX-2009') ?? {})).not.toEqual(expect.arrayContaining(['last_name']))
  })
})
