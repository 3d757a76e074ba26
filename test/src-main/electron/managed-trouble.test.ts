import { expect, it } from 'vitest'
import { describeManagedTrouble } from '../../../src-main/electron/dialogs.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import type { ManagedFile } from '../../../src-shared/settings.ts'

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
  ['that is gone', { state: 'none', inForce: 'lastKnown' }, /The file is gone.*\nWhat it said before/],
  [
    'that is broken',
    { state: 'broken', inForce: 'lastKnown', detail: 'enforced.centerId: wrong' },
    /policy\.json\nThe file cannot be understood\.\nenforced\.centerId: wrong\nWhat it said before/,
  ],
  [
    'that anybody may write',
    { state: 'unsafe', inForce: 'nothing' },
    /Others than an administrator.*\nThe station goes on/,
  ],
  [
    'of settings that nobody knows',
    { kind: 'configuration', state: 'unreadable', inForce: 'nothing' },
    /cannot be read\.\nWhat it said before is not known.*safe mode: nothing is taken in and nothing is sent/,
  ],
  [
    'of settings that are known from before',
    { kind: 'configuration', state: 'broken', inForce: 'lastKnown' },
    /cannot be understood\.\nWhat it said before still holds/,
  ],
  ['of enrolment that was taken', { kind: 'enrolment', state: 'taken' }, null],
  ['of enrolment that is left', { kind: 'enrolment', state: 'left' }, /still lies in it/],
  ['of enrolment for another service', { kind: 'enrolment', state: 'refused' }, /nothing of it was taken/],
])('a file %s is told in words, or not at all', (_what, changes, words) => {
  const said = describeManagedTrouble([file({}), file(changes)], hostTexts('en'))
  if (words === null) expect(said).toBeNull()
  else expect(said?.detail).toMatch(words)
  expect(describeManagedTrouble([file(changes)], hostTexts('es')) === null).toBe(words === null)
})
