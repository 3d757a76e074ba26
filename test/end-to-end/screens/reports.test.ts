import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { succeed } from '../../../src-shared/failure.ts'
import { countedActs, openReports } from './open-screens.ts'
import { takePicture } from './pictures.ts'

/** The dialog of the system cannot be seen by a test; what would go onto paper can. */
async function print(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.print = () => {
      document.body.dataset['printed'] = 'yes'
    }
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('body[data-printed="yes"]').waitFor()
  await page.emulateMedia({ media: 'print' })
}

describe('a report', () => {
  it('of a patient is found in three acts, loses its mark when it was read, and is reached from the cases at the service', async (context) => {
    const { page, goTo, caseIds } = await openReports(context, 'text')
    const acts = countedActs()
    await acts.click(page.getByRole('link', { name: /^Reports/ }))
    await acts.type(page.getByRole('searchbox', { name: 'Search patient, number or case' }), 'sampleton')
    const inbox = page.getByRole('navigation', { name: 'Reports that have come' })
    await expect.poll(() => inbox.getByRole('link').count()).toBe(1)
    await acts.click(inbox.getByRole('link', { name: /H-00351/ }))
    await page.getByRole('heading', { name: /Sampleton/ }).waitFor()
    acts.expectAtMost(3)
    await page.getByRole('link', { name: /Reports.*2 unread/ }).waitFor()
    await page.getByRole('region', { name: 'Images of this case' }).waitFor()
    await goTo(`#/reports/${caseIds[2]}`)
    await page.getByRole('heading', { name: /Trialgado/ }).waitFor()
    expect(await page.getByRole('article').getByText('H-00351').count()).toBe(0)

    await goTo('#/cases')
    const rows = page.getByRole('table', { name: 'Cases at the service' }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('searchbox').fill('h-00351')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('link', { name: `Details of case ${caseIds[1]}` }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Details of case ${caseIds[1]}` })
    await dialog.getByRole('button', { name: 'Copy all fields' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain(`Details of case ${caseIds[1]}`)
    await page.getByRole('link', { name: /^Open case FC.* on this station/ }).click()
    await page.getByRole('heading', { name: /H-00351/ }).waitFor()
    await goTo('#/cases')
    await page.getByRole('link', { name: `Report of case ${caseIds[1]}` }).click()
    await page.getByRole('article', { name: `Case ${caseIds[1]}` }).waitFor()
  })

  it('is a result in its row and on its page, and all are read by keys', async (context) => {
    const { page, goTo, answerWith } = await openReports(context, 'text')
    const json = {
      id: 62_947_039,
      urgency: 'Refer within 3 months',
      od_diagnosis: 'No diabetic retinopathy',
      os_diagnosis: 'Moderate NPDR',
      os_diabetic_macular_edema: true,
      grader: { name: 'Demo Grader', comment: 'Synthetic' },
    }
    answerWith('reports.get', ({ caseId, submissionId = '' }) => {
      const version = {
        id: 'v',
        kind: 'json',
        contentType: '',
        sizeBytes: 1,
        sha256: '',
        fetchedAt: 1,
      } as const
      return Promise.resolve(succeed({ caseId, submissionId, versions: [{ ...version, json }] }))
    })
    await goTo('#/reports')
    const inbox = page.getByRole('navigation', { name: 'Reports that have come' })
    await inbox.getByText('3 months').first().waitFor()
    await page.keyboard.press('n')
    const report = page.getByRole('article')
    await report.getByText('Refer within 3 months').waitFor()
    for (const text of ['No diabetic retinopathy', 'Moderate NPDR', 'Diabetic macular edema', 'Demo Grader'])
      await report.getByText(text).waitFor()
    await report.getByText(/Id 62947039/).waitFor()
    await takePicture(page, 'report')
    await page.getByRole('link', { name: /Reports.*2 unread/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('link', { name: /Reports.*1 unread/ }).waitFor()
    await page.keyboard.press('u')
    await page.getByRole('link', { name: /Reports.*2 unread/ }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('link', { name: /Reports.*1 unread/ }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-current'))).toBe('true')
    expect(await report.getByRole('button', { name: /^Enlarge/ }).count()).toBeGreaterThan(0)
  })

  it('of PDF is drawn, read out by its text, and printed with a sheet for each page', async (context) => {
    const { page, strangers, goTo, caseIds } = await openReports(context, 'pdf')
    await goTo(`#/reports/${caseIds[0]}`)
    await page.getByRole('group', { name: 'Page 1 of 1' }).waitFor()
    await expect
      .poll(() =>
        page
          .locator('canvas')
          .first()
          .evaluate((canvas) => {
            if (!(canvas instanceof HTMLCanvasElement)) return 0
            const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
            return pixels.filter((value, index) => index % 4 === 0 && value < 128).length
          }),
      )
      .toBeGreaterThan(1_000)
    await page
      .getByText(/retinopathy|Report/)
      .first()
      .waitFor({ state: 'attached' })
    await print(page)
    await page.locator('[data-print-sheet] img').first().waitFor({ state: 'attached' })
    const paper = (await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1')
    expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    expect(strangers).toEqual([])
  })

  it('that is a page can neither run scripts nor reach a network, also on paper', async (context) => {
    const { page, strangers, goTo, caseIds } = await openReports(context, 'html')
    await goTo(`#/reports/${caseIds[0]}`)
    const shown = page.locator('iframe[title="Report page"]')
    await shown
      .contentFrame()
      .locator('body')
      .getByText(/report/i)
      .first()
      .waitFor()
    expect(await shown.getAttribute('sandbox')).toBe('')
    await page.getByRole('button', { name: 'Print' }).click()
    const frame = page.locator('body > iframe')
    await frame.waitFor({ state: 'attached' })
    expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin allow-modals')
    expect(await frame.contentFrame().locator('script').count()).toBe(0)
    expect(strangers).toEqual([])
  })

  it('that is an address is shown, and opened only after a question', async (context) => {
    const { page, strangers, goTo, caseIds } = await openReports(context, 'foreignLink')
    await page.evaluate(() => {
      window.open = (address) => {
        document.body.dataset['opened'] = String(address)
        return null
      }
    })
    await goTo(`#/reports/${caseIds[0]}`)
    await page.getByRole('button', { name: 'Open in the browser' }).click()
    const question = page.getByRole('dialog', { name: /^Open / })
    await question.getByText(/Open it only if you trust it/).waitFor()
    expect(await page.locator('body').getAttribute('data-opened')).toBeNull()
    await question.getByRole('button', { name: 'Open the address' }).click()
    await page.locator('body[data-opened]').waitFor()
    expect(strangers).toEqual([])
  })
})
