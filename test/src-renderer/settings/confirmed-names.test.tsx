/** The section of names that the station could read on its own: what a person sees, and what a click does. */
import { describe, expect, it, vi } from 'vitest'
import type { CallOutput } from '../../../src-shared/contract.ts'
import { confirmedProfileSchema } from '../../../src-shared/confirmed-profile.ts'
import { folderSettingsSchema } from '../../../src-shared/folder-settings.ts'
import type { HeldProfile } from '../../../src-shared/profile-offers.ts'
import type { FolderStatus } from '../../../src-shared/station-status.ts'
import { type Answers, click, find, openWindow, SETTINGS, shows, type } from '../open-window.tsx'
import { syntheticStatus, WATCHED_FOLDER } from '../synthetic-submission.ts'

const PATH = '/exports'

const FOLDER: FolderStatus = { ...WATCHED_FOLDER, path: PATH }

const PROFILE = confirmedProfileSchema.parse({
  id: 'names-1',
  parts: [
    { kind: 'id', formats: [{ shape: '999999' }] },
    { kind: 'text', text: '_' },
    { kind: 'eye', right: ['OD'], left: ['OS'] },
  ],
  extensions: ['jpeg'],
})

type Shown = CallOutput<'profiles.offers'>['offers'][number]

const READING = {
  historyNumber: '100003',
  visitDate: '2026-11-20',
  eye: 'right',
  name: null,
  time: null,
} as const

function offered(changes: Partial<Shown['offer']> = {}, preview: Partial<Shown['preview']> = {}): Shown {
  return {
    offer: {
      key: 'key-1',
      pattern: '{historyNumber}_{eye}',
      profile: PROFILE,
      evidence: { visits: 8, patients: 6, days: 4, rightImages: 9, leftImages: 8 },
      notChecked: [],
      counterExamples: [],
      refuses: [],
      outlived: [],
      ...changes,
    },
    preview: {
      matching: [{ path: '100003_OD.jpg', reading: READING }],
      notMatching: [],
      unclear: [],
      different: [],
      ...preview,
    },
  }
}

const CORRECTED = { caseId: 'c', path: '200006_OS.jpg', differs: ['eye' as const], corrected: true }

const SENT = [{ id: 's-1', reference: 'FC7K3M9QXAW' }]

function held(changes: Partial<HeldProfile> = {}): HeldProfile {
  return {
    profile: {
      ...PROFILE,
      confirmed: { by: 'AB', at: '2026-11-20T09:00:00.000Z', digest: 'd', station: 'station-1' },
    },
    pattern: '{historyNumber}_{eye}',
    state: 'confirmed',
    waitingFor: 0,
    sent: [],
    unsent: [],
    ...changes,
  }
}

function openWith(shown: CallOutput<'profiles.offers'>, more: Answers = {}) {
  return openWindow('#/settings/folders', {
    'station.status': syntheticStatus({
      folders: [FOLDER],
      names: [{ path: PATH, offers: shown.offers.length, unconfirmed: 0 }],
    }),
    'settings.get': { ...SETTINGS, folders: [folderSettingsSchema.parse({ path: PATH })] },
    'profiles.offers': shown,
    ...more,
  })
}

describe('an offer', () => {
  it('shows its pattern, what it rests on and how real files read, and is confirmed with initials', async () => {
    const { inputsOf } = openWith(
      { offers: [offered({ notChecked: ['name'] }, { notMatching: ['other.jpg'] })], profiles: [] },
      { 'profiles.confirm': { profile: PROFILE } },
    )
    const card = await find('article', 'We can read these file names')
    expect(card.textContent).toContain('8 visits of 6 patients on 4 days, 9 right and 8 left images')
    expect(card.textContent).toContain('number_eye')
    await find('table', 'Read: 1', card)
    expect(card.textContent).toContain('100003_OD.jpg')
    expect(card.textContent).toContain('a number changed at the camera would go unnoticed')
    await find('button', /^Not read, need review: 1/, card)
    await click('button', 'Trust these file names', card)
    await shows('Enter your initials.')
    expect(inputsOf('profiles.confirm')).toEqual([])
    await type('textbox', 'Your initials', 'QX')
    await click('button', 'Trust these file names', card)
    await vi.waitFor(() =>
      expect(inputsOf('profiles.confirm')).toEqual([{ path: PATH, key: 'key-1', by: 'QX' }]),
    )
    await vi.waitFor(() => expect(inputsOf('profiles.offers').length).toBeGreaterThan(1))
  })

  it('that a person contradicted shows by what, and cannot be confirmed', async () => {
    openWith({ offers: [offered({ counterExamples: [CORRECTED] })], profiles: [] })
    const card = await find('article', 'We cannot read these file names yet')
    const table = await find('table', 'Corrected by hand: 1', card)
    expect(table.textContent).toBe('200006_OS.jpgother eye')
    expect(card.textContent).not.toContain('Trust these file names')
  })

  it('names the corrections before it, and what reads otherwise than before', async () => {
    const before = { historyNumber: '200006', visitDate: null, eye: 'left' as const }
    const different = [{ path: '100003_OD.jpg', differs: ['eye' as const], before, now: READING }]
    openWith({ offers: [offered({ outlived: [CORRECTED] }, { different })], profiles: [] })
    const table = await find('table', 'Read differently than before: 1')
    expect(table.textContent).toMatch(/Before.*OS$/)
    await find('button', /^Corrected before, enough visits since: 1/)
  })

  it('is marked in the navigation and in the queue', async () => {
    openWith({ offers: [offered()], profiles: [] })
    await shows('File names to review: 1')
    // And beside the part in which they are.
    await find('link', 'Folders and names (File names to review: 1)')
    window.location.hash = '#/queue'
    const link = await find('link', 'See file names')
    expect(link.getAttribute('href')).toBe('#/settings/folders/%2Fexports')
    await shows('We can read the file names of /exports.')
  })

  it('is none: the section says what it takes', async () => {
    openWith({ offers: [], profiles: [] })
    await shows('Nothing to trust yet.')
  })
})

