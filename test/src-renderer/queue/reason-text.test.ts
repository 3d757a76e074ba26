import { expect, it } from 'vitest'
import { reasonText } from '../../../src-renderer/queue/reason-text.ts'
import { maskName, maskWithin } from '../../../src-renderer/privacy/mask-name.ts'
import type { Names } from '../../../src-renderer/privacy/use-names.ts'

const FIELDS = { last_name: 'Sampleton' }
const names = (areHidden: boolean): Names => ({
  areHidden,
  name: (text) => (areHidden ? maskName(text) : text),
  nameOf: () => null,
  whoIs: () => '',
  within: (text, fields) => (areHidden ? maskWithin(text, fields) : text),
})

it.each([
  { kind: 'valueConflict', field: 'last_name', message: 'Sampleton or Other?' },
  { kind: 'identityConflict', message: 'The folder says Other.' },
  { kind: 'nameUnclear', message: 'Other' },
] as const)('does not cite names that are hidden: $kind', (reason) => {
  expect(reasonText(reason, FIELDS, names(false))).toBe(reason.message)
  expect(reasonText(reason, FIELDS, names(true))).not.toMatch(/Other|Sampleton/)
})

it('says of everything else what there is to say, without the name in it', () => {
  const reason = { kind: 'eyeUnknown', message: 'Which eye shows Sampleton_1.jpg?' } as const
  expect(reasonText(reason, FIELDS, names(true))).toBe('Which eye shows S\u2022\u2022\u2022_1.jpg?')
})
