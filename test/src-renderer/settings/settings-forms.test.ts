import { describe, expect, it } from 'vitest'
import { updateText } from '../../../src-renderer/settings/program.tsx'
import { readReadingForm } from '../../../src-renderer/settings/folder-reading.tsx'
import {
  dayProblem,
  type FolderForm,
  folderFormOf,
  newFolderForm,
  readFolderForm,
} from '../../../src-renderer/settings/folders.tsx'
import { notificationFormOf, readNotificationForm } from '../../../src-renderer/settings/clinic.tsx'
import { readServiceForm, serviceFormOf } from '../../../src-renderer/settings/service.tsx'
import {
  type Managed,
  mayChange,
  permittedChanges,
  readNumber,
} from '../../../src-renderer/settings/settings-form.tsx'
import { confirmedProfileSchema } from '../../../src-shared/confirmed-profile.ts'
import type { FolderSettings } from '../../../src-shared/folder-settings.ts'
import { notificationSettingsSchema, settingsSchema } from '../../../src-shared/settings.ts'

const GIGABYTE = 1_024 ** 3
const SPACE = { min: 0, max: 100_000 }

it.each([
  ['2,5', 2.5 * GIGABYTE],
  ['0.25', GIGABYTE / 4],
  ['-1', undefined],
  ['', undefined],
  ['much', undefined],
])('reads the free space %j as %s', (text, bytes) => {
  expect(readNumber(text, SPACE, GIGABYTE)).toBe(bytes)
})

const LOCKED: Managed = { service: 'enforced', delivery: 'enforced', reports: 'preset' }

describe('settings that an administrator states', () => {
  it('may be changed unless they are enforced, and the service as long as its secret is open', () => {
    expect(mayChange(LOCKED, 'reports')).toBe(true)
    expect(mayChange(LOCKED, 'delivery')).toBe(false)
    expect(mayChange(LOCKED, 'service')).toBe(true)
    expect(mayChange({ ...LOCKED, 'service.clientSecret': 'enforced' }, 'service')).toBe(false)
  })

  it('are left out of a change if they are enforced, so that the rest is taken', () => {
    const { delivery, reports } = settingsSchema.parse({})
    expect(permittedChanges({ delivery, reports }, LOCKED)).toEqual({ reports })
    expect(permittedChanges({ delivery }, LOCKED)).toEqual({})
  })
})

it.each([
  ['2', 2],
  ['8', 8],
  ['0', undefined],
  ['9', undefined],
  ['2.5', undefined],
  ['', undefined],
  ['two', undefined],
])('reads %j as %s between 1 and 8', (text, value) => {
  expect(readNumber(text, { min: 1, max: 8, isWhole: true })).toBe(value)
})

describe('the form of the notices', () => {
  it.each([
    [{ needsPerson: 'off', reports: 'urgent' }],
    [{ folderUnreachable: 'off', urgentInQuiet: 'off', quiet: { from: '22:30', to: '06:00' } }],
  ])('gives back %o as it was', (changes) => {
    const settings = notificationSettingsSchema.parse(changes)
    expect(readNotificationForm(notificationFormOf(settings))).toEqual(settings)
  })

  it('offers hours if there were none, and takes them only if they are used', () => {
    const form = notificationFormOf(notificationSettingsSchema.parse({}))
    expect(form).toMatchObject({ isQuiet: false, from: '19:00', to: '07:00' })
    expect(readNotificationForm({ ...form, isQuiet: true })?.quiet).toEqual({ from: '19:00', to: '07:00' })
  })

  it.each([
    ['08:00', '08:00'],
    ['', '07:00'],
    ['24:00', '07:00'],
    ['7:00', '08:00'],
  ])('cannot be quiet from %o to %o', (from, to) => {
    const form = notificationFormOf(notificationSettingsSchema.parse({}))
    expect(readNotificationForm({ ...form, isQuiet: true, from, to })).toBeNull()
    expect(readNotificationForm({ ...form, isQuiet: false, from, to })).not.toBeNull()
  })
})

const kept = {
  baseUrl: 'https://cases.example/api',
  clientId: 'north',
  callbackUrl: null,
  referenceField: 'other_relevant_info',
  hasClientSecret: true,
} as const

const { hasClientSecret: _secret, ...saved } = kept

it.each([
  ['leaves the secret out if none was typed, and so keeps it', {}, saved],
  ['sends a new secret exactly as it was typed', { secret: ' s3 ' }, { ...saved, clientSecret: ' s3 ' }],
  ['can write the reference into no field', { referenceField: '' }, { ...saved, referenceField: null }],
])('%s', (_what, typed, service) => {
  expect(readServiceForm({ ...serviceFormOf(kept), ...typed }, kept.baseUrl).service).toEqual(service)
})

