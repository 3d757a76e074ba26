import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { succeed } from '../../../src-shared/failure.ts'
import type { ReportVersion } from '../../../src-shared/report.ts'
import { setStage } from './stage.ts'

const open = setStage()

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

async function endPrinting(page: Page): Promise<void> {
  await page.emulateMedia({ media: null })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.locator('[data-print-sheet]').waitFor({ state: 'detached' })
}

describe('the inbox', () => {
  it('has the urgent among the unread first, and keeps the place of what is read', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/reports')
    const inbox = page.getByRole('navigation', { name: 'Reports that have come' })
    const lines = inbox.getByRole('link')
    await expect.poll(() => lines.count()).toBe(6)
    expect(await lines.nth(0).innerText()).toMatch(/H-00351\s+Preferential/)
    await lines.nth(0).click()
    await page.getByText('Cup disc ratio').first().waitFor()
    await page.getByText('Unread (1)').waitFor()
    expect(await lines.nth(0).innerText()).toContain('H-00351')
    await expect.poll(() => lines.nth(0).innerText()).not.toContain('new')
    await page.getByText('Unread (1)').click()
    await expect.poll(() => lines.count()).toBe(1)
    expect(await lines.nth(0).innerText()).toContain('H-00350')
  })

  it('finds the report of a patient by name in one step, and by the arrows', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/reports')
    await page.getByRole('searchbox').fill('fiktief')
    const inbox = page.getByRole('navigation', { name: 'Reports that have come' })
    await expect.poll(() => inbox.getByRole('link').count()).toBe(1)
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No report that has come matches this search.').waitFor()
    await page.getByRole('searchbox').press('Escape')
    await expect.poll(() => inbox.getByRole('link').count()).toBe(6)
    await inbox.getByRole('link').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'Case 88395' }).waitFor()
  })

  it('tells which cases wait for a report, since when, and when it is asked for', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/reports')
    await page.getByText('Awaited (1)').click()
    const line = page.getByRole('navigation', { name: 'Cases without a report' }).getByRole('link')
    expect(await line.innerText()).toMatch(/H-00356\s+sent \d+ h ago.*asked next/s)
    await line.click()
    await page.getByText('This is normal.').waitFor()
    await page.getByText('Asked next', { exact: true }).waitFor()
    await page.getByText('pending').waitFor()
  })
})

