import { expect, it } from 'vitest'
import { maskFileName, maskName, maskNameIn, type Names } from '../../../src-renderer/privacy/names.tsx'
import { reasonText } from '../../../src-renderer/queue/detail-cell.tsx'
import { hasSeveralCenters, stableOrder } from '../../../src-renderer/queue/queue-table.tsx'
import { INITIAL_STATE } from '../../../src-renderer/store/state.ts'
import type { Image } from '../../../src-shared/submission.ts'
import { syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

it.each([
  { current: null, centers: [null, null], areSeveral: false },
  { current: '101', centers: ['101', '101'], areSeveral: false },
  { current: '101', centers: ['101', null], areSeveral: false },
  { current: '101', centers: ['102', '102'], areSeveral: true },
  { current: null, centers: ['101', '102'], areSeveral: true },
])('$centers under $current: several $areSeveral', ({ current, centers, areSeveral }) => {
  const rows = centers.map((centerId, index) => syntheticSubmission(`s${index}`, { centerId }))
  const state = {
    ...INITIAL_STATE,
    status: syntheticStatus({ centerId: current }),
    submissions: Object.fromEntries(rows.map((row) => [row.id, row])),
    queue: { ...INITIAL_STATE.queue, ids: rows.map(({ id }) => id) },
  }
  expect(hasSeveralCenters(state)).toBe(areSeveral)
})

it('keeps every row in its place, puts new ones last, and lets go of what is gone', () => {
  expect(stableOrder(['a', 'b', 'c'], ['new', 'c', 'a'])).toEqual(['a', 'c', 'new'])
})

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