it('names every value that cannot be right', () => {
  const typed = { ...serviceFormOf(null), baseUrl: 'http://cases.example', callbackUrl: 'x' }
  const { service, problems } = readServiceForm(typed, null)
  expect(service).toBeNull()
  expect(Object.keys(problems).sort()).toEqual(['baseUrl', 'callbackUrl', 'clientId', 'secret'])
})

it('asks for the secret of another address, and for none if the address is as it was', () => {
  const moved = { ...serviceFormOf(kept), baseUrl: 'https://moved.example' }
  expect(Object.keys(readServiceForm(moved, kept.baseUrl).problems)).toEqual(['secret'])
  expect(readServiceForm({ ...moved, secret: 'its own' }, kept.baseUrl).service).toMatchObject({
    baseUrl: 'https://moved.example',
    clientSecret: 'its own',
  })
  expect(readServiceForm({ ...moved, baseUrl: ` ${kept.baseUrl} ` }, kept.baseUrl).problems).toEqual({})
})

/** Set by confirming an offer, not in the form: the form must preserve it. */
const confirmedProfiles = [
  confirmedProfileSchema.parse({
    id: 'names-1',
    parts: [{ kind: 'id', formats: [{ shape: '999999' }] }],
    extensions: ['jpeg'],
  }),
]

const folder: FolderSettings = {
  path: 'D:\\Export',
  leaveAlone: ['infrared', 'mosaic'],
  dateOrder: 'dmy',
  nameOrder: 'lastFirst',
  eyeWords: { right: ['D'], left: ['I'] },
  columns: { Nummer: 'history_number' },
  confirmedProfiles,
  settleSeconds: 5,
  quietSeconds: 180,
  sweepSeconds: 60,
  existing: 'ignore',
  sendWithoutReview: true,
  watching: 'on',
  dicom: 'original',
  lease: 'off',
}

it.each([
  {},
  { existing: 'since', existingSince: '2026-06-01' },
  { watching: 'paused', nameOrder: 'firstLast', dicom: 'unwrap', lease: 'on' },
] as const)('reads the form of a folder with %o back into its settings', (changes) => {
  expect(readFolderForm(folderFormOf({ ...folder, ...changes }, 'k'))).toEqual({ ...folder, ...changes })
})

const COLUMNS = [
  { key: 'a', heading: 'Nummer', holds: 'history_number' },
  { key: 'b', heading: 'nummer ', holds: 'age' },
]
it.each<[string, Partial<FolderForm>, object]>([
  ['a word for both eyes', { rightWords: 'd', leftWords: 'D' }, { leftWords: /listed for both eyes/ }],
  ['a word of 41 letters', { rightWords: 'x'.repeat(41) }, { rightWords: /At most 50 words/ }],
  ['a word of 41 letters to leave alone', { leaveAlone: 'x'.repeat(41) }, { leaveAlone: /At most 50/ }],
  ['a heading that stands twice', { columns: COLUMNS }, {}],
  ['a path from no root', { path: 'camera/export' }, {}],
  ['a path from a drive without its root', { path: 'D:export' }, {}],
])('is not saved with %s', (_what, change, problems) => {
  const form = { ...folderFormOf(folder, 'k'), ...change }
  expect(readFolderForm(form)).toBeNull()
  const found = Object.entries(readReadingForm(form).problems)
  expect(found).toEqual(Object.entries(problems).map(([name, text]) => [name, expect.stringMatching(text)]))
})

it('asks for a day where files since a day are to be taken', () => {
  const form = { ...folderFormOf(folder, 'k'), existing: 'since' } as const
  expect([dayProblem(form), readFolderForm(form)]).toEqual(['Choose a date.', null])
  expect(readFolderForm({ ...form, existingSince: '2026-02-30' })).toBeNull()
})

it('begins a new folder with the pauses of the contract and without a path', () => {
  const form = newFolderForm('k')
  expect(form).toMatchObject({ path: '', settleSeconds: 5, quietSeconds: 180, existing: 'ask' })
  expect(readFolderForm(form)).toBeNull()
})

it.each(['settleSeconds', 'quietSeconds', 'sweepSeconds'] as const)('is not saved with wrong %s', (name) => {
  expect(readFolderForm({ ...folderFormOf(folder, 'k'), [name]: undefined })).toBeNull()
})

it('takes a decimal comma', () => {
  expect(readNumber('0,5', { min: 0, max: 3_600 })).toBe(0.5)
})

it('never calls a version the newest before the first check', () => {
  expect(updateText({ kind: 'current', lookedAt: null, trouble: 'unreachable' })).toMatchObject({
    title: 'Not checked for updates yet.',
    trouble: expect.stringContaining('not reachable'),
  })
})
