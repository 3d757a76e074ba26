import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { messageOf } from '../../../src-renderer/i18n/i18n.ts'
import {
  maySaveWhileTyping,
  savableOf,
  type SaveProgress,
  saveStateOf,
} from '../../../src-renderer/submission/autosave.ts'
import {
  type Draft,
  draftOf,
  dropDraftField,
  forgetDraft,
  rebaseDraftField,
  seenWhileTyping,
  setDraftField,
} from '../../../src-renderer/submission/drafts.ts'
import {
  conflictsOf,
  fieldText,
  HALF_TYPED_DATE,
  readDraft as readDraftIn,
  readField as readFieldIn,
  restOf,
} from '../../../src-renderer/submission/form.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { FIELD_NAMES, type FieldName, type Fields, MEASUREMENTS } from '../../../src-shared/fields.ts'
import { hardRangeOf } from '../../../src-shared/measurement-ranges.ts'
import { speak } from '../speak.ts'

const readField = (name: FieldName, text: string) => readFieldIn(name, text, 'decimal')
const readDraft = (draft: Draft, fields: Fields) => readDraftIn(draft, fields, 'decimal')

describe('a typed field', () => {
  it.each(MEASUREMENTS)('of %s may stand on its hard bounds and not beyond them', (measurement) => {
    const { min, max } = hardRangeOf(measurement, 'decimal')
    // A meridian of 0 is called 180.
    const onBound = measurement === 'axis' ? [1, max] : [min, max]
    for (const value of onBound)
      expect(readField(`od_${measurement}`, String(value))).toEqual({ kind: 'value', value })
    for (const value of [min - 0.1, max + 0.1])
      expect(readField(`os_${measurement}`, String(value)).kind).toBe('problem')
  })

  it.each([
    ['age', '58', { kind: 'value', value: 58 }],
    ['age', '131', 'problem'],
    ['age', '5,5', 'problem'],
    ['visit_date', '2026-02-30', 'problem'],
    ['visit_date', HALF_TYPED_DATE, 'problem'],
    ['visit_date', '2026-11-20', { kind: 'value', value: '2026-11-20' }],
    ['gender', '0', { kind: 'value', value: 0 }],
    ['diabetes', '', { kind: 'empty' }],
    ['history_number', ' H-7 ', { kind: 'value', value: 'H-7' }],
    ['visit_reason', '  ', { kind: 'empty' }],
    ['retinologist_notes', 'x'.repeat(10_001), 'problem'],
    ['od_va', 'CF', 'problem'],
  ] as const)('%s %j', (name, text, expected) => {
    const read = readField(name, text)
    if (typeof expected === 'string') expect(read.kind).toBe(expected)
    else expect(read).toEqual(expected)
  })
})

describe('a draft', () => {
  const stored = { history_number: 'H-7', od_sphere: 1.25, diabetes: 0 } as const

  it.each<[string, Draft, object, string[]]>([
    [
      'what differs from what is stored',
      { history_number: 'H-7', od_sphere: '+1,25', os_iop: '16', diabetes: '1' },
      { os_iop: 16, diabetes: 1 },
      [],
    ],
    ['a statement that was emptied, but not nothing', { diabetes: '', os_iop: '' }, { diabetes: null }, []],
    ['zero, which is not nothing', { od_sphere: '0' }, { od_sphere: 0 }, []],
    ['nothing that cannot be saved', { od_iop: '300' }, {}, ['od_iop']],
  ])('changes %s', (_what, draft, changes, wrong) => {
    const read = readDraft(draft, stored)
    expect([read.changes, Object.keys(read.problems)]).toEqual([changes, wrong])
  })

  it('of stored values alone changes nothing, whatever their form', () => {
    const fields = {
      age: 58,
      gender: 1,
      od_axis: 45,
      od_sphere: -0.5,
      os_va: 0.8,
      visit_date: '2026-11-20',
    } as const
    const draft = Object.fromEntries(FIELD_NAMES.map((name) => [name, fieldText(name, fields, 'decimal')]))
    expect(readDraft(draft, fields)).toEqual({ changes: {}, problems: {} })
  })
})

it('keeps a visual acuity what it is when the service expects logMAR', () => {
  const fields = { od_va: 0.1, os_va: 0.3 }
  const draft = { od_va: fieldText('od_va', fields, 'logMAR'), os_va: '20/40' }
  expect(draft.od_va).toBe('logMAR 0.1')
  expect(readDraftIn(draft, fields, 'logMAR').changes).toEqual({ os_va: 0.301 })
})

