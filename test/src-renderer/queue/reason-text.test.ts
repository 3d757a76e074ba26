import { expect, it } from 'vitest'
import { maskFileName, maskName, maskNameIn, type Names } from '../../../src-renderer/privacy/names.tsx'
import { reasonText } from '../../../src-renderer/queue/detail-cell.tsx'
import type { Image } from '../../../src-shared/submission.ts'

const image = { fileName: 'visit/Mocksey_2.jpg' } as Image
const OF = { fields: { last_name: 'Sampleton' }, images: [image] }
const names = (areHidden: boolean): Names => ({
  areHidden,
  name: (text) => (areHidden ? maskName(text) : text),
  nameOf: () => null,
  patientLabel: () => '',
  fileName: (text) => (areHidden ? maskFileName(text) : text),
  text: (text, fields) => (areHidden ? maskNameIn(text, fields) : text),
})

it.each([
  { kind: 'valueConflict', field: 'last_name', message: 'Sampleton or Other?' },
  { kind: 'identityConflict', message: 'The folder says Other.' },
  { kind: 'nameUnclear', message: 'Other' },
] as const)('does not cite names that are hidden: $kind', (reason) => {
  expect(reasonText(reason, OF, names(false))).toBe(reason.message)
  expect(reasonText(reason, OF, names(true))).not.toMatch(/Other|Sampleton/)
})

it('says of everything else what there is to say, without the name in it', () => {
  const reason = { kind: 'eyeUnknown', message: 'Which eye shows Sampleton_1.jpg?' } as const
  expect(reasonText(reason, OF, names(true))).toBe('Which eye shows S\u2022\u2022\u2022_1.jpg?')
})

it('names no file as the case does not spell the patient', () => {
  const reason = { kind: 'eyeUnknown', message: 'Which eye shows Mocksey_2.jpg?' } as const
  expect(reasonText(reason, OF, names(false))).toBe('Which eye shows Mocksey_2.jpg?')
  expect(reasonText(reason, OF, names(true))).toBe('Which eye shows M\u2022\u2022\u2022_2.jpg?')
})
