import { describe, expect, it } from 'vitest'
import {
  centerChoices,
  firstStep,
  markOf,
  needsSetup,
  type SetupStep,
} from '../../../src-renderer/setup/setup-steps.ts'
import { folderSettingsSchema } from '../../../src-shared/folder-settings.ts'

const NAMES = { clientId: 'c', callbackUrl: null, referenceField: null, hasClientSecret: true }
const SERVICE = { ...NAMES, baseUrl: 'https://cases.example' }
const FOLDERS = [folderSettingsSchema.parse({ path: '/camera' })]

describe('the set-up', () => {
  it.each([
    ['open', null, [], true],
    ['open', SERVICE, [], true],
    ['open', null, FOLDERS, true],
    ['open', SERVICE, FOLDERS, false],
    ['done', null, [], false],
  ] as const)(
    'that is %s, with %o and %o, is shown automatically: %s',
    (setup, service, folders, isShown) => {
      expect(needsSetup({ setup, service, folders: [...folders] })).toBe(isShown)
    },
  )

  it.each<[typeof SERVICE | null, typeof FOLDERS, SetupStep]>([
    [null, [], 'folder'],
    [SERVICE, [], 'folder'],
    [null, FOLDERS, 'service'],
    [SERVICE, FOLDERS, 'ready'],
  ])('with %o and %o, begins at %s', (service, folders, step) => {
    expect(firstStep({ service, folders })).toBe(step)
  })

  it.each<[SetupStep, SetupStep, boolean, string, 'trouble'?]>([
    ['folder', 'folder', false, 'current'],
    ['folder', 'service', false, 'open'],
    ['service', 'ready', false, 'open'],
    ['service', 'ready', true, 'done'],
    ['service', 'ready', true, 'trouble', 'trouble'],
    ['folder', 'ready', true, 'done', 'trouble'],
    ['ready', 'service', true, 'open'],
  ])('marks %s, seen from %s and set: %s, as %s', (step, at, isSet, mark, light) => {
    const settings = { service: isSet ? SERVICE : null, folders: isSet ? FOLDERS : [] }
    expect(markOf(step, at, settings, light)).toBe(mark)
  })
})

const LISTED = [
  { centerId: '101', name: 'North', isCurrent: true },
  { centerId: '205', name: null, isCurrent: null },
]

describe('the centers to choose from', () => {
  it.each([
    [LISTED, '101', ['101', '205', '']],
    [LISTED, null, ['101', '205', '']],
    [LISTED, '999', ['101', '205', '999', '']],
    [[], null, ['']],
  ])('of the list %o, with %o set, are %o', (listed, set, values) => {
    expect(centerChoices(listed, set).map(({ value }) => value)).toEqual(values)
  })

  it('say which one the service does not list', () => {
    expect(centerChoices(LISTED, '999')[2]?.description).toBe('Not listed by the service')
    const labels = centerChoices(LISTED, null).map(({ label }) => label)
    expect(labels).toEqual(['North', '205', 'The one of these credentials'])
  })
})
