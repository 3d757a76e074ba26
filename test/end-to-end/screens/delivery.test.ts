import { describe, expect, it } from 'vitest'
import { holdBack } from '../../practice-service/faults.ts'
import { approveShown } from '../browser.ts'
import { countedActs, openScreens } from './open-screens.ts'

describe('a case of the camera', () => {
  it('waits for a person, and is called sent only once the service has answered', async (context) => {
    const { page, service, row, complaints, strangers } = await openScreens(context, {
      cases: [{ who: 'H-00003', state: 'review' }],
    })
    await row('H-00003').getByText('Ready to check').waitFor()
    await page
      .getByRole('button', { name: /^Enlarge .*right eye/i })
      .first()
      .waitFor()
    expect(service.cases()).toHaveLength(0)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    service.faults.add('POST /cases', holdBack(released))
    await page.getByRole('link', { name: /^Open H-00003/ }).click()
    await approveShown(page)
    // The service has stored it and has not answered yet.
    await row('H-00003').getByText('Uploaded, waiting for the answer').waitFor()
    await page.getByRole('link', { name: /^Open H-00003/ }).click()
    const panel = page.getByRole('region', { name: 'Sending', exact: true })
    await panel.getByText(/counts as sent when the service answers with its ID/).waitFor()
    expect(await panel.getByRole('button', { name: 'Cancel sending' }).isDisabled()).toBe(true)
    expect(await row('H-00003').getByText('Sent', { exact: true }).count()).toBe(0)
    release()
    await row('H-00003').getByText('Sent', { exact: true }).waitFor()
    await page.getByRole('link', { name: /Reports.*1 unread/ }).click()
    await page
      .getByRole('navigation', { name: 'Reports that have come' })
      .getByRole('link', { name: /H-00003/ })
      .click()
    await page.getByRole('group', { name: 'Page 1 of 1' }).waitFor()
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] })
  })

  it('stays whole and on hold if a person cancels what the service does not take', async (context) => {
    const { page, service, openCase, caseOf } = await openScreens(context, {
      // More than the buffers between here and there hold.
      cases: [{ who: 'H-00409', state: 'review', eyes: 'r', extraBytes: 16 * 1024 ** 2 }],
    })
    const { promise: never } = Promise.withResolvers<void>()
    service.faults.add('POST /cases', {
      name: 'takes no body',
      moment: 'head',
      act: { kind: 'hold', until: never },
    })
    await openCase('H-00409')
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByRole('link', { name: /^Open H-00409/ }).click()
    const panel = page.getByRole('region', { name: 'Sending', exact: true })
    await panel.getByRole('button', { name: 'Cancel sending' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Cancel sending this case?' })
    await dialog.getByText(/The case stays here on hold/).waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await page.keyboard.type('QX')
    await page.keyboard.press('Enter')
    await page.getByText('On hold', { exact: true }).first().waitFor()
    expect(await caseOf('H-00409')).toMatchObject({ state: 'held', images: [{}] })
    expect(service.cases()).toEqual([])
  })
})

describe('a case that the service refused', () => {
  it('says why in the queue, and is corrected and sent in three acts', async (context) => {
    const { page, service, row } = await openScreens(context, {
      cases: [{ who: 'H-00398', name: 'Demoson, Fictor', state: 'refused' }],
    })
    const acts = countedActs()
    await row('H-00398').getByText('The field gender is required.').waitFor()
    await acts.click(page.getByRole('link', { name: /^Edit/ }))
    await acts.click(page.getByRole('radiogroup', { name: 'Gender' }).getByText('Female', { exact: true }))
    await acts.click(page.getByRole('button', { name: 'Send again' }))
    await expect.poll(() => service.cases().map(({ fields }) => fields['gender'])).toEqual(['1'])
    acts.expectAtMost(3)
  })
})
