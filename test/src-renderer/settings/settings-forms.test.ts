import { describe, expect, it } from 'vitest'
import { updateText } from '../../../src-renderer/settings/about.tsx'
import {
  dayProblem,
  folderFormOf,
  newFolderForm,
  readFolderForm,
} from '../../../src-renderer/settings/folders.tsx'
import { notificationFormOf, readNotificationForm } from '../../../src-renderer/settings/notifications.tsx'
import {
  matchesSavedSecret,
  readServiceForm,
  serviceFormOf,
} from '../../../src-renderer/settings/service.tsx'
import {
  gigabytesText,
  type Managed,
  mayChange,
  permittedChanges,
  rateText,
  readGigabytes,
  readRate,
  readSetting,
} from '../../../src-renderer/settings/settings-form.tsx'
import { filterSources, settingText, sourcesAsText } from '../../../src-renderer/settings/sources.tsx'
import { notificationSettingsSchema } from '../../../src-shared/desktop-settings.ts'
import {
  UPDATE_PROBLEMS,
  UPDATE_REFUSALS,
  UPDATE_WAITS,
  UPDATES_OFF,
  type UpdateState,
} from '../../../src-shared/desktop.ts'
import { type ManagedFile, type SettingInForce, settingsSchema } from '../../../src-shared/settings.ts'
import { speak } from '../speak.ts'

describe('a limit', () => {
  it.each([
    [null, { text: '', unit: 'kilobytes' }],
    [500_000, { text: '500', unit: 'kilobytes' }],
    [1_500_000, { text: '1.5', unit: 'megabytes' }],
  ] as const)('of %s is written and read back', (bytesPerSecond, written) => {
    expect(rateText(bytesPerSecond)).toEqual(written)
    expect(readRate(written, 77_777)).toBe(bytesPerSecond)
  })

  it('that was not touched stays exactly as it was', () => {
    expect(readRate(rateText(1_234_567), 1_234_567)).toBe(1_234_567)
  })

  it.each(['0', '4', '-5', 'fast', '1.000,5', '1e9'])(
    'of %j would stop everything or is no number',
    (text) => {
      expect(readRate({ text, unit: 'kilobytes' }, null)).toBe('wrong')
    },
  )

  it('takes a decimal comma', () => {
    expect(readRate({ text: '0,5', unit: 'megabytes' }, null)).toBe(500_000)
  })
})

describe('free space', () => {
  it('is written in gigabytes and read back', () => {
    expect(gigabytesText(1_024 ** 3)).toBe('1')
    expect(readGigabytes('2,5', 1)).toBe(2.5 * 1_024 ** 3)
    expect(readGigabytes('-1', 1)).toBeNull()
    expect(readGigabytes('much', 1)).toBeNull()
  })

  it('that was not touched stays exactly as it was', () => {
    expect(readGigabytes(gigabytesText(1_073_741_825), 1_073_741_825)).toBe(1_073_741_825)
  })
})

const LOCKED: Managed = { service: 'enforced', delivery: 'enforced', reports: 'preset' }

describe('settings that an administrator states', () => {
  it('may be changed unless they are enforced, and the service as long as its secret is open', () => {
    expect(mayChange(LOCKED, 'reports')).toBe(true)
    expect(mayChange(LOCKED, 'delivery')).toBe(false)
    expect(mayChange(LOCKED, 'service')).toBe(true)
    expect(mayChange({ ...LOCKED, 'service.clientSecret': 'enforced' }, 'service')).toBe(false)
  })

  it('are left out of a change where they are enforced, so that the rest is taken', () => {
    const { delivery, reports } = settingsSchema.parse({})
    expect(permittedChanges({ delivery, reports }, LOCKED)).toEqual({ reports })
    expect(permittedChanges({ delivery }, LOCKED)).toEqual({})
  })
})

it.each([
  ['2', 2],
  ['8', 8],
  ['0', null],
  ['9', null],
  ['2.5', null],
  ['', null],
  ['two', null],
])('reads %j as %s between 1 and 8', (text, value) => {
  expect(readSetting(text, { min: 1, max: 8, isWhole: true })).toBe(value)
})

