import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()

describe('camera profiles', () => {
  it('show what becomes of a folder while a pattern is typed, and nothing of one that cannot be', async (context) => {
    const { page, screens, goTo } = await open(context)
    const tried = () => screens.standIn.asked.filter(({ name }) => name === 'folders.tryProfile')
    await goTo('#/settings/folders')
    await page.getByRole('link', { name: 'Try it on the files of this folder' }).click()
    await page.getByRole('status').filter({ hasText: 'the newest 300 of 1,240' }).waitFor()
    expect(tried().at(-1)?.input).toEqual({
      path: '/srv/camera/export',
      profile: 'auto',
      visitGapMinutes: null,
    })
    await page.getByText('shows once more: OD_1.jpg').waitFor()
    await page.getByText('incoming/OS_9.jpg').waitFor()

    await page.getByRole('button', { name: 'Make my own' }).click()
    const pattern = page.getByRole('textbox', { name: 'Pattern 1' })
    await pattern.fill('{historyNumber}_{date}')
    await page.getByRole('status').filter({ hasText: '3 unclear' }).waitFor()
    await page.getByText('nothing states the eye').first().waitFor()
    expect(tried().at(-1)?.input).toMatchObject({
      profile: { id: 'my-camera', patterns: ['{historyNumber}_{date}'] },
    })

    await pattern.fill('{historyNumber}_{eye}*')
    await page.getByText('Write {any} where anything may stand, not * or ?.').waitFor()
    await page.getByRole('status').filter({ hasText: 'The preview goes on when' }).waitFor()
    const before = tried().length
    await pattern.fill('{historyNumber}_{eye}')
    await page.getByText('nothing states the eye').first().waitFor({ state: 'detached' })
    expect(tried().length).toBe(before + 1)
    expect(tried().every(({ input }) => !JSON.stringify(input).includes('*'))).toBe(true)
  })

  it('are made of a shipped one, saved under an id of their own and taken for the folder', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/settings/profiles')
    await page.getByRole('combobox', { name: 'Profile' }).selectOption('patient-eye-view')
    await page.getByRole('button', { name: 'Make my own from this one' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Room 2')
    await page.getByRole('textbox', { name: 'Words for the right eye' }).fill('rechts, D')
    await page.getByRole('textbox', { name: 'Words for the left eye' }).fill('d')
    await page.getByText('The same word stands for the right and for the left eye.').waitFor()
    await page.getByRole('textbox', { name: 'Words for the left eye' }).fill('links')
    await page.getByRole('button', { name: 'Add heading' }).click()
    await page.getByRole('textbox', { name: 'Heading' }).fill('Nummer')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByRole('button', { name: 'Use this profile for the folder' }).click()
    await page.getByText('The folder is read with this profile from now on.').first().waitFor()
    const saved = screens.standIn.asked.filter(({ name }) => name === 'settings.update')
    expect(saved.map(({ input }) => input)).toMatchObject([
      {
        profiles: [
          {
            id: 'patient-eye-view-own',
            title: 'Room 2',
            eyeWords: { right: ['rechts', 'D'], left: ['links'] },
            columns: { Nummer: 'history_number' },
          },
        ],
      },
      { folders: [{ path: '/srv/camera/export', profile: 'patient-eye-view-own' }] },
    ])
  })

  it('keep what is written while another one is looked at', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/settings/profiles')
    const select = page.getByRole('combobox', { name: 'Profile' })
    await page.getByRole('button', { name: 'Make my own' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Half written')
    await select.selectOption('eidon')
    await page.getByText('{historyNumber}-{eye}-{number}-{view}-{number}').waitFor()
    await select.selectOption({ label: 'Not saved: Half written' })
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Half written')
  })

  it('are written by the keyboard alone', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/settings/profiles')
    await page.getByRole('button', { name: 'Make my own' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Pattern 1' }).focus()
    await page.keyboard.type('{historyNumber}_')
    await page.getByRole('button', { name: 'Put {eye} into the pattern' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Pattern 1')
    await page.keyboard.type('_{unique}')
    expect(await page.getByRole('textbox', { name: 'Pattern 1' }).inputValue()).toBe(
      '{historyNumber}_{eye}_{unique}',
    )
  })
})
