/** The parts of the settings on the screen: what is sent when they are saved, and what an IT department reads there. */
import { expect, it, onTestFinished, vi } from 'vitest'
import type { CallOutput } from '../../../src-shared/contract.ts'
import { all, type Answers, click, find, openWindow, SETTINGS, shows, type } from '../open-window.tsx'

/** Takes every change. */
const SAVES: Answers = {
  'settings.update': ({ by: _by, why: _why, service: _service, ...changes }) => ({
    ...SETTINGS,
    ...(changes as Partial<CallOutput<'settings.get'>>),
  }),
}

it('saves the settings that were changed and no other, which go on to follow their file', async () => {
  const { inputsOf } = openWindow('#/settings/service', SAVES)
  await type('textbox', 'Cases sent at once', '9')
  await click('button', 'Save')
  await shows('Correct the marked values')
  await type('textbox', 'Cases sent at once', '3')
  await click('button', 'Save')
  await vi.waitFor(() => expect(inputsOf('settings.update')).toHaveLength(1))
  expect(inputsOf('settings.update')[0]).toMatchObject({ delivery: { concurrency: 3 } })
  expect(inputsOf('settings.update')[0]).not.toHaveProperty('service')
})

it('takes the folder that the desktop gives, and leaves it as it is if that gives none', async () => {
  const chosen: unknown[] = [
    { ok: true, value: { path: 'D:\\Reports' } },
    { ok: true, value: { path: null } },
    { ok: false, failure: { kind: 'notAllowed', message: '' } },
  ]
  vi.stubGlobal('fundusCourier', { call: () => Promise.resolve(chosen.shift()) })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { inputsOf } = openWindow('#/settings/reports', SAVES)
  for (let times = 3; times > 0; times -= 1) await click('button', 'Browse…')
  await click('button', 'Save')
  await vi.waitFor(() => expect(chosen).toEqual([]))
  await vi.waitFor(() => expect(inputsOf('settings.update')).toHaveLength(1))
  expect(inputsOf('settings.update')[0]).toMatchObject({ reports: { saveTo: 'D:\\Reports' } })
})

it('keeps the secret unless one was typed, and sends nothing of a form that was not touched', async () => {
  const { inputsOf } = openWindow('#/settings/service', SAVES)
  expect((await find('button', 'Saved')).getAttribute('aria-disabled')).toBe('true')
  await type('textbox', 'Client secret', ' s3 ')
  await click('button', 'Save')
  await find('button', 'Saved')
  await vi.waitFor(() => expect(inputsOf('settings.update')).toHaveLength(1))
  expect(inputsOf('settings.update')[0]).toMatchObject({ service: { clientSecret: ' s3 ' } })
  expect(inputsOf('settings.update')[0]).not.toHaveProperty('delivery')
})

it('sends the exact number of a text that is as it was', async () => {
  const delivery = { ...SETTINGS.delivery, concurrency: 2, bytesPerSecond: 5_123 }
  const { inputsOf } = openWindow('#/settings/service', {
    ...SAVES,
    'settings.get': { ...SETTINGS, delivery },
  })
  await type('textbox', 'Total transfer limit', '1')
  await shows('Enter a number from 4.1')
  await type('textbox', 'Total transfer limit', '5.12')
  await find('button', 'Saved')
  await type('textbox', 'Cases sent at once', '3')
  await click('button', 'Save')
  await vi.waitFor(() => expect(inputsOf('settings.update')).toHaveLength(1))
  expect(inputsOf('settings.update')[0]).toMatchObject({
    delivery: { concurrency: 3, bytesPerSecond: 5_123 },
  })
})

it('never calls a service saved of which a part is missing', async () => {
  const { inputsOf } = openWindow('#/settings/service', {
    ...SAVES,
    'settings.get': { ...SETTINGS, service: null },
  })
  await type('textbox', 'Service address', 'https://cases.example')
  await click('button', 'Save')
  await shows('Enter the client ID from the service.')
  await shows('Enter the client secret from the service.')
  expect(inputsOf('settings.update')).toEqual([])
})

it('names copies of reports by number and date once there is a folder for them', async () => {
  const { inputsOf } = openWindow('#/settings/reports', SAVES)
  const byPatient = await find('switch', /^Name copies by number and date/)
  expect(byPatient.matches(':disabled')).toBe(true)
  await type('textbox', 'Copy reports to this folder', 'D:\\Reports')
  await vi.waitFor(() => expect(byPatient.matches(':disabled')).toBe(false))
  byPatient.click()
  await click('button', 'Save')
  await vi.waitFor(() =>
    expect(inputsOf('settings.update')).toMatchObject([
      { reports: { saveTo: 'D:\\Reports', copyNames: 'patient', checkSeconds: 300 } },
    ]),
  )
})

