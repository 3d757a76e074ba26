/** The search over all settings: by label and help, whatever part they are in, and the way to their input. */
import { expect, it, vi } from 'vitest'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { all, click, find, openWindow, press, SETTINGS, shows, type } from '../open-window.tsx'

const FIND = 'Search all settings'
const { folders } = settingsSchema.parse({ folders: [{ path: '/camera' }, { path: '/other' }] })

const found = (): readonly string[] =>
  all('link')
    .filter((link) => link.closest('ul[aria-label]') !== null)
    .map(({ textContent }) => textContent)

it.each([
  // By its label, in a part that is not shown; of two folders it is named once.
  ['file complete', 'Folders and names', 'File complete after no change for', 'input'],
  // By its help.
  ['occurs nowhere', null, null, ''],
  ['shared lines', 'Service', 'Total transfer limit', 'input'],
  ['never send the same', 'Folders and names', 'Allow only one station in this folder', 'input'],
  // A choice among several.
  ['20/40 typed', 'Review', 'Send visual acuity as', 'input[type="radio"]'],
  ['both eyes image', null, null, ''],
  ['each eye', 'Review', 'Require an image of each eye', 'input[type="checkbox"]'],
] as const)('%s is found and gets the focus', async (text, part, label, tag) => {
  openWindow('#/settings/clinic', { 'settings.get': { ...SETTINGS, folders } })
  await find('heading', 'Clinic')
  await type('searchbox', FIND, text)
  if (part === null) return shows('Nothing found')
  await vi.waitFor(() => expect(found()).toEqual([`${label} \u00b7 ${part}`]))
  press('ArrowDown', await find('searchbox', FIND))
  expect(document.activeElement?.textContent).toBe(`${label} \u00b7 ${part}`)
  await click('link', `${label} \u00b7 ${part}`)
  await find('heading', part)
  await vi.waitFor(() => expect(document.activeElement?.matches(tag)).toBe(true))
  const active = document.activeElement
  expect(active?.closest('[data-part]')).toBeNull()
  const around = active?.closest('label, .mantine-InputWrapper-root, [role="radiogroup"]')
  expect((around?.closest('.mantine-RadioGroup-root') ?? around)?.textContent).toContain(label)
})

it('of a part that is locked its label has the focus, and what is typed elsewhere stays', async () => {
  openWindow('#/settings/service', {
    'settings.get': { ...SETTINGS, folders, managed: { folders: 'enforced' } },
  })
  await type('textbox', 'Cases sent at once', '3')
  await type('searchbox', FIND, 'at once')
  await vi.waitFor(() => expect(found()).toHaveLength(1))
  const [shown] = all('textbox', 'Cases sent at once').filter((one) => one.closest('[hidden]') === null)
  expect(shown).toHaveProperty('value', '3')
  await type('searchbox', FIND, 'name order')
  await vi.waitFor(() => expect(found()).toEqual(['Name order \u00b7 Folders and names']))
  press('Enter', await find('searchbox', FIND))
  window.dispatchEvent(new Event('hashchange'))
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Name order'))
})
