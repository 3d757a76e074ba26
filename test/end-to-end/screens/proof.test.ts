/** What persons see and answer of proof, on files as cameras write them: sources, disputes, patients, and an alarm. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Submission } from '../../../src-shared/submission.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { dicomFile, type DicomFileOptions } from '../../camera/write-dicom.ts'
import { axeFindingsInBothThemes, untilStill } from '../axe.ts'
import { openScreens, type Screens } from './open-screens.ts'

const SIZE = { width: 240, height: 200 }
/** Days of the visit are compared with the day on which the files came. */
const TODAY = new Date().toLocaleDateString('sv')
const DICOM_DAY = TODAY.replaceAll('-', '')

type Eye = 'right' | 'left'

/** Each file has a picture of its own, because equal bytes are one image. */
let shots = 0
function photograph(eye: Eye): Promise<Buffer> {
  shots += 1
  return drawFundus({ eye, seed: 400 + shots, ...SIZE })
}

async function dicomOf(
  eye: Eye,
  patientId: string,
  patientName: string,
  more: DicomFileOptions = {},
): Promise<Buffer> {
  const image = { jpeg: await photograph(eye), ...SIZE }
  return dicomFile({
    patientId,
    patientName,
    laterality: eye === 'right' ? 'R' : 'L',
    studyDate: DICOM_DAY,
    sopUid: `2.25.7000${shots}`,
    image,
    ...more,
  })
}