describe('confirmed names', () => {
  it('say who confirmed them and what went by them, and are revoked with a reason', async () => {
    const { inputsOf } = openWith(
      { offers: [], profiles: [held({ sent: SENT, unsent: SENT })] },
      { 'profiles.revoke': { returned: SENT, sent: SENT } },
    )
    const list = await find('list', 'Trusted file names')
    expect(list.textContent).toContain('Trusted by AB')
    expect(list.textContent).toContain('Cases sent this way: 1.')
    await click('button', 'Revoke {historyNumber}_{eye}', list)
    const dialog = await find('dialog', 'Stop trusting these names?')
    expect(dialog.textContent).toContain('Cases returning: 1.')
    expect(dialog.textContent).toContain('Already sent: check these cases')
    const link = await find('link', 'FC7K3M9QXAW', dialog)
    expect(link.getAttribute('href')).toBe('#/queue/s-1')
    await click('button', 'Wrong eye', dialog)
    await type('textbox', 'Your initials', 'QX')
    await click('button', 'Revoke', dialog)
    await vi.waitFor(() =>
      expect(inputsOf('profiles.revoke')).toEqual([
        { path: PATH, id: 'names-1', by: 'QX', why: 'Wrong eye' },
      ]),
    )
    await vi.waitFor(() => expect(inputsOf('profiles.offers').length).toBeGreaterThan(1))
  })

  it.each<[what: string, changes: Partial<HeldProfile>, text: string]>([
    ['carried here', { waitingFor: 3 }, 'Visits to review first: 3'],
    ['without a confirmation', { state: 'unconfirmed' }, 'Not trusted: cases need review'],
    ['changed by hand', { state: 'changed' }, 'Changed since trusted: cases need review'],
  ])('%s say so', async (_what, changes, text) => {
    openWith({ offers: [], profiles: [held(changes)] })
    expect((await find('list', 'Trusted file names')).textContent).toContain(text)
  })
})

describe('marking a path', () => {
  const DRAFT: CallOutput<'profiles.draft'> = {
    files: ['100003_OD.jpg', '100004_OS.jpg'],
    file: '100003_OD.jpg',
    pieces: [
      { text: '100003', mark: 'who' },
      { text: '_', mark: null },
      { text: 'OD', mark: 'eye' },
    ],
    shown: offered(),
    problem: null,
  }

  it('shows its parts and what they read, asks again with other marks, and is stored with initials', async () => {
    const { inputsOf } = openWith(
      { offers: [], profiles: [] },
      { 'profiles.draft': DRAFT, 'profiles.mark': { profile: PROFILE } },
    )
    await click('button', 'Mark parts of a file name')
    const card = await find('article', 'What does each part mean?')
    await find('combobox', '100003 is', card)
    await find('table', 'Read: 1', card)
    const eye = await find('combobox', 'OD is', card)
    if (!(eye instanceof HTMLSelectElement)) throw new Error('no choice')
    eye.value = 'rest'
    eye.dispatchEvent(new Event('change', { bubbles: true }))
    await vi.waitFor(() =>
      expect(inputsOf('profiles.draft').at(-1)).toEqual({
        path: PATH,
        file: '100003_OD.jpg',
        marks: ['who', 'rest'],
      }),
    )
    await type('textbox', 'Your initials', 'QX')
    await click('button', 'Read names this way', card)
    await vi.waitFor(() =>
      expect(inputsOf('profiles.mark')).toMatchObject([
        { path: PATH, marks: ['who', 'eye'], key: 'key-1', by: 'QX' },
      ]),
    )
    await vi.waitFor(() => expect(inputsOf('profiles.offers').length).toBeGreaterThan(1))
  })

  it('says what is wrong with the marks, and stores nothing', async () => {
    const problem = { message: 'Mark the patient number.' }
    openWith({ offers: [], profiles: [] }, { 'profiles.draft': { ...DRAFT, shown: null, problem } })
    await click('button', 'Mark parts of a file name')
    const card = await find('article', 'What does each part mean?')
    await shows(problem.message)
    expect(card.textContent).not.toContain('Read names this way')
  })

  it('that is stored is listed, and can be dropped', async () => {
    const marked = held({ state: 'marked', profile: { ...PROFILE, proposes: true } })
    openWith({ offers: [], profiles: [marked] })
    await shows('Marked by hand')
    await find('button', /^Revoke/)
  })
})