describe('a report', () => {
  it('of text, of data and of an image are read', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/reports/88401')
    await page.getByText('Recommendation: control in 12 months.').waitFor()
    await goTo('#/reports/88391')
    await page.getByText('Cup disc ratio').first().waitFor()
    await goTo('#/reports/88402')
    const picture = page.getByRole('img', { name: 'Reports' })
    await picture.waitFor()
    expect(await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(
      420,
    )
    await page.getByRole('complementary', { name: 'Images of this case' }).waitFor()
  })

  it('that is an address is opened only after a question', async (context) => {
    const { page, goTo } = await open(context)
    await page.evaluate(() => {
      window.open = (address) => {
        document.body.dataset['opened'] = String(address)
        return null
      }
    })
    await goTo('#/reports/88403')
    await page.getByRole('button', { name: 'Open in the browser' }).click()
    const question = page.getByRole('dialog', { name: 'Open service.example?' })
    await question.getByText(/Go on only if you trust it/).waitFor()
    expect(await page.locator('body').getAttribute('data-opened')).toBeNull()
    await question.getByRole('button', { name: 'Open the address' }).click()
    await page.locator('body[data-opened="https://service.example/reports/88403?page=1"]').waitFor()
  })

  it('is read in each of its versions, and says which is the newest', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/reports/88390')
    await page.getByText('This is the newest version.').waitFor()
    await page.getByRole('combobox', { name: 'Version' }).selectOption({ index: 1 })
    await page.getByText(/^This is an older version\. Version 2 came/).waitFor()
    await page.getByRole('button', { name: 'Show the newest' }).click()
    await page.getByText('This is the newest version.').waitFor()
  })

  it('of a case id that two centers gave stands under the name of its own patient', async (context) => {
    const { page, screens, goTo } = await open(context)
    const version = {
      kind: 'text',
      contentType: 'text/plain',
      sizeBytes: 5,
      sha256: '1',
      fetchedAt: 1,
    } as const
    const line = (submissionId: string) =>
      ({
        caseId: '9',
        submissionId,
        reference: 'FC7K3M9QXAW',
        historyNumber: `H-${submissionId}`,
        patientName: null,
        visitDate: null,
        urgency: 'routine',
        kind: 'text',
        versionCount: 1,
        fetchedAt: 1,
        readAt: 1,
      }) as const
    screens.standIn.answerWith('reports.list', async () =>
      succeed({ items: [line('s1'), line('s2')], awaiting: 0 }),
    )
    screens.standIn.answerWith('reports.get', async ({ caseId, submissionId = 's2' }) =>
      succeed({
        caseId,
        submissionId,
        versions: [{ ...version, id: submissionId, text: `of ${submissionId}` }],
      }),
    )
    const report = page.getByRole('article', { name: 'Case 9' })
    await goTo('#/reports/9')
    await report.getByText('of s2').waitFor()
    await report.getByRole('heading', { name: 'H-s2' }).waitFor()
    await page.getByRole('link', { name: /H-s1/ }).click()
    await report.getByText('of s1').waitFor()
    await report.getByRole('heading', { name: 'H-s1' }).waitFor()
    expect(await report.getByText('H-s2').count()).toBe(0)
  })

  it('is not taken away by a version that comes while it is read', async (context) => {
    const { page, screens, goTo } = await open(context)
    const { standIn } = screens
    const first: ReportVersion = {
      id: 'v1',
      kind: 'text',
      contentType: 'text/plain',
      sizeBytes: 5,
      sha256: '1',
      fetchedAt: Date.now() - 60_000,
      text: 'The first words',
    }
    const versions = [first]
    standIn.answerWith('reports.get', async ({ caseId }) =>
      succeed({ caseId, submissionId: 's33', versions: [...versions] }),
    )
    await goTo('#/reports/88401')
    await page.getByText('The first words').waitFor()
    versions.unshift({ ...first, id: 'v2', sha256: '2', fetchedAt: Date.now(), text: 'Other words' })
    standIn.tell('reportArrived', { caseId: '88401', submissionId: 's33' })
    await page.getByText(/^A newer version has come meanwhile: version 2/).waitFor()
    await page.getByText('The first words').waitFor()
    await page.getByRole('button', { name: 'Show the newest' }).click()
    await page.getByText('Other words').waitFor()
  })
})

describe('on paper', () => {
  it('is the report alone, with whose it is', async (context) => {
    const { page, goTo } = await open(context, 'dark')
    await goTo('#/reports/88401')
    await page.getByText('Recommendation: control in 12 months.').waitFor()
    await print(page)
    const sheet = page.locator('[data-print-sheet]')
    await sheet.getByText(/^H-00353 \u00b7 .* \u00b7 Case 88401 \u00b7 version 1/).waitFor()
    expect(await sheet.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(0, 0, 0)')
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('main').count()).toBe(0)
    await endPrinting(page)
    await page.getByRole('main').waitFor()
  })

  it('a PDF has its own pages, each on one sheet', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/reports/88390')
    await page.getByRole('group', { name: 'Page 1 of 1' }).waitFor()
    await print(page)
    const picture = page.locator('[data-print-sheet] img')
    expect(await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(
      1_654,
    )
    const paper = (await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1')
    expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await endPrinting(page)
  })

  it('a page from the service runs no script and reaches nobody', async (context) => {
    const { page, strangers, goTo } = await open(context)
    await goTo('#/reports/88395')
    await page.frameLocator('iframe[title="Report page"]').getByText('Retinal report').waitFor()
    await page.getByRole('button', { name: 'Print' }).click()
    const frame = page.locator('body > iframe')
    await frame.waitFor({ state: 'attached' })
    expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin allow-modals')
    await frame.contentFrame().getByText('Retinal report').first().waitFor({ state: 'attached' })
    const words = await frame.contentFrame().locator('body').innerText()
    expect(words).toContain('Retinal report')
    expect(words).not.toContain('SCRIPT RAN')
    expect(strangers).toEqual([])
  })

  it('is nothing that cannot be drawn, and that is told', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/reports/88402')
    await page.getByRole('img', { name: 'Reports' }).waitFor()
    await page.route('**/bytes/report/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Print' }).click()
    await page.getByText('The report was not printed').first().waitFor()
    expect(screens.standIn.asked.length).toBeGreaterThan(0)
  })
})
