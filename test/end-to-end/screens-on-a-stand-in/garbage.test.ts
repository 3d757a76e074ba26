import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setStage, type Stage } from './stage.ts'

const open = setStage()

const SCREENS = [
  '#/queue',
  '#/queue/s2',
  '#/queue/s3',
  '#/cases',
  '#/reports',
  '#/reports/88390',
  '#/activity',
  '#/settings/service',
  '#/settings/folders',
  '#/settings/profiles',
  '#/settings/about',
  '#/help',
] as const

/** What a broken station, another program on its port, or a torn line may answer. */
const GARBAGE = {
  'another shape': '{"ok":true,"value":{"items":"seven","counts":[],"id":5,"folders":{"path":null}}}',
  'null in place of all': '{"ok":true,"value":null}',
  'a page of HTML': '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>',
  nothing: '',
} as const

/** A screen that asks nothing by itself: the others are opened from here. */
const QUIET = '#/settings/requirements'

/** The calls that a screen makes when a person comes to it. */
async function callsOf({ page, screens, goTo, settle }: Stage, hash: string): Promise<string[]> {
  await goTo(QUIET)
  await settle()
  const before = screens.standIn.asked.length
  await goTo(hash)
  await settle()
  // A screen may ask one thing after the other.
  const { asked } = screens.standIn
  for (let length = -1; length !== asked.length; await page.waitForTimeout(200)) length = asked.length
  return [...new Set(screens.standIn.asked.slice(before).map(({ name }) => name))]
}

/** Answers a call with garbage until the answer is called. */
async function garble(page: Page, call: string, body: string): Promise<() => Promise<void>> {
  const address = `**/call/${call}`
  await page.route(address, (route) => route.fulfill({ status: 200, contentType: 'application/json', body }))
  return () => page.unroute(address)
}

/** Why a person could not go on here; empty where they can. */
async function whatIsBroken(page: Page): Promise<string[]> {
  const broken: string[] = []
  const main = page.getByRole('main')
  if ((await main.innerText()).trim() === '' && (await main.getByLabel('Fundus Courier').count()) === 0)
    broken.push('the screen is blank')
  if ((await page.getByText('could not be drawn').count()) > 0) broken.push('something could not be drawn')
  if ((await page.getByRole('navigation').getByRole('link').count()) < 6)
    broken.push('no way to other screens')
  if ((await page.getByTestId('banner').count()) !== 1) broken.push('no banner')
  return broken
}

/** A screen may still be on its way on a busy computer. */
async function whatStaysBroken(page: Page): Promise<string[]> {
  const end = Date.now() + 10_000
  let broken = await whatIsBroken(page)
  while (broken.length > 0 && Date.now() < end) {
    await page.waitForTimeout(100)
    broken = await whatIsBroken(page)
  }
  return broken
}

describe('an answer that is none', () => {
  it('blanks none of the screens, whichever call it is for', { timeout: 600_000 }, async (context) => {
    const stage = await open(context)
    const { page, goTo, complaints } = stage
    const found: Record<string, unknown> = {}
    const garbled = new Set<string>()
    for (const hash of SCREENS)
      for (const call of await callsOf(stage, hash)) {
        for (const [what, body] of Object.entries(GARBAGE)) {
          await goTo(QUIET)
          const makeSense = await garble(page, call, body)
          // Some are asked for once only, such as that a report was read.
          const answered = page.waitForResponse(`**/call/${call}`, { timeout: 1_000 }).then(
            () => garbled.add(call),
            () => null,
          )
          await goTo(hash)
          await answered
          // What becomes of it on the screen.
          await page.waitForTimeout(100)
          const broken = await whatStaysBroken(page)
          if (broken.length > 0) found[`${hash}, ${call}, ${what}`] = broken
          await makeSense()
        }
      }
    expect(found).toEqual({})
    expect(complaints).toEqual([])
    expect([...garbled]).toEqual(
      expect.arrayContaining(['submissions.get', 'cases.list', 'reports.list', 'reports.get', 'audit.list']),
    )
  })

  it.for(['station.status', 'settings.get', 'submissions.list'])(
    'blanks nothing when the screens are opened and it is for %s',
    { timeout: 300_000 },
    async (call, context) => {
      const { page, complaints } = await open(context)
      for (const [what, body] of Object.entries(GARBAGE)) {
        const makeSense = await garble(page, call, body)
        const answered = page.waitForResponse(`**/call/${call}`)
        await page.reload()
        // The frame stands before anything was asked.
        await answered
        await page.getByRole('navigation').waitFor()
        await expect.poll(() => whatIsBroken(page), { message: what, timeout: 10_000 }).toEqual([])
        await makeSense()
      }
      // Nobody has to reload: it is read again by itself.
      await page.getByText('H-00401').waitFor()
      await page.getByTestId('banner').getByText('7 cases need you').waitFor()
      expect(complaints).toEqual([])
    },
  )

  it(
    'comes to a sentence where the screen lives from it, and goes when the station speaks sense again',
    { timeout: 60_000 },
    async (context) => {
      const { page, goTo } = await open(context)
      for (const [call, hash] of [
        ['submissions.get', '#/queue/s3'],
        ['cases.list', '#/cases'],
        ['reports.list', '#/reports'],
        ['audit.list', '#/activity'],
        ['station.about', '#/help'],
      ] as const) {
        await goTo(QUIET)
        const address = `**/call/${call}`
        await page.route(address, (route) => route.fulfill({ status: 200, body: GARBAGE['a page of HTML'] }))
        await goTo(hash)
        await page.getByRole('main').getByText('The answer could not be understood').first().waitFor()
        await page.unroute(address)
        await goTo(QUIET)
        await goTo(hash)
        await page
          .getByRole('main')
          .getByText('The answer could not be understood')
          .waitFor({ state: 'detached' })
      }
    },
  )
})
