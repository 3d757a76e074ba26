import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { describe, expect, it } from 'vitest'
import type { Doubt, Statement, Verdict } from '../../../../src-main/station/cases/verdict/evidence.ts'
import type { VisitVerdict } from '../../../../src-main/station/cases/verdict/visit.ts'
import { storedVerdict } from '../../../../src-main/station/cases/decide.ts'
import { mayLeaveUnseen, raisesQuestion, type Verdict as Stored } from '../../../../src-shared/verdict.ts'

type Answers = Parameters<typeof storedVerdict>[1]
type VerdictImage = Parameters<typeof storedVerdict>[2][number]

const dicom = <Value>(value: Value): Statement<Value> => ({ value, source: 'dicom', where: '1.dcm' })
const named = <Value>(value: Value): Statement<Value> => ({ value, source: 'fileName', where: '1.dcm' })

const right: Verdict<StatedEye> = { kind: 'proven', value: 'right', by: [dicom('right')] }

const PROVEN: VisitVerdict = {
  who: { kind: 'proven', value: 'H-00017', by: [dicom('H-00017'), dicom('H-00017')] },
  day: { kind: 'proven', value: '2026-11-20', by: [dicom('2026-11-20')] },
  together: { kind: 'proven' },
  isOneEyed: false,
  eyes: new Map([['i0', right]]),
  profiles: [],
}

const BY_PROGRAM: Answers = { sources: {}, answered: [], eyes: PROVEN.eyes, fields: [] }

const image = (changes: Partial<VerdictImage> = {}): VerdictImage => ({
  id: 'i0',
  eye_source: 'dicom',
  excluded_because: null,
  twin_of: null,
  ...changes,
})

/** The parts that are not proven, with their kinds. */
function doubts({ eyes, profiles: _profiles, fields: _fields, ...parts }: Stored): string[] {
  return Object.entries({ ...parts, ...eyes }).flatMap(([part, { kind, why }]) =>
    kind === 'proven' ? [] : [`${part} ${kind} ${why}`],
  )
}

const who = (verdict: Verdict<string>): VisitVerdict => ({ ...PROVEN, who: verdict })
const proposed = <Value>(value: Value, why: Doubt): Verdict<Value> => ({
  kind: 'proposed',
  value,
  by: [named(value)],
  why,
})
const disputed = <Value>(one: Value, other: Value): Verdict<Value> => ({
  kind: 'disputed',
  statements: [dicom(one), named(other)],
  why: 'sourcesDiffer',
})

const NAMED = { ...who(proposed('H-00017', 'readFromNames')), day: proposed('2026-11-20', 'fileTime') }
const TWO_PEOPLE: VisitVerdict = {
  ...PROVEN,
  who: { kind: 'disputed', statements: [dicom('Ana'), named('Eva')], why: 'twoPeople' },
}
const OF_TWO: VisitVerdict = { ...PROVEN, together: { kind: 'unknown', why: 'noLink', groups: [] } }

describe('the stored verdict', () => {
  it.each<readonly [string, VisitVerdict, Partial<Answers>, readonly string[]]>([
    ['is proven if all of it is', PROVEN, {}, []],
    ['keeps what is proposed, and why', NAMED, {}, ['who proposed readFromNames', 'day proposed fileTime']],
    ['keeps a dispute', who(disputed('H-1', 'H-2')), {}, ['who disputed sourcesDiffer']],
    ['keeps what is unknown', who({ kind: 'unknown', why: 'placeholder' }), {}, ['who unknown placeholder']],
    ['keeps the question of how many patients', OF_TWO, {}, ['together unknown noLink']],
    ['is proven by an answer of a person', NAMED, { answered: ['patient', 'visitDay'] }, []],
    ['is proven in the answered part only', NAMED, { answered: ['patient'] }, ['day proposed fileTime']],
    ['holds together what a person has grouped', OF_TWO, { answered: ['together'] }, []],
    // B6: a number says nothing about how many patients there are.
    [
      'asks how many patients beside a number',
      OF_TWO,
      { answered: ['patient'] },
      ['together unknown noLink'],
    ],
    [
      'shows two series beside a number',
      { ...PROVEN, together: { kind: 'proposed', why: 'twoBursts' } },
      { answered: ['patient'] },
      ['together proposed twoBursts'],
    ],
    [
      'asks of two patients beside a number',
      TWO_PEOPLE,
      { answered: ['patient'] },
      ['who disputed twoPeople'],
    ],
    [
      'takes one patient for an answer, with the number',
      TWO_PEOPLE,
      { answered: ['patient', 'together'] },
      [],
    ],
    [
      // An entry without `answered` came before something that contradicts it.
      'takes no entry for an answer',
      NAMED,
      { sources: { history_number: 'person', visit_date: 'person' } },
      ['who proposed readFromNames', 'day proposed fileTime'],
    ],
  ])('%s', (_what, visit, answers, expected) => {
    const verdict = storedVerdict(visit, { ...BY_PROGRAM, ...answers }, [image()])
    expect(doubts(verdict)).toEqual(expected)
    expect(mayLeaveUnseen(verdict)).toBe(expected.length === 0)
    expect(raisesQuestion(verdict)).toBe(expected.some((doubt) => !doubt.includes('proposed')))
  })

  it.each<readonly [string, Verdict<StatedEye> | null, Partial<VerdictImage>, readonly string[]]>([
    ['proposed', proposed('right', 'readFromNames'), {}, ['i0 proposed readFromNames']],
    ['disputed', disputed('right', 'left'), {}, ['i0 disputed sourcesDiffer']],
    ['without a verdict', null, {}, ['i0 unknown null']],
    ['chosen by a person', null, { eye_source: 'person' }, []],
    [
      'chosen, and contradicted since',
      disputed('right', 'left'),
      { eye_source: 'person' },
      ['i0 disputed sourcesDiffer'],
    ],
  ])('has the eye of an image that is %s', (_what, eye, changes, expected) => {
    const eyes: VisitVerdict['eyes'] = new Map(eye === null ? [] : [['i0', eye]])
    const verdict = storedVerdict({ ...PROVEN, eyes }, { ...BY_PROGRAM, eyes }, [image(changes)])
    expect(doubts(verdict)).toEqual(expected)
  })

  it('has no eye of images that are not sent', () => {
    const others = [image({ id: 'out', excluded_because: 'blurred' }), image({ id: 'twin', twin_of: 'i0' })]
    expect(Object.keys(storedVerdict(PROVEN, BY_PROGRAM, [image(), ...others]).eyes)).toEqual(['i0'])
  })

  it('says by what: each source once, and a person', () => {
    const {
      who: patient,
      day,
      eyes,
    } = storedVerdict(PROVEN, { ...BY_PROGRAM, answered: ['visitDay'] }, [image()])
    expect([patient.by, day.by, eyes['i0']?.by]).toEqual([['dicom'], ['person'], ['dicom']])
    const grouped = storedVerdict(OF_TWO, { ...BY_PROGRAM, answered: ['together'] }, [])
    expect(grouped.together).toEqual({ kind: 'proven', by: ['person'], why: null })
  })

  it("of a case that was made by hand rests on a person's entries", () => {
    const sources = { history_number: 'person', visit_date: 'person' } as const
    const byHand = [image({ eye_source: 'person' })]
    expect(doubts(storedVerdict(null, { ...BY_PROGRAM, sources }, byHand))).toEqual([])
    expect(doubts(storedVerdict(null, BY_PROGRAM, byHand))).toEqual(['who unknown null'])
  })
})