/** The camera writes a file; `minutesAgo` is the time that the file bears. */
function write({ camera }: Screens, name: string, bytes: Uint8Array | string, minutesAgo = 0): void {
  const path = join(camera, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  const at = new Date(Date.now() - minutesAgo * 60_000)
  utimesSync(path, at, at)
}

/** The only case, once all these images are in it and nothing more is waited for. */
async function settledCase({ value }: Screens, images: number): Promise<Submission> {
  const list = async () => (await value('submissions.list')).items
  await expect
    .poll(async () => (await list()).map((one) => `${one.images.length} ${one.state}`))
    .toEqual([expect.stringMatching(new RegExp(`^${images} (review|incomplete)$`))])
  const [only] = await list()
  if (!only) throw new Error('There is no case')
  return only
}

async function openPage({ page, goTo }: Screens, { id }: Submission): Promise<void> {
  await goTo(`#/queue/${id}`)
  await page.getByRole('region', { name: 'How this is known' }).waitFor()
}

const known = (page: Page) => page.getByRole('region', { name: 'How this is known' })

async function expectNoFindings(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await untilStill(page)
  expect(await axeFindingsInBothThemes(page)).toEqual([])
}

describe('a proposal', () => {
  it('is opened from the queue, shows its sources beside the images, and leaves once a person has approved it', async (context) => {
    const screens = await openScreens(context)
    const { page, value } = screens
    write(screens, `501288_${TODAY}_OD.jpg`, await photograph('right'))
    write(screens, `501288_${TODAY}_OS.jpg`, await photograph('left'))
    const one = await settledCase(screens, 2)
    // The list approves only what is proven.
    await page.getByRole('link', { name: 'Check: 501288' }).click()
    await known(page).getByText('Read from names only.').waitFor()
    expect(await known(page).getByText(`501288_${TODAY}_OD.jpg`).count()).toBeGreaterThan(0)
    expect(await known(page).getByText('Proposed', { exact: true }).count()).toBe(3)
    expect(await page.getByText('from file name').count()).toBeGreaterThan(0)
    for (const part of [known(page).getByText('Eyes'), page.locator('article img').first()])
      expect(await part.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(800)
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    await expect.poll(async () => (await value('submissions.get', { id: one.id })).state).toBe('sent')
  })
})

describe('a dispute', () => {
  it('names both sources, and one click by the keyboard chooses', async (context) => {
    const screens = await openScreens(context)
    const { page, value } = screens
    write(screens, '501288_OS.dcm', await dicomOf('right', '501288', 'TESTWOOD^SYNTHIA'))
    write(screens, '501288_2_OS.dcm', await dicomOf('left', '501288', 'TESTWOOD^SYNTHIA'))
    const one = await settledCase(screens, 2)
    await openPage(screens, one)
    await page
      .getByText('the DICOM header says OD, the file name says OS', { exact: false })
      .first()
      .waitFor()
    await known(page).getByText('The file name says left (OS)').waitFor()
    await known(page).getByText('The DICOM header says right (OD)').waitFor()
    await expectNoFindings(page)
    await known(page).getByRole('button', { name: '501288_OS.dcm: it is the right eye – OD' }).focus()
    await page.keyboard.press('Enter')
    await known(page).getByText('Disputed').waitFor({ state: 'detached' })
    // The button is gone, and the keyboard goes on from the heading.
    await page.waitForFunction(() => document.activeElement?.textContent === 'How this is known')
    const { images, verdict } = await value('submissions.get', { id: one.id })
    expect(images.map(({ eye }) => eye).toSorted()).toEqual(['left', 'right'])
    expect(Object.values(verdict.eyes).map(({ kind }) => kind)).toEqual(['proven', 'proven'])
  })
})

describe('a contradiction after sending', () => {
  it('changes nothing that was sent, and an alarm names the case and whom to call', async (context) => {
    const screens = await openScreens(context)
    const { page, value, service } = screens
    write(screens, `501288_${TODAY}_OD.jpg`, await photograph('right'))
    const one = await settledCase(screens, 1)
    await openPage(screens, one)
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await expect.poll(async () => (await value('submissions.get', { id: one.id })).state).toBe('sent')
    write(screens, `501288_${TODAY}_OD.json`, JSON.stringify({ history_number: '700001' }))
    const message = `${one.reference} may be of another patient. Call the reading service.`
    await page.getByTestId('banner').getByText(message).waitFor()
    await page.getByTestId('banner').getByRole('button', { name: 'Look' }).click()
    const alarms = page.getByRole('dialog', { name: 'Alarms' })
    await alarms.getByText(message).waitFor()
    await expectNoFindings(page)
    expect((await value('submissions.get', { id: one.id })).fields.history_number).toBe('501288')
    expect(service.cases()).toHaveLength(1)
    await alarms.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await alarms.getByRole('button', { name: /^I have seen this/ }).click()
    await alarms.waitFor({ state: 'detached' })
    expect((await value('station.status')).alarms).toEqual([])
  })
})

describe('a second number', () => {
  it('is asked about beside the first, and a no proves the first', async (context) => {
    const screens = await openScreens(context)
    const { page, value } = screens
    write(screens, '501288_88123_OD.dcm', await dicomOf('right', '501288', 'TESTWOOD^SYNTHIA'))
    write(screens, '501288_88123_OS.dcm', await dicomOf('left', '501288', 'TESTWOOD^SYNTHIA'))
    const one = await settledCase(screens, 2)
    await openPage(screens, one)
    const question = page.getByRole('group', { name: /^Is 88123 a patient number here\?/ })
    await page.getByRole('button', { name: /^Is 88123 a patient number here\?.*Go there/ }).waitFor()
    await expectNoFindings(page)
    await question.getByRole('button', { name: 'No, it is something else' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await value('submissions.get', { id: one.id })).verdict.who.kind).toBe('proven')
  })
})

describe('images of the same series as a case with an entered number', () => {
  it('are added to it by one click, and by nothing else', async (context) => {
    const screens = await openScreens(context)
    const { page, value } = screens
    write(screens, 'inbox/OD_1.jpg', await photograph('right'), 5)
    const one = await settledCase(screens, 1)
    await value('submissions.update', {
      id: one.id,
      fields: { history_number: '700001' },
      mayLeave: false,
    })
    write(screens, 'inbox/OS_1.jpg', await photograph('left'), 4)
    await expect.poll(async () => (await value('submissions.list')).total).toBe(2)
    const other = (await value('submissions.list')).items.find(({ id }) => id !== one.id)
    if (!other) throw new Error('There is one case only')
    await openPage(screens, other)
    const offer = page.getByRole('region', { name: 'Taken in one series with another case' })
    await offer.waitFor()
    await expectNoFindings(page)
    await offer.getByRole('button', { name: 'Add to 700001' }).click()
    await page.getByRole('heading', { name: /700001/ }).waitFor()
    expect((await value('submissions.get', { id: one.id })).images).toHaveLength(2)
  })
})

describe('how many patients', () => {
  it('is asked before any field, an image is moved, and the groups become cases', async (context) => {
    const screens = await openScreens(context)
    const { page, value } = screens
    write(screens, 'Testwood/OD_1.jpg', await photograph('right'), 9)
    write(screens, 'Testwood/OS_1.jpg', await photograph('left'), 8)
    write(screens, 'Testwood/OD_2.jpg', await photograph('right'), 7)
    write(screens, 'Testwood/OS_2.jpg', await photograph('left'), 6)
    const one = await settledCase(screens, 4)
    await openPage(screens, one)
    const question = page.getByRole('region', { name: 'How many patients?' })
    await question.getByRole('article', { name: 'Group 2: 2 images' }).waitFor()
    expect(await page.getByText(/history number is missing/).count()).toBe(0)
    await expectNoFindings(page)
    const move = question.getByRole('combobox', { name: 'Group of OS_2.jpg' })
    await move.selectOption('Group 1')
    await question.getByRole('article', { name: 'Group 1: 3 images' }).waitFor()
    await move.selectOption('Group 2')
    await question.getByRole('button', { name: 'Separate them' }).click()
    await page.getByText('These images are 2 cases now.').waitFor()
    await question.waitFor({ state: 'detached' })
    const { items } = await value('submissions.list')
    const filesOf = ({ images }: Submission): string =>
      images
        .map(({ fileName }) => fileName)
        .toSorted()
        .join(' ')
    expect(items.map(filesOf).toSorted()).toEqual([
      'Testwood/OD_1.jpg Testwood/OS_1.jpg',
      'Testwood/OD_2.jpg Testwood/OS_2.jpg',
    ])
  })
})

describe('images of two patients', () => {
  const writeTwo = async (screens: Screens): Promise<Submission> => {
    for (const [index, [name, birthDate]] of [
      ['TESTWOOD^SYNTHIA', '19570311'],
      ['DEMOSON^FICTOR', '19820102'],
    ].entries())
      for (const eye of ['right', 'left'] as const)
        write(
          screens,
          `501288/IMG_${index}_${eye === 'right' ? 'OD' : 'OS'}.dcm`,
          await dicomOf(eye, '501288', name ?? '', { birthDate: birthDate ?? '' }),
        )
    return settledCase(screens, 4)
  }

  it('are shown side by side, and become two cases with their own names', async (context) => {
    const screens = await openScreens(context)
    const { page, value } = screens
    await openPage(screens, await writeTwo(screens))
    const question = page.getByRole('region', { name: 'These images may be of two patients' })
    const [first, second] = [/^Group 1: 2 images/, /^Group 2: 2 images/].map((name) =>
      question.getByRole('article', { name }),
    )
    await first?.getByText(/The DICOM header says TESTWOOD SYNTHIA/).waitFor()
    await second?.getByText(/The DICOM header says DEMOSON FICTOR/).waitFor()
    await expectNoFindings(page)
    await question.getByRole('button', { name: 'Enlarge IMG_0_OD.dcm' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Separate them' }).click()
    await page.getByRole('button', { name: 'Open the other' }).click()
    await page.getByRole('heading', { name: /DEMOSON, FICTOR/ }).waitFor()
    const { items } = await value('submissions.list')
    expect(items.map(({ fields, images }) => `${fields.last_name} ${images.length}`).toSorted()).toEqual([
      'DEMOSON 2',
      'TESTWOOD 2',
    ])
  })

  it('are of one once a person has signed it', async (context) => {
    const screens = await openScreens(context)
    const { page, value } = screens
    const one = await writeTwo(screens)
    await openPage(screens, one)
    await page.getByRole('button', { name: 'Same patient…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Are all these images of one patient?' })
    await expectNoFindings(page)
    await dialog.getByRole('button', { name: 'All are of one patient' }).click()
    await dialog.getByText('Write your initials.').waitFor()
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await page.keyboard.press('Enter')
    await page
      .getByRole('region', { name: 'These images may be of two patients' })
      .waitFor({ state: 'detached' })
    expect((await value('submissions.get', { id: one.id })).images).toHaveLength(4)
    const trail = await value('audit.list', { submissionId: one.id })
    expect(trail.items.find(({ what }) => what === 'samePatient')?.by).toBe('QX')
  })
})
