/** What leaves the screen with what it is about, and what the frame shows around the set-up and beside the screens. */
import { notifications } from '@mantine/notifications'
import { expect, it, vi } from 'vitest'
import { showToast } from '../../../src-renderer/shell/toast.tsx'
import { folderSettingsSchema } from '../../../src-shared/folder-settings.ts'
import { all, click, find, openWindow, SETTINGS } from '../open-window.tsx'
import { countsOf, detailsOf, syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

const caseOf = (id: string) => syntheticSubmission(id, { fields: { history_number: id } })
const CASES = [caseOf('H-1'), caseOf('H-2')]
const LIST = {
  'submissions.list': { items: CASES, total: CASES.length, counts: countsOf() },
  'submissions.get': ({ id }: { readonly id: string }) => detailsOf(caseOf(id)),
}
const isShown = (message: string): boolean => all('group', message).length > 0
const fails = (message: string, about?: 'case' | 'screen' | 'named') =>
  showToast({ tone: 'red', message, ...(about && { about }) })

it('a failure of a case goes with the case, one of the screen with the screen, one that names its case stays', async () => {
  openWindow('#/queue', LIST)
  await find('heading', /H-1/)
  fails('H-9 was not approved.', 'named')
  fails('Not approved', 'case')
  await vi.waitFor(() => expect(isShown('Not approved')).toBe(true))
  ;(await find('link', /^Open H-2/)).click()
  await find('heading', /H-2/)
  await vi.waitFor(() => expect(isShown('Not approved')).toBe(false))
  fails('The file was not saved.')
  await vi.waitFor(() => expect(isShown('The file was not saved.')).toBe(true))
  await click('link', /^Help/)
  await vi.waitFor(() => expect(isShown('The file was not saved.')).toBe(false))
  expect(isShown('H-9 was not approved.')).toBe(true)
  notifications.clean()
})

it('a failure takes the place of the one before', async () => {
  openWindow('#/help')
  await find('heading', 'Help')
  for (const message of ['First failure', 'Second failure', 'Second failure']) fails(message)
  await vi.waitFor(() => expect(all('group', /failure$/)).toHaveLength(1))
  expect(isShown('Second failure')).toBe(true)
  notifications.clean()
})

it('each screen begins at its top, wherever the one before was scrolled to', async () => {
  openWindow('#/help')
  const main = await find('main')
  await find('heading', 'Help')
  main.scrollTop = 823
  await click('link', /^Queue/)
  await vi.waitFor(() => expect(main.scrollTop).toBe(0))
})

it('the set-up is not asked from above for what it asks itself', async () => {
  openWindow('#/setup', {
    'settings.get': { ...SETTINGS, setup: 'open', service: null, folders: [] },
    'station.status': syntheticStatus({ mode: { kind: 'paused', why: 'serviceNotSet', until: null } }),
  })
  await find('heading', 'Where does the camera save its images?')
  expect(document.querySelector('[data-testid="banner"]')).toBeNull()
  window.location.hash = '#/help'
  window.dispatchEvent(new Event('hashchange'))
  await vi.waitFor(() => expect(document.querySelector('[data-testid="banner"]')).not.toBeNull())
})

it('a screen in the navigation has its name, what waits there once, and its key; nothing of ours lies over the page', async () => {
  openWindow('#/queue', {
    'settings.get': { ...SETTINGS, folders: [folderSettingsSchema.parse({ path: '/camera' })] },
    'station.status': syntheticStatus({ counts: countsOf({ review: 1_100 }), now: Date.now() }),
  })
  // Written as in the counters beside it.
  await find('region', '1,100 to review')
  const link = await vi.waitFor(() => {
    const [first] = all('link', /^Queue/)
    if (!first?.title) throw new Error('no link')
    return first
  })
  expect(link.title).toBe('Queue (Ctrl+1 or Alt+1)')
  const spoken = [...link.querySelectorAll('span')]
    .filter((one) => one.childElementCount === 0 && one.getAttribute('aria-hidden') !== 'true')
    .map(({ textContent }) => textContent)
  expect(spoken).toEqual(['Queue', '1,100 cases need you'])
  link.dispatchEvent(new PointerEvent('pointerenter', { bubbles: true }))
  expect(all('tooltip')).toEqual([])
})
