import { expect, it } from 'vitest'
import {
  dayProblem,
  folderFormOf,
  newFolderForm,
  readFolderForm,
} from '../../../src-renderer/settings/folders.tsx'

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