it('saves a folder without the patient list beside it, and not the other way round', async () => {
  const { inputsOf } = openWindow('#/settings/folders', SAVES)
  await click('button', 'Add folder')
  await click('button', 'Save')
  await shows('Enter the full path.')
  await type('textbox', 'Folder', '/camera')
  await click('button', 'Save')
  await vi.waitFor(() => expect(inputsOf('settings.update')).toHaveLength(1))
  expect(inputsOf('settings.update')[0]).toMatchObject({ folders: [{ path: '/camera' }] })
  expect(inputsOf('settings.update')[0]).not.toHaveProperty('patientList')
})

it('saves what may be changed beside a part that an administrator has locked, whatever that part holds', async () => {
  // No form takes hours that end when they begin; a file may state them.
  const quiet = { from: '08:00', to: '08:00' }
  const { inputsOf } = openWindow('#/settings/clinic', {
    ...SAVES,
    'settings.get': {
      ...SETTINGS,
      notifications: { ...SETTINGS.notifications, quiet },
      managed: { notifications: 'enforced' },
    },
  })
  await type('textbox', 'Idle after', '60')
  await click('button', 'Save')
  await vi.waitFor(() => expect(inputsOf('settings.update')).toHaveLength(1))
  expect(inputsOf('settings.update')[0]).toMatchObject({ screens: { hideNamesAfterSeconds: 60 } })
  expect(inputsOf('settings.update')[0]).not.toHaveProperty('notifications')
})

const FILE = { kind: 'enrolment', path: '/etc/enrolment.json', inForce: 'this', detail: null } as const
const SOURCES: CallOutput<'settings.sources'> = {
  secretsKept: 'privateFile',
  items: [
    { name: 'delivery.concurrency', value: 1, source: 'policyEnforced', isLocked: true },
    { name: 'requireBothEyes', value: true, source: 'builtIn', isLocked: false },
    { name: 'centerId', value: '101', source: 'person', isLocked: false },
    { name: 'requiredFields', value: '', source: 'configurationFile', isLocked: false },
    { name: 'service.clientSecret', value: true, source: 'enrolment', isLocked: false },
  ],
  files: [{ ...FILE, state: 'left', unknownNames: ['colour'] }],
}

it('shows an IT department what the station is, which values a file states, and what is wrong with the file', async () => {
  openWindow('#/settings/it', {
    'settings.sources': SOURCES,
    'updates.get': { kind: 'off', why: 'headless' },
    'station.about': {
      version: '0.1.0',
      host: 'headless',
      stationId: 'station-1',
      system: 'Linux 6',
      runtime: 'Node 24',
      dataFolder: '/var/lib/courier',
      protection: { folder: 'open', disk: 'notEncrypted' },
      secretsKept: 'privateFile',
      proxy: 'http://proxy.example:3128',
      startAtLogin: null,
    },
  })
  const station = await find('region', 'This station')
  for (const text of [
    '/var/lib/courier',
    'Other accounts can read this folder',
    'Disk encryptionoff',
    'Via proxy http://proxy.example:3128',
    'This system has no safe',
  ])
    await shows(text, station)
  const rows = (
    await vi.waitFor(() => {
      const found = all('row')
      expect(found).toHaveLength(4)
      return found
    })
  ).map(({ textContent }) => textContent)
  expect(rows.slice(1)).toEqual([
    'delivery.concurrency1Policy, enforcedLocked on the screens',
    'requiredFields\u2013Configuration file',
    'service.clientSecretsaved, never shownEnrolment file',
  ])
  await shows('the client secret is still in the file')
  await shows('Unknown names: colour')
})

const TEXT = ['Fundus Courier diagnostics', '', ...Array.from({ length: 300 }, (_, at) => `line ${at}`)].join(
  '\n',
)

it('shows the diagnostics before they are saved', async () => {
  openWindow('#/settings/it', { 'station.diagnostics': { fileName: 'diagnostics.txt', text: TEXT } })
  const part = await find('region', 'Diagnostics')
  await shows(/Not included, so that it can be shared/, part)
  await click('button', 'Create diagnostics')
  const text = await find('region', /Exactly this text is saved/)
  expect(text.textContent).toBe(TEXT)
  await vi.waitFor(() => expect(all('button', 'Save', part)).toHaveLength(1))
})

it('marks no value as wrong that a file may state', async () => {
  openWindow('#/settings/reports', {
    ...SAVES,
    'settings.get': { ...SETTINGS, reports: { ...SETTINGS.reports, checkSeconds: 1 } },
  })
  await find('textbox', /^Check for missing reports/)
  expect(document.querySelector('[aria-invalid="true"]')).toBeNull()
})
