import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()

describe('a report', () => {
  it('of PDF is drawn, and read out by its text', async (context) => {
    const { page, strangers, goTo } = await open(context)
    await goTo('#/reports/88390')
    await page.getByRole('group', { name: 'Page 1 of 1' }).waitFor()
    await page.getByText('mild non-proliferative diabetic retinopathy').waitFor({ state: 'attached' })
    const inked = await page.locator('canvas').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      }
      return data.filter((value, index) => index % 4 === 0 && value < 128).length
    })
    expect(inked).toBeGreaterThan(1_000)
    expect(strangers).toEqual([])
  })

  it('that is a page can neither run scripts nor reach a network', async (context) => {
    const { page, strangers, goTo } = await open(context)
    await goTo('#/reports/88395')
    const frame = page.frameLocator('iframe[title="Report page"]')
    await frame.getByRole('heading', { name: 'Retinal report' }).waitFor()
    expect(await frame.getByText('SCRIPT RAN').count()).toBe(0)
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
    expect(strangers).toEqual([])
  })

  it('that is an address is shown and not opened', async (context) => {
    const { page, strangers, goTo } = await open(context)
    await goTo('#/reports/88403')
    await page.getByText('https://service.example/reports/88403?page=1').waitFor()
    expect(await page.getByRole('link', { name: /service.example/ }).count()).toBe(0)
    expect(strangers).toEqual([])
  })

  it('keeps its older version, and loses its mark when it was read', async (context) => {
    const { page } = await open(context)
    await page.getByRole('link', { name: /Reports.*2 unread/ }).click()
    await page.getByRole('link', { name: /H-00350/ }).click()
    await page.getByRole('link', { name: /Reports.*1 unread/ }).waitFor()
    await page.getByRole('combobox', { name: 'Version' }).selectOption({ index: 1 })
    await page.getByText('version 1').waitFor({ state: 'attached' })
  })

  it('that has not come is nothing to worry about', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/reports/88405')
    await page.getByText('This is normal. Reports are checked every 5 minutes').waitFor()
  })
})
