import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { failureOf, succeed } from '../../../src-shared/failure.ts'
import { submission } from './make-submission.ts'
import { setStage, type Stage } from './stage.ts'

const open = setStage()
const MANY = 1_234
const FAR = /1.?234 selected/

describe('many cases at once', () => {
  it('are saved as a file that the station writes', async (context) => {
    const { page, screens } = await open(context)
    for (const who of ['H-00412', 'H-00415'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    const download = page.waitForEvent('download')
    await page.getByRole('toolbar').getByRole('button', { name: /CSV/ }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('cases.csv')
    // The browser is shared by a run: what it has saved comes over the line.
    expect(await text(await file.createReadStream())).toBe('reference\r\ns5\r\ns6\r\n')
    await page.getByText('2 cases were saved. It stands in the activity.').first().waitFor()
    expect(screens.standIn.asked.filter(({ name }) => name === 'submissions.export')).toEqual([
      { name: 'submissions.export', input: expect.objectContaining({ ids: ['s5', 's6'] }) },
    ])
  })

  it('are tried again, and what is refused stays selected and says why', async (context) => {
    const { page, screens } = await open(context)
    for (const who of ['H-00398', 'H-00408'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    screens.standIn.answerWith('submissions.retry', async ({ ids }) => {
      screens.standIn.changeSubmission('s1', { state: 'waiting', failure: null })
      const message = 'Somebody else has just changed this case.'
      return succeed({
        changed: ids.filter((id) => id === 's1'),
        refused: ids
          .filter((id) => id !== 's1')
          .map((id) => ({ id, failure: failureOf('notAllowed', { message }) })),
      })
    })
    await page.getByRole('toolbar').getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 could not be changed').first().waitFor()
    await page.getByText('Somebody else has just changed this case.').first().waitFor()
    await page.getByText('1 case put back in line.').first().waitFor()
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor()
    expect(await page.getByRole('checkbox', { name: /Select H-00408/ }).isChecked()).toBe(true)
  })

  it('are discarded with a reason and taken back together', async (context) => {
    const { page, screens, row } = await open(context)
    for (const who of ['H-00412', 'H-00415'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await page.keyboard.press('Enter')
    await row('H-00415').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('H-00412').waitFor()
    await row('H-00415').waitFor()
    expect(['s5', 's6'].map((id) => screens.standIn.submissions.get(id)?.state)).toEqual(['review', 'review'])
  })

  it('are all that match, also beyond the page, in calls of a thousand', async (context) => {
    const stage = await open(context)
    const { page, screens } = stage
    await selectFar(stage, 'held')
    await page.getByRole('toolbar').getByRole('button', { name: 'Release' }).click()
    await page
      .getByText(/1.?234 cases released/)
      .first()
      .waitFor()
    const calls = screens.standIn.asked.filter(({ name }) => name === 'submissions.release')
    expect(calls.map(({ input }) => (input as { ids: string[] }).ids.length)).toEqual([1_000, 234])
    expect(screens.standIn.submissions.get('s11')?.state).toBe('held')
  })

  it('are approved unseen only after a question', async (context) => {
    const stage = await open(context)
    const { page, screens } = stage
    const approvals = () => screens.standIn.asked.filter(({ name }) => name === 'submissions.approve').length
    await selectFar(stage, 'review')
    await page.getByRole('toolbar').getByRole('button', { name: 'Approve' }).click()
    const question = page.getByRole('dialog', { name: 'Approve 1,234 cases?' })
    await question.getByText(/Only 50 of them are shown/).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(approvals()).toBe(0)
    await page.getByRole('toolbar').getByRole('button', { name: 'Approve' }).click()
    await question.getByRole('button', { name: 'Approve 1,234' }).click()
    await page
      .getByText(/1.?234 cases approved/)
      .first()
      .waitFor()
    expect(approvals()).toBe(2)
  })

  it('are let go with the tick of the table, and with the view', async (context) => {
    const stage = await open(context)
    const { page } = stage
    const all = page.getByRole('checkbox', { name: 'Select all cases shown' })
    await selectFar(stage, 'held')
    await all.uncheck()
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await all.check()
    await page.getByRole('toolbar', { name: '50 selected' }).waitFor()
    await page.getByRole('button', { name: 'Select all 1,234' }).click()
    await page.getByRole('toolbar', { name: FAR }).waitFor()
    await page.getByRole('searchbox').fill('H-00412')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('b-')
    await page.getByText(`50 of 1,234`).waitFor()
    await page.getByRole('toolbar', { name: '50 selected' }).waitFor()
  })
})

/** Puts many cases there, and selects all of them by the few that are shown. */
async function selectFar({ page, screens }: Stage, state: 'held' | 'review'): Promise<void> {
  const now = Date.now()
  for (let seed = 1; seed <= MANY; seed += 1) {
    const one = submission(1_000 + seed, now, { history_number: `B-${seed}` }, { state, minutesAgo: seed })
    screens.standIn.submissions.set(one.id, one)
  }
  screens.standIn.changeStatus({})
  await page.getByRole('searchbox').fill('b-')
  await page.getByText(`50 of 1,234`).waitFor()
  await page.getByRole('checkbox', { name: 'Select all cases shown' }).check()
  await page.getByRole('button', { name: 'Select all 1,234' }).click()
  await page.getByRole('toolbar', { name: FAR }).waitFor()
}
