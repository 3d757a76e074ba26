/** How many patients the images of a folder are of: persons are asked, and each answer keeps every image. */
import { describe, expect, it } from 'vitest'
import type { Submission } from '../../../src-shared/submission.ts'
import { shareScreens } from './open-screens.ts'
import { takePicture } from './pictures.ts'
import {
  dicomOf,
  expectNoFindings,
  openPage,
  photograph,
  watchCamera,
  type WatchedCamera,
} from './watched-camera.ts'

const screensOf = shareScreens()

describe('images of the same series as a case with an entered number', () => {
  it('are added to it by one click, and by nothing else', async (context) => {
    const screens = screensOf(context)
    const { page, value } = screens
    const { write, cases, settledCase } = await watchCamera(screens)
    write('inbox/OD_1.jpg', await photograph('right'), 5)
    const one = await settledCase(1)
    await value('submissions.update', {
      id: one.id,
      fields: { history_number: '700001' },
      mayLeave: false,
    })
    write('inbox/OS_1.jpg', await photograph('left'), 4)
    await expect.poll(async () => (await cases()).length).toBe(2)
    const other = (await cases()).find(({ id }) => id !== one.id)
    if (!other) throw new Error('There is one case only')
    await openPage(screens, other)
    const offer = page.getByRole('region', { name: 'Same series as another case' })
    await offer.waitFor()
    await expectNoFindings(page)
    await offer.getByRole('button', { name: 'Add to 700001' }).click()
    await page.getByRole('heading', { name: /700001/ }).waitFor()
    expect((await value('submissions.get', { id: one.id })).images).toHaveLength(2)
  })
})

describe('how many patients', () => {
  it('is asked before any field, an image is moved, and the groups become cases', async (context) => {
    const screens = screensOf(context)
    const { page } = screens
    const { write, cases, settledCase } = await watchCamera(screens)
    write('Testwood/OD_1.jpg', await photograph('right'), 9)
    write('Testwood/OS_1.jpg', await photograph('left'), 8)
    write('Testwood/OD_2.jpg', await photograph('right'), 7)
    write('Testwood/OS_2.jpg', await photograph('left'), 6)
    await openPage(screens, await settledCase(4))
    const question = page.getByRole('region', { name: 'How many patients?' })
    await question.getByRole('article', { name: 'Group 2 · 2 images' }).waitFor()
    expect(await page.getByText(/history number is missing/).count()).toBe(0)
    await expectNoFindings(page)
    const move = question.getByRole('combobox', { name: 'Group of Testwood/OS_2.jpg' })
    await move.selectOption('Group 1')
    await question.getByRole('article', { name: 'Group 1 · 3 images' }).waitFor()
    await move.selectOption('Group 2')
    await question.getByRole('button', { name: 'Separate patients' }).click()
    await page.getByText('Now 2 cases.').first().waitFor()
    await question.waitFor({ state: 'detached' })
    const filesOf = ({ images }: Submission): string =>
      images
        .map(({ fileName }) => fileName)
        .toSorted()
        .join(' ')
    expect((await cases()).map(filesOf).toSorted()).toEqual([
      'Testwood/OD_1.jpg Testwood/OS_1.jpg',
      'Testwood/OD_2.jpg Testwood/OS_2.jpg',
    ])
  })
})

describe('images of two patients', () => {
  const writeTwo = async (
    { write, settledCase }: WatchedCamera,
    number: string,
    names: readonly [first: string, second: string],
  ): Promise<Submission> => {
    for (const [index, birthDate] of ['19570311', '19820102'].entries())
      for (const [eye, file] of [
        ['right', 'OD'],
        ['left', 'OS'],
      ] as const)
        write(
          `${number}/IMG_${index}_${file}.dcm`,
          await dicomOf(eye, number, names[index] ?? '', { birthDate }),
        )
    return settledCase(4)
  }

  it('are shown side by side, and become two cases with their own names', async (context) => {
    const screens = screensOf(context)
    const { page } = screens
    const camera = await watchCamera(screens)
    await openPage(screens, await writeTwo(camera, '501288', ['TESTWOOD^SYNTHIA', 'DEMOSON^FICTOR']))
    const question = page.getByRole('region', { name: 'Two patients?' })
    const [first, second] = [/^Group 1 · 2 images/, /^Group 2 · 2 images/].map((name) =>
      question.getByRole('article', { name }),
    )
    await first?.getByText(/The DICOM header says TESTWOOD SYNTHIA/).waitFor()
    await second?.getByText(/The DICOM header says DEMOSON FICTOR/).waitFor()
    await expectNoFindings(page)
    await question.getByRole('button', { name: 'Enlarge IMG_0_OD.dcm' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Separate patients' }).click()
    await page.getByRole('button', { name: 'Open other case' }).click()
    await page.getByRole('heading', { name: /DEMOSON, FICTOR/ }).waitFor()
    expect(
      (await camera.cases()).map(({ fields, images }) => `${fields.last_name} ${images.length}`).toSorted(),
    ).toEqual(['DEMOSON 2', 'TESTWOOD 2'])
  })

  it('keep no number together: a person says whose it is, and the other case asks for its own', async (context) => {
    const screens = screensOf(context)
    const { page } = screens
    const camera = await watchCamera(screens)
    await openPage(screens, await writeTwo(camera, '733100', ['SAMPLEMAN^SYNTHIA', 'MOCKSON^FICTOR']))
    const two = page.getByRole('region', { name: 'Two patients?' })
    await two.getByRole('button', { name: 'Separate patients' }).click()
    const question = page.getByRole('region', { name: 'Who is 733100?' })
    await question.getByRole('button', { name: '733100 is MOCKSON, FICTOR' }).waitFor()
    expect((await camera.cases()).map(({ state }) => state)).toEqual(['incomplete', 'incomplete'])
    await expectNoFindings(page)
    await takePicture(page, 'whose-number')
    await question.getByRole('button', { name: 'Don’t know' }).click()
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    await takePicture(page, 'whose-number-queue')
    const mine = (await camera.cases()).find(({ fields }) => fields.last_name === 'SAMPLEMAN')
    if (!mine) throw new Error('There is no such case')
    await openPage(screens, mine)
    await question.getByRole('button', { name: '733100 is SAMPLEMAN, SYNTHIA' }).click()
    await question.waitFor({ state: 'detached' })
    const numbers = async () =>
      (await camera.cases()).map(({ fields }) => `${fields.last_name} ${fields.history_number}`).toSorted()
    expect(await numbers()).toEqual(['MOCKSON undefined', 'SAMPLEMAN 733100'])
  })

  it('are of one once a person has signed it', async (context) => {
    const screens = screensOf(context)
    const { page, value } = screens
    const camera = await watchCamera(screens)
    const one = await writeTwo(camera, '501377', ['SAMPLETON^TESTINA', 'NOBODYMAN^MOCKBERT'])
    await openPage(screens, one)
    await page.getByRole('button', { name: 'One patient…' }).click()
    const dialog = page.getByRole('dialog', { name: 'One patient?' })
    await expectNoFindings(page)
    await dialog.getByRole('button', { name: 'Confirm one patient' }).click()
    await dialog.getByText('Enter your initials.').waitFor()
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Two patients?' }).waitFor({ state: 'detached' })
    expect((await value('submissions.get', { id: one.id })).images).toHaveLength(4)
    const trail = await value('audit.list', { submissionId: one.id })
    expect(trail.items.find(({ what }) => what === 'samePatient')?.by).toBe('QX')
  })
})