describe('a change from elsewhere', () => {
  const conflicts = (draft: Draft, bases: Fields, fields: Fields) =>
    conflictsOf({ draft, bases }, fields, 'decimal')

  it.each([
    ['the stored value is as it was', { od_iop: '16' }, { od_iop: 14 }, { od_iop: 14 }, []],
    ['it was nothing and is nothing', { od_iop: '16' }, {}, {}, []],
    ['another value was stored', { od_iop: '16' }, { od_iop: 14 }, { od_iop: 15 }, ['od_iop']],
    ['it was cleared', { od_iop: '16' }, { od_iop: 14 }, {}, ['od_iop']],
    ['the same was typed there', { od_iop: '16' }, { od_iop: 14 }, { od_iop: 16 }, []],
    ['the other text cannot be read', { od_iop: '1x' }, { od_iop: 14 }, { od_iop: 16 }, ['od_iop']],
    ['both cleared it', { od_iop: '' }, { od_iop: 14 }, {}, []],
    ['something else was changed', { od_iop: '16' }, { od_iop: 14 }, { od_iop: 14, age: 5 }, []],
  ] as const)('where %s', (_what, draft, bases, fields, expected) => {
    expect(conflicts(draft, bases, fields)).toEqual(expected)
  })
})

// Other files of this thread have cases of these names, too.
afterEach(() => {
  for (const id of ['a', 'b', 'c', 'e']) forgetDraft(id, draftOf(id).draft, {})
})

it('keeps what was typed while an earlier state of it was being saved, over what was saved', () => {
  setDraftField('a', 'od_iop', '16', undefined)
  setDraftField('a', 'visit_reason', 'Blurred', 'Control')
  const saved = draftOf('a').draft
  setDraftField('a', 'visit_reason', 'Blurred vision', 'Control')
  expect(draftOf('a').bases).toEqual({ od_iop: undefined, visit_reason: 'Control' })
  forgetDraft('a', saved, { od_iop: 16, visit_reason: 'Blurred' })
  expect(draftOf('a').draft).toEqual({ visit_reason: 'Blurred vision' })
  expect(draftOf('a').bases).toEqual({ visit_reason: 'Blurred' })
})

it('keeps the drafts of different submissions apart, each with the value of its first letter', () => {
  setDraftField('b', 'od_iop', '16', undefined)
  setDraftField('c', 'od_iop', '1', 14)
  setDraftField('c', 'od_iop', '17', 15)
  forgetDraft('b', draftOf('b').draft, {})
  expect([draftOf('b').draft, draftOf('c')]).toEqual([
    {},
    { draft: { od_iop: '17' }, bases: { od_iop: 14 }, seen: {}, rest: null },
  ])
})

it('takes what a person decides about a change from elsewhere', () => {
  setDraftField('e', 'od_iop', '16', 14)
  setDraftField('e', 'os_iop', '17', 14)
  rebaseDraftField('e', 'od_iop', 15)
  dropDraftField('e', 'os_iop')
  expect([draftOf('e').draft, draftOf('e').bases]).toEqual([{ od_iop: '16' }, { od_iop: 15 }])
})

const STORED = { fields: { od_iop: 14, visit_reason: 'Control' } }

describe('what can be saved of a draft', () => {
  it('is all but what is wrong and what someone else has changed', () => {
    const draft = { od_iop: '300', os_iop: '16', visit_reason: 'Blurred', age: '58' }
    const bases = { od_iop: 14, os_iop: undefined, visit_reason: 'Before', age: undefined }
    const savable = savableOf({ draft, bases, rest: null }, STORED, 'decimal', [])
    expect(savable.changes).toEqual({ os_iop: 16, age: 58 })
    expect(savable.draft).toEqual({ os_iop: '16', age: '58' })
    expect([savable.wrong, savable.conflicts]).toEqual([['od_iop'], ['visit_reason']])
  })
})

