/** What dialogs say: trouble with managed files, the result of a recovery, what closing the window does. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserWindow } from 'electron'
import { expect, it, vi } from 'vitest'
import {
  createCloseExplainer,
  describeManagedTroubles,
  showRecoveryResult,
  showScreensFailed,
} from '../../../src-main/electron/dialogs.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import type { ManagedFile } from '../../../src-shared/setting-sources.ts'
import { worded } from '../../../src-shared/wording.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

type Shown = { message: string; detail: string; buttons: string[] }
const { shown, windows } = vi.hoisted(() => ({ shown: [] as Shown[], windows: [] as unknown[] }))
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: (...parameters: [...window: unknown[], options: Shown]) => {
      shown.push(parameters.at(-1) as Shown)
      windows.push(parameters.length > 1 ? parameters[0] : null)
      return Promise.resolve({ response: 0 })
    },
  },
}))

const file = (changes: Partial<ManagedFile>): ManagedFile => ({
  kind: 'policy',
  path: '/etc/fundus-courier/policy.json',
  state: 'read',
  inForce: 'this',
  detail: null,
  unknownNames: [],
  ...changes,
})

it.each<[string, Partial<ManagedFile>, RegExp | null]>([
  ['that is read', {}, null],
  ['that never was there', { state: 'none', inForce: 'nothing' }, null],
  ['that is gone', { state: 'none', inForce: 'lastKnown' }, /No file\.\nIts last version stays in force/],
  [
    'that is broken',
    { state: 'broken', inForce: 'lastKnown', detail: 'enforced.centerId: wrong' },
    /policy\.json\nNot valid\.\nenforced\.centerId: wrong\nIts last version/,
  ],
  [
    'that anyone may write',
    { state: 'unsafe', inForce: 'nothing' },
    /others than administrators.*\nThe station uses its own settings/,
  ],
  [
    'of settings that were never read',
    { kind: 'configuration', state: 'unreadable', inForce: 'nothing' },
    /Cannot be read\.\nNo earlier version is known.*safe mode: nothing is imported or sent/,
  ],
  [
    'of settings that are known from before',
    { kind: 'configuration', state: 'broken', inForce: 'lastKnown' },
    /Not valid\.\nIts last version stays in force/,
  ],
  ['of enrolment that was taken', { kind: 'enrolment', state: 'taken' }, null],
  ['of enrolment that is left', { kind: 'enrolment', state: 'left' }, /still in the file/],
  ['of enrolment for another service', { kind: 'enrolment', state: 'refused' }, /another service or center/],
])('a file %s is reported, or not at all', (_what, changes, detail) => {
  const expected: unknown[] = detail === null ? [] : [expect.stringMatching(detail)]
  expect(describeManagedTroubles([file({}), file(changes)], hostTexts('en'))).toEqual(expected)
  expect(describeManagedTroubles([file(changes)], hostTexts('es'))).toHaveLength(expected.length)
})

it.each([
  ['en', 'The outbox is sound', 'cases added 1, updated 2'],
  ['es', 'La bandeja de salida está sana', 'casos añadidos 1, actualizados 2'],
] as const)(
  'a recovery shows what it did, so that a sound outbox is not called recovered: %s',
  async (language, sound, counts) => {
    const done = [
      worded('start:recovery.noOutbox'),
      worded('start:recovery.counts', { added: 1, changed: 2 }),
      { message: 'A message of another version.' },
    ]
    await showRecoveryResult([worded('start:recovery.sound')], hostTexts(language))
    await showRecoveryResult(done, hostTexts(language))
    const [first, second] = shown.splice(0)
    expect([first?.message, first?.detail]).toEqual([expect.stringContaining(sound), ''])
    expect(second?.detail).toContain(counts)
    expect(second?.detail).toContain('\nA message of another version.')
  },
)

it('screens that keep crashing are a dialog of the window on macOS, so that it does not halt the station', async () => {
  const show = vi.fn()
  const window = { show } as unknown as BrowserWindow
  for (const platform of ['darwin', 'win32', 'linux'] as const)
    await showScreensFailed(hostTexts('en'), '/var/lib/logs', window, platform)
  expect([windows.slice(-3), show.mock.calls]).toEqual([[window, null, null], [[]]])
  const { t } = hostTexts('en')
  for (const { message, detail, buttons } of shown.splice(0)) {
    expect([message, buttons]).toEqual([t('life.failedTitle'), ['Try again']])
    for (const part of ['The station still imports images and sends cases.', '/var/lib/logs'])
      expect(detail).toContain(part)
  }
})

it('closing the window is explained once, also after a restart, and again if no person has seen it', async () => {
  const folder = temporaryFolder()
  let explained = 0
  const open = (explain = (): Promise<unknown> => Promise.resolve((explained += 1))) =>
    createCloseExplainer({
      path: join(folder, 'account', 'close-explained.json'),
      logger: createRecordingLogger(),
      explain,
    })
  await expect(open(() => Promise.reject(new Error('killed')))()).rejects.toThrow('killed')
  const closed = open()
  await Promise.all([closed(), closed()])
  await open()()
  expect(explained).toBe(1)
  expect(readdirSync(join(folder, 'account'))).toEqual(['close-explained.json'])
})
