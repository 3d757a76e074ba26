import { describe, expect, it } from 'vitest'
import {
  type ExpectedCase,
  isOtherPatient,
  matchCases,
} from '../../../../src-main/station/delivery/match-cases.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { referenceOf } from '../../../../src-shared/reference.ts'
import { serviceCase } from './scripted-service.ts'

const REFERENCE = referenceOf(Buffer.alloc(8, 3))
const OTHER_REFERENCE = referenceOf(Buffer.alloc(8, 4))
const EXPECTED: ExpectedCase = {
  reference: REFERENCE,
  fields: { history_number: 'H-00017', visit_date: '2026-11-20', first_name: 'Zoë', last_name: 'Müller' },
  isKnown: (caseId) => caseId === '1' || caseId === '0',
  wasKnownAtFirst: (caseId) => caseId === '0',
  bound: new Set(['2']),
}

const marked = (caseId: string, quoted = ''): ServiceCase =>
  serviceCase(caseId, { raw: { patient: { notes: [`Cataract ${quoted}\n${REFERENCE}`] } } })
const ours = (caseId: string, stated: Partial<ServiceCase> = {}): ServiceCase =>
  serviceCase(caseId, { historyNumber: 'H-00017', visitDate: '2026-11-20', ...stated })
const stranger = (caseId: string): ServiceCase => serviceCase(caseId, { historyNumber: 'H-9' })

const echoed = (caseId: string) => ({ kind: 'echoedReference', caseIds: [caseId] })
const doubtful = (caseId: string) => ({ kind: 'marked', caseIds: [caseId] })
const several = { kind: 'several', caseIds: ['5', '6'] }
const absent = { kind: 'absent', caseIds: [] }

describe('a lookup in the list', () => {
  it.each<[what: string, cases: ServiceCase[], result: object]>([
    ['no case is there', [], absent],
    ['only others are there', [stranger('5'), stranger('6')], absent],
    ['one carries the reference', [stranger('5'), marked('6')], echoed('6')],
    ['one carries the reference and another looks alike', [ours('5'), marked('6')], echoed('6')],
    // A case of an earlier attempt of the same submission was there before this one.
    ['an old one carries the reference', [marked('1')], echoed('1')],
    ['two carry the reference', [marked('5'), marked('6')], several],
    ['one of another submission carries the reference', [marked('2')], doubtful('2')],
    ['one of another submission quotes the reference', [marked('2', OTHER_REFERENCE)], absent],
    ['one names two references', [marked('6', OTHER_REFERENCE)], doubtful('6')],
    ['one names two, another ours alone', [marked('6', OTHER_REFERENCE), marked('7')], echoed('7')],
    ['the reference is with another patient', [{ ...marked('6'), historyNumber: 'H-9' }], doubtful('6')],
    ['one of before the first attempt carries the reference', [marked('0')], doubtful('0')],
    [
      'one that is bound by its other id carries the reference',
      [{ ...marked('6'), raw: { id: 6, uuid: '2', notes: REFERENCE } }],
      doubtful('6'),
    ],
    ['one looks alike', [stranger('5'), ours('6')], { kind: 'sameIdentity', caseIds: ['6'] }],
    ['one that was there before looks alike', [ours('1')], absent],
    ['one that is bound looks alike', [ours('2')], absent],
    ['two look alike', [ours('5'), ours('6')], several],
  ])('if %s', (_what, cases, result) => {
    expect(matchCases(cases, EXPECTED)).toEqual(result)
  })

  it.each([
    ['small letters and spaces', { historyNumber: ' h-00017 ' }],
    ['accents', { firstName: 'zoe', lastName: 'MULLER' }],
    ['a time behind the date', { visitDate: '2026-11-20T09:30:00Z' }],
    ['fields that the list does not show', { visitDate: null, firstName: null }],
  ])('is not misled by %s', (_what, shown) => {
    expect(matchCases([ours('6', shown)], EXPECTED)).toEqual({ kind: 'sameIdentity', caseIds: ['6'] })
  })

  it('never takes a case that does not show its history number for ours', () => {
    const shown = { historyNumber: null, firstName: 'Zoë', lastName: 'Müller' }
    expect(matchCases([ours('6', shown)], EXPECTED).kind).not.toBe('sameIdentity')
  })
})

/** Absence may have a case sent again, so whatever could be ours must not pass for absent. */
describe('it is not called absent', () => {
  it.each([
    ['that shows nothing of itself', serviceCase('6'), 'H-00017'],
    ['of the same number, its date written differently', ours('6', { visitDate: '20/11/2026' }), 'H-00017'],
    [
      'of the same number, dated in another zone',
      ours('6', { visitDate: '2026-11-19T23:00:00Z' }),
      'H-00017',
    ],
    ['of the same number, names exchanged', ours('6', { firstName: 'Müller', lastName: 'Zoë' }), 'H-00017'],
    ['whose number lost its leading zeros', ours('6', { historyNumber: '17' }), '00017'],
    ['whose number lost its dash', ours('6', { historyNumber: 'H00017' }), 'H-00017'],
  ])('if there is a new case %s', (_what, one, historyNumber) => {
    const expected = { ...EXPECTED, fields: { ...EXPECTED.fields, history_number: historyNumber } }
    expect(matchCases([stranger('5'), one], expected).kind).not.toBe('absent')
  })

  it('where only others are new, that is what it is called', () => {
    const others = [
      stranger('5'),
      ours('6', { historyNumber: 'H-00018' }),
      ours('7', { historyNumber: '18' }),
    ]
    expect(matchCases(others, EXPECTED)).toEqual(absent)
  })
})

describe('another patient', () => {
  it.each([
    ['H-00018', 'H-00017', true],
    ['h-00017 ', 'H-00017', false],
    [null, 'H-00017', false],
    ['H-00018', undefined, false],
    // A service that keeps it as a number, or without what it takes for decoration.
    ['17', '00017', false],
    ['H00017', 'H-00017', false],
  ])('is shown by %j where ours is %j: %j', (theirs, ours, isOther) => {
    const fields = ours === undefined ? {} : { history_number: ours }
    expect(isOtherPatient(serviceCase('6', { historyNumber: theirs }), fields)).toBe(isOther)
  })
})