describe('the form of the notices', () => {
  it.each([
    [{}],
    [{ needsPerson: 'off', reports: 'urgent' }],
    [{ sendingStopped: 'off', urgentInQuiet: 'off' }],
    [{ folderUnreachable: 'off', reports: 'off', quiet: { from: '22:30', to: '06:00' } }],
  ])('gives back %o as it was', (changes) => {
    const settings = notificationSettingsSchema.parse(changes)
    expect(readNotificationForm(notificationFormOf(settings))).toEqual(settings)
  })

  it('offers hours where there were none, and takes them only where they are used', () => {
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

it('leaves the secret out where none was typed, and so keeps it', () => {
  const { service } = readServiceForm(serviceFormOf(kept), kept.baseUrl)
  expect(service).toEqual({
    baseUrl: 'https://cases.example/api',
    clientId: 'north',
    callbackUrl: null,
    referenceField: 'other_relevant_info',
  })
})

it('sends a new secret exactly as it was typed', () => {
  const { service } = readServiceForm({ ...serviceFormOf(kept), secret: ' s3cret ' }, kept.baseUrl)
  expect(service?.clientSecret).toBe(' s3cret ')
})

it('can write the reference into no field', () => {
  expect(
    readServiceForm({ ...serviceFormOf(kept), referenceField: '' }, kept.baseUrl).service?.referenceField,
  ).toBeNull()
})

it('names every value that cannot be right', () => {
  const { service, problems } = readServiceForm(
    { ...serviceFormOf(null), baseUrl: 'http://cases.example', callbackUrl: 'x' },
    null,
  )
  expect(service).toBeNull()
  expect(Object.keys(problems).sort()).toEqual(['baseUrl', 'callbackUrl', 'clientId', 'secret'])
})

it('asks for the secret of another address, and for none where the address is as it was', () => {
  const moved = { ...serviceFormOf(kept), baseUrl: 'https://moved.example' }
  expect(matchesSavedSecret(moved, kept.baseUrl)).toBe(false)
  expect(Object.keys(readServiceForm(moved, kept.baseUrl).problems)).toEqual(['secret'])
  expect(readServiceForm({ ...moved, secret: 'its own' }, kept.baseUrl).service).toMatchObject({
    baseUrl: 'https://moved.example',
    clientSecret: 'its own',
  })
  expect(matchesSavedSecret({ ...moved, baseUrl: ` ${kept.baseUrl} ` }, kept.baseUrl)).toBe(true)
})

const folder = {
  path: 'D:\\Export',
  profile: 'auto',
  settleSeconds: 5,
  quietSeconds: 180,
  sweepSeconds: 60,
  existing: 'ignore',
  sendWithoutReview: true,
  watching: 'on',
  visitGapMinutes: null,
  dicom: 'original',
  lease: 'off',
} as const

it('reads a form back into the settings that it was made of', () => {
  expect(readFolderForm(folderFormOf(folder, 'k'))).toEqual(folder)
})

it('keeps the day of a folder, and the gap that its file states', () => {
  const since = {
    ...folder,
    existing: 'since',
    existingSince: '2026-06-01',
    visitGapMinutes: 90,
    watching: 'paused',
    profile: 'retcam',
    dicom: 'unwrap',
    lease: 'on',
  } as const
  expect(readFolderForm(folderFormOf(since, 'k'))).toEqual(since)
})

it('asks for a day where files since a day are to be taken', () => {
  const form = { ...folderFormOf(folder, 'k'), existing: 'since' } as const
  expect([dayProblem(form), readFolderForm(form)]).toEqual(['Choose the day.', null])
  expect(readFolderForm({ ...form, existingSince: '2026-02-30' })).toBeNull()
})

it('begins a new folder with the pauses of the contract and without a path', () => {
  const form = newFolderForm('k')
  expect([form.path, form.settle, form.quiet, form.sweep, form.existing]).toEqual([
    '',
    '5',
    '180',
    '60',
    'ask',
  ])
  expect(readFolderForm(form)).toBeNull()
})

it.each([
  ['settle', '-1'],
  ['quiet', 'soon'],
  ['sweep', '0'],
  ['sweep', ''],
] as const)('is not saved with %s %j', (name, text) => {
  expect(readFolderForm({ ...folderFormOf(folder, 'k'), [name]: text })).toBeNull()
})

it('takes a decimal comma', () => {
  expect(readFolderForm({ ...folderFormOf(folder, 'k'), settle: '0,5' })?.settleSeconds).toBe(0.5)
})

const item = (changes: Partial<SettingInForce>): SettingInForce => ({
  name: 'delivery.concurrency',
  value: 2,
  source: 'builtIn',
  isLocked: false,
  ...changes,
})

const ITEMS = [
  item({ source: 'policyEnforced', isLocked: true }),
  item({ name: 'requireBothEyes', value: true }),
  item({ name: 'centerId', value: null, source: 'person' }),
  item({ name: 'service.clientSecret', value: true, source: 'enrolment' }),
]

it('tells values in words, and of a secret only whether it is there', () => {
  expect(ITEMS.map(settingText)).toEqual(['2', 'true', '\u2013', 'kept, and never shown'])
  expect(settingText(item({ name: 'service.clientSecret', value: false }))).toBe('none is kept')
  expect(settingText(item({ name: 'requiredFields', value: '' }))).toBe('\u2013')
})

describe('the search', () => {
  it.each([
    ['', 4],
    ['CONCURRENCY', 1],
    ['policy enforced', 1],
    ['concurrency person', 0],
    ['set on this', 1],
  ])('for %j finds %d', (search, count) => {
    expect(filterSources(ITEMS, { search, isStatedOnly: false })).toHaveLength(count)
  })

  it('leaves out what is built in', () => {
    expect(filterSources(ITEMS, { search: '', isStatedOnly: true }).map(({ name }) => name)).toEqual([
      'delivery.concurrency',
      'centerId',
      'service.clientSecret',
    ])
  })
})

it('is copied as lines with tabs, the files first', () => {
  const file: ManagedFile = {
    kind: 'policy',
    path: '/etc/fundus-courier/policy.json',
    state: 'read',
    inForce: 'this',
    detail: null,
    unknownNames: [],
  }
  expect(sourcesAsText(ITEMS.slice(0, 2), [file])).toBe(
    'Policy\t/etc/fundus-courier/policy.json\tRead, and in force.\n' +
      'delivery.concurrency\t2\tPolicy, enforced\tCannot be changed on the screens\n' +
      'requireBothEyes\ttrue\tBuilt in',
  )
})

const version = '0.2.0'
const STATES: readonly UpdateState[] = [
  ...UPDATES_OFF.map((why) => ({ kind: 'off', why }) as const),
  { kind: 'current', lookedAt: null, trouble: null },
  { kind: 'current', lookedAt: Date.UTC(2026, 10, 21, 9), trouble: null },
  { kind: 'looking' },
  { kind: 'fetching', version, percent: 40 },
  ...UPDATE_REFUSALS.map((why) => ({ kind: 'refused', version, why }) as const),
  ...UPDATE_WAITS.map((waitsFor) => ({ kind: 'ready', version, waitsFor, trouble: null }) as const),
  ...UPDATE_PROBLEMS.map((trouble) => ({ kind: 'ready', version, waitsFor: 'word', trouble }) as const),
  { kind: 'installing', version },
]

describe('what is shown of an update', () => {
  it('never calls a version the newest before it was looked for one', () => {
    expect(updateText({ kind: 'current', lookedAt: null, trouble: 'unreachable' })).toMatchObject({
      title: 'It is not known whether there is a newer version.',
      trouble: expect.stringContaining('could not be reached'),
    })
  })

  it('is its own in every state and in both languages', async () => {
    const shown = (): readonly string[] => STATES.map((state) => JSON.stringify(updateText(state)))
    const english = shown()
    await speak('es')
    const spanish = shown()
    await speak('en')
    for (const texts of [english, spanish]) {
      expect(new Set(texts).size).toBe(STATES.length)
      expect(texts.filter((text) => /settings:|\{\{/.test(text))).toEqual([])
    }
    expect(english.filter((text) => spanish.includes(text))).toEqual([])
  })
})
