import { describe, expect, it } from 'vitest'
import {
  centerChoices,
  firstOpenStep,
  markOf,
  needsSetup,
  readCompletedSteps,
  SETUP_STEPS,
  type SetupStep,
  stepAfter,
  stepBefore,
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

  it.each<[readonly SetupStep[], SetupStep]>([
    [[], 'language'],
    [['language'], 'folder'],
    [['language', 'service'], 'folder'],
    [['language', 'folder', 'service', 'center', 'units', 'computer'], 'done'],
    [SETUP_STEPS, 'done'],
  ])('goes on after %o at %s', (done, step) => {
    expect(firstOpenStep(done)).toBe(step)
  })

  it('has one step before and one after each but the ends', () => {
    expect(SETUP_STEPS.map(stepBefore)).toEqual([null, ...SETUP_STEPS.slice(0, -1)])
    expect(SETUP_STEPS.map(stepAfter)).toEqual([...SETUP_STEPS.slice(1), 'done'])
  })

  it.each<[SetupStep, SetupStep, readonly SetupStep[], boolean, string, ('trouble' | 'reachable')?]>([
    ['folder', 'folder', ['folder'], false, 'current'],
    ['folder', 'service', [], false, 'open'],
    ['folder', 'service', ['folder'], false, 'skipped'],
    ['folder', 'service', ['folder'], true, 'done'],
    ['service', 'center', ['service'], false, 'skipped'],
    ['service', 'center', ['service'], true, 'done'],
    ['center', 'units', ['center'], false, 'done'],
    ['service', 'center', ['service'], true, 'trouble', 'trouble'],
    ['service', 'service', ['service'], true, 'current', 'trouble'],
    ['center', 'units', ['center'], true, 'done', 'trouble'],
    ['service', 'center', ['service'], true, 'done', 'reachable'],
  ])('marks %s, seen from %s after %o and set: %s, as %s', (step, at, done, isSet, mark, light) => {
    const settings = { service: isSet ? SERVICE : null, folders: isSet ? FOLDERS : [] }
    expect(markOf(step, at, done, settings, light)).toBe(mark)
  })

  it.each([
    [null, []],
    ['', []],
    ['service language', ['language', 'service']],
    ['language welcome', ['language']],
  ])('reads %o as %o', (text, steps) => {
    expect(readCompletedSteps(text)).toEqual(steps)
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
    [null, '101', ['101', '']],
    [null, null, ['']],
    [[], null, ['']],
  ])('of the list %o, with %o set, are %o', (listed, set, values) => {
    expect(centerChoices(listed, set).map(({ value }) => value)).toEqual(values)
  })

  it('say which one the service does not list, only if there is a list', () => {
    expect(centerChoices(LISTED, '999')[2]?.description).toBe('Not in the list of the service')
    expect(centerChoices(null, '999')[0]?.description).toBe('')
    const labels = centerChoices(LISTED, null).map(({ label }) => label)
    expect(labels).toEqual(['North', '205', 'This station never switches'])
  })
})
