/** The editor of a case in the middle of the work, and a case that is made by hand. */
import { fail, failureOf } from '../../../src-shared/failure.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { dropFiles } from '../screens/drop-files.ts'
import type { Scene } from './scene.ts'

export const EDITOR_SCENES: readonly Scene[] = [
  {
    name: 'editor-measurements',
    hash: '#/queue/s4',
    prepare: async (page) => {
      const fill = async (name: string, text: string): Promise<void> => {
        await page.locator(`#field-${name}`).fill(text)
        await page.keyboard.press('Tab')
      }
      await fill('od_iop', '26')
      await fill('od_va', '20/25')
      await fill('od_sphere', '1,25')
      await fill('od_cylinder', '-0.5')
      await fill('od_axis', '45')
      await fill('os_iop', '14')
      await fill('os_va', 'CF')
      await fill('os_sphere', '-1.3')
      await fill('os_cylinder', '-0.75')
      await fill('od_prism', '2')
      await page.locator('#field-od_prism_base').selectOption('in')
      await page.locator('#field-os_va').scrollIntoViewIfNeeded()
      await page.locator('#field-od_iop').evaluate((input) => input.scrollIntoView({ block: 'center' }))
    },
  },
  {
    name: 'editor-conflict',
    hash: '#/queue/s6',
    isAlone: true,
    prepare: async (page, standIn) => {
      standIn.answerWith('submissions.update', async () => fail(failureOf('internal')))
      await page.locator('#field-visit_reason').fill('Mine')
      const { fields = {} } = standIn.submissions.get('s6') ?? {}
      standIn.changeSubmission('s6', { fields: { ...fields, visit_reason: 'Theirs' } })
      await page.locator('[role="alert"] button').first().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'editor-twin',
    hash: '#/queue/s6',
    isAlone: true,
    prepare: async (page, standIn) => {
      const earlier = [...standIn.submissions.values()].find(({ state }) => state === 'sent')
      standIn.changeSubmission('s6', {
        oddities: [
          {
            kind: 'sentBefore',
            message: `A case of this patient and day was sent before (${earlier?.reference ?? ''}). Check that this is not the same visit.`,
            references: earlier ? [earlier.reference] : [],
          },
        ],
      })
      await page.locator('section[aria-labelledby="earlier"] a').waitFor()
    },
  },
  {
    name: 'editor-join-choice',
    hash: '#/queue/s6',
    prepare: async (page) => {
      await page.locator('main [aria-haspopup="menu"]').first().click()
      await page.locator('[role="menuitem"]').first().click()
      await page.locator('[data-case]').first().click()
    },
  },
  {
    name: 'editor-join',
    hash: '#/queue/s6',
    prepare: async (page) => {
      await page.locator('main [aria-haspopup="menu"]').first().click()
      await page.locator('[role="menuitem"]').first().click()
      await page.locator('[data-case]').first().click()
      await page.locator('[role="dialog"] button').last().click()
      await page.locator('[role="dialog"] ol').waitFor()
    },
  },
  { name: 'new-case-empty', hash: '#/new' },
  {
    name: 'new-case',
    hash: '#/new',
    isAlone: true,
    prepare: async (page) => {
      const photograph = async (name: string, eye: 'right' | 'left') => ({
        name,
        mimeType: 'image/jpeg',
        buffer: await drawFundus({ eye, seed: 6, shot: 1, width: 600, height: 500 }),
      })
      await page.locator('main h1').waitFor()
      await dropFiles(page, [
        await photograph('OD_1.jpg', 'right'),
        await photograph('Fondo de ojo, segunda toma de la tarde.jpg', 'left'),
        { name: 'macula.tif', mimeType: 'image/tiff', buffer: Buffer.from('no picture for a browser') },
        await photograph('broken.jpg', 'left'),
        { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
      ])
      await page.locator('article').nth(3).locator('button', { hasText: /./ }).first().waitFor()
      await page.locator('article').nth(0).locator('[data-eye="right"]').click()
      await page.locator('article').nth(1).locator('[data-eye="left"]').click()
      await page.locator('#field-history_number').fill('H-90001')
    },
  },
]
