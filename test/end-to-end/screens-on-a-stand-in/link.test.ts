import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'

const open = setStage()

describe('the link', () => {
  it('takes the token out of the address and needs no other origin', async (context) => {
    const { page, strangers, complaints } = await open(context)
    expect(page.url()).not.toContain('token')
    await page.reload()
    await page.getByRole('table').waitFor()
    expect(strangers).toEqual([])
    expect(complaints).toEqual([])
  })

  it('shows that the station is gone, and keeps what is on the screen', async (context) => {
    const { page, screens } = await open(context)
    const closing = screens.host.close()
    await page.getByText('No connection to the station').first().waitFor()
    expect(await page.locator('tbody tr').count()).toBe(13)
    await closing
  })

  it('shows that it is lost, and heals without a reload', async (context) => {
    const { page, screens, row } = await open(context)
    await page.context().setOffline(true)
    await page.getByText('No connection to the station').first().waitFor()
    screens.standIn.changeSubmission('s5', { state: 'held' })
    expect(await row('H-00412').getByText('Ready to check').count()).toBe(1)
    await page.context().setOffline(false)
    await row('H-00412').getByText('On hold').waitFor()
    await page.getByTestId('banner').getByText('6 cases need you').waitFor()
  })

  it('reads a new snapshot when events were lost on their way', async (context) => {
    const { screens, row } = await open(context)
    const hidden = screens.standIn.submissions.get('s6')!
    screens.standIn.submissions.set('s6', { ...hidden, state: 'held', changedAt: Date.now() })
    screens.standIn.skipRevisions(1)
    screens.standIn.changeStatus({})
    await row('H-00415').getByText('On hold').waitFor()
  })

  it('keeps what is on the screen when an answer cannot be understood', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.answerWith(
      'submissions.list',
      async () => ({ ok: true, value: { nonsense: true } }) as never,
    )
    screens.standIn.skipRevisions(1)
    screens.standIn.changeStatus({})
    await page.getByText('The answer could not be understood').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(13)
    screens.standIn.answerWith('submissions.list', null)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('The answer could not be understood').waitFor({ state: 'detached' })
  })

  it('says in the banner what stops sending', async (context) => {
    const { page, screens } = await open(context)
    const banner = page.getByTestId('banner')
    await page.getByRole('button', { name: 'Pause sending' }).click()
    await page.getByRole('menuitem', { name: 'Until somebody resumes' }).click()
    await banner.getByText('Sending is paused').waitFor()
    await banner.getByRole('button', { name: 'Resume' }).click()
    await banner.getByText('7 cases need you').waitFor()
    screens.standIn.changeStatus({
      service: {
        health: 'trouble',
        since: Date.now(),
        failure: failureOf('offline'),
        nextTryAt: Date.now() + 60_000,
        lastSuccessAt: null,
      },
    })
    await banner.getByText('No connection').waitFor()
    await banner.getByText(/Next try in/).waitFor()
  })
})