describe('what came with a number that is changed', () => {
  const fields = { history_number: 'T-41', last_name: 'Probe', od_iop: 14, visit_reason: 'Control' }
  const proof = { restsOnNumber: ['last_name', 'od_iop'] as const satisfies FieldName[] }
  const of = (draft: Draft, of = fields as Fields) => restOf({ draft }, { fields: of }, proof)

  it.each<readonly [string, readonly FieldName[], readonly FieldName[]]>([
    ['another number is typed', of({ history_number: 'T-42' }), ['last_name', 'od_iop']],
    ['the number is emptied', of({ history_number: '' }), ['last_name', 'od_iop']],
    ['one of them is typed, too', of({ history_number: 'T-42', od_iop: '15' }), ['last_name']],
    ['only something else is typed', of({ od_iop: '15' }), []],
    ['the number is typed as it was', of({ history_number: ' T-41 ' }), []],
    ['there was none', of({ history_number: 'T-42' }, { last_name: 'Probe' }), []],
  ])('%s', (_when, found, expected) => {
    expect(found).toEqual(expected)
  })

  const saved = (rest: 'keep' | 'clear' | null) =>
    savableOf(
      { draft: { history_number: 'T-42', visit_reason: 'Pain' }, bases: fields, rest },
      { fields },
      'decimal',
      ['last_name', 'od_iop'],
    )

  it('holds the number back until a person has said what becomes of it', () => {
    expect(saved(null)).toMatchObject({
      changes: { visit_reason: 'Pain' },
      draft: { visit_reason: 'Pain' },
      undecided: ['last_name', 'od_iop'],
    })
    expect(saved(null).changes).not.toHaveProperty('history_number')
  })

  it('is entered with the number if it is kept, and left to the sources if not', () => {
    const typed = { history_number: 'T-42', visit_reason: 'Pain' }
    expect(saved('keep').changes).toEqual({ ...typed, last_name: 'Probe', od_iop: 14 })
    expect(saved('clear').changes).toEqual(typed)
  })
})

describe('how the form stands', () => {
  const savable: SaveProgress['savable'] = { changes: {}, draft: {}, wrong: [], conflicts: [], undecided: [] }
  const clean: SaveProgress = { savable, isSaving: false, failure: null, savedAt: null }
  const typed: SaveProgress = { ...clean, savable: { ...savable, changes: { age: 5 } }, savedAt: 5 }

  it.each<[RegExp, SaveProgress]>([
    [/^$/, clean],
    [/^Saved /, { ...clean, savedAt: 5 }],
    [/^Not saved yet$/, typed],
    [/^Saving/, { ...typed, isSaving: true }],
    [/^Not saved: correct the values/, { ...clean, savable: { ...savable, wrong: ['age'] }, savedAt: 5 }],
    [
      /^Not saved: someone else/,
      { ...clean, savable: { ...savable, wrong: ['age'], conflicts: ['od_iop'] } },
    ],
    [/^Not saved: keep/, { ...typed, savable: { ...typed.savable, undecided: ['age'] } }],
    [/^Not saved: No/, { ...typed, failure: { message: 'No.' } }],
  ])('%s', (text, progress) => {
    const state = saveStateOf(progress)
    expect(state.text).toMatch(text)
    expect(state.isTrouble).toBe(state.text.startsWith('Not saved: '))
  })

  it('states a failure in the language of the screens', async () => {
    await speak('es')
    onTestFinished(() => speak('en'))
    const failure = failureOf('notFound')
    const { text } = saveStateOf({ ...clean, failure })
    expect(text).toContain(messageOf(failure))
    expect(text).not.toContain(failure.message)
  })
})

it('saves nothing half typed into a case that may leave at any moment', () => {
  expect((['waiting', 'collecting'] as const).map(maySaveWhileTyping)).toEqual([false, false])
  expect((['incomplete', 'review', 'held', 'refused'] as const).every(maySaveWhileTyping)).toBe(true)
})

it('number and day answer what was shown when they were typed, and not what came before they are saved', () => {
  const shown = (voice: string) => ({
    patient: [`${voice}p`],
    visitDay: [`${voice}d`],
    eyes: { [voice]: [] },
  })
  setDraftField('s', 'od_iop', '16', undefined, shown('0'))
  expect(seenWhileTyping(draftOf('s'))).toBeUndefined()
  setDraftField('s', 'history_number', '7', undefined, shown('1'))
  setDraftField('s', 'history_number', '70', undefined, shown('2'))
  setDraftField('s', 'visit_date', '2026-11-20', undefined, shown('3'))
  expect(seenWhileTyping(draftOf('s'))).toEqual({ patient: ['2p'], visitDay: ['3d'], eyes: { 2: [] } })
  forgetDraft('s', { history_number: '70' }, {})
  expect(seenWhileTyping(draftOf('s'))).toEqual({ patient: [], visitDay: ['3d'], eyes: { 3: [] } })
})
