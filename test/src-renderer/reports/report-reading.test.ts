import { describe, expect, it } from 'vitest'
import { readReport } from '../../../src-renderer/reports/report-reading.ts'
import { fc, runs } from '../../tools/property.ts'

type Result = {
  readonly right?: string
  readonly left?: string
  readonly both?: string
  readonly urgency?: string
  readonly rest?: unknown
}

/** What is read, without what is not. */
function resultOf(report: Parameters<typeof readReport>[0]): Result {
  const { eyes, finding, urgency, rest } = readReport(report)
  const all = { right: eyes.right.finding, left: eyes.left.finding, both: finding, urgency, rest }
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== null && one !== undefined))
}

const ofJson = (json: unknown): Result => resultOf({ kind: 'json', json })
const ofText = (...lines: readonly string[]): Result => resultOf({ kind: 'text', text: lines.join('\n') })

const LONG = 'word '.repeat(61)

describe('the findings of JSON', () => {
  const two = { right: 'No DR', left: 'Moderate NPDR' }
  it.each<readonly [string, unknown, Result]>([
    ['one name for each eye', { od_diagnosis: 'No DR', os_diagnosis: 'Moderate NPDR' }, two],
    [
      'a group for each eye',
      { right_eye: { diagnosis: 'No DR' }, left_eye: { diagnosis: 'Moderate NPDR' } },
      two,
    ],
    ['the eyes of a finding', { report: { diagnosis: { od: 'No DR', os: 'Moderate NPDR' } } }, two],
    ['eyes alone', { od: 'No DR.', os: 'Moderate NPDR.' }, two],
    [
      'entries that state their eye',
      {
        results: [
          { eye: 'R', grade: 'No DR' },
          { eye: 'OS', grade: 'Moderate NPDR' },
        ],
      },
      two,
    ],
    [
      'Spanish names',
      { ojoDerecho: { diagnóstico: 'No DR' }, ojoIzquierdo: { hallazgos: ['Moderate', 'NPDR'] } },
      { right: 'No DR', left: 'Moderate; NPDR' },
    ],
    [
      'the lines of a text inside',
      { report_text: 'OD: No DR. OS: Moderate NPDR. Refer within 3 months.' },
      {
        ...two,
        left: 'Moderate NPDR. Refer within 3 months',
        urgency: 'Refer within 3 months',
        rest: { report_text: 'OD: No DR. OS: Moderate NPDR. Refer within 3 months.' },
      },
    ],
    ['a grade as a number', { od_grade: 0, os_grade: 2 }, { right: 'Grade 0', left: 'Grade 2' }],
    ['one eye alone', { os_diagnosis: 'Moderate NPDR' }, { left: 'Moderate NPDR' }],
    [
      'both eyes',
      { diagnosis: 'Moderate NPDR OU', conclusion: 'x' },
      { both: 'Moderate NPDR OU', rest: { conclusion: 'x' } },
    ],
    [
      'a diagnosis before a conclusion',
      { left_eye: { conclusion: 'See text', diagnosis: 'AMD' } },
      { left: 'AMD' },
    ],
  ])('are read from %s', (_what, json, expected) => {
    expect(ofJson(json)).toEqual(expected)
  })

  it.each<readonly [string, unknown]>([
    ['the quality of an image', { image_quality: { grade: 'good' } }],
    ['an earlier diagnosis', { patient: { diagnosis: 'Glaucoma' }, previous_diagnosis: 'Glaucoma' }],
    ['the date and author of one', { diagnosis_date: '2026-11-28', diagnosed_by: 'Q7' }],
    ['the state of the answer', { result: 'success', status: 'ok' }],
    ['an operating system', { os: 'Android 12', os_version: '12' }],
    ['the edges of an area', { box: { left: 'ab cd', right: 'ab cd', top: 'x', bottom: 'y' } }],
    ['an eye that is denied by its value', { od_diagnosis: 'OS: moderate NPDR' }],
    ['an entry that states two eyes', { findings: [{ eye: 'OD', laterality: 'left', diagnosis: 'x' }] }],
    ['a group of one eye inside the other', { right_eye: { left_eye: { diagnosis: 'Moderate NPDR' } } }],
    ['a text that is too long for a headline', { diagnosis: LONG, urgency: LONG }],
    ['nothing', {}],
  ])('are not invented from %s, which stays as it is', (_what, json) => {
    expect(ofJson(json)).toEqual({ rest: json })
  })

  it('have the measurements of their eye beside them', () => {
    const { eyes } = readReport({
      kind: 'json',
      json: { iop: { od: 14, os: 63 }, od: { diagnosis: 'x', quality: null } },
    })
    expect(eyes.left).toEqual({ finding: null, facts: { Iop: 63 } })
    expect(eyes.right.facts).toEqual({ Iop: 14, Quality: null })
  })
})

describe('the findings of a text', () => {
  const two = { right: 'No DR', left: 'Moderate NPDR' }
  it.each<readonly [string, readonly string[], Result]>([
    ['lines', ['OD: No DR', 'OS: Moderate NPDR', '', 'Read by Q7'], two],
    ['lines with words', ['Right eye (OD): No DR.', 'Left eye (OS) - Moderate NPDR'], two],
    ['lines in Spanish', ['Ojo derecho: No DR', 'OI: Moderate NPDR'], two],
    ['one line', ['OD: No DR. OS: Moderate NPDR'], { right: 'No DR', left: 'Moderate NPDR' }],
    ['headings', ['Right eye', 'No DR', '', 'LEFT EYE', '  Diagnosis: Moderate NPDR', '  DME: none'], two],
    ['what is below a heading', ['Right eye', 'No DR', '', 'Synthetic text'], { right: 'No DR' }],
    [
      'lines that go on',
      ['OD: No DR', 'OS: Moderate NPDR', '  with oedema', 'and drusen'],
      { ...two, left: 'Moderate NPDR with oedema and drusen' },
    ],
    ['a named line of an eye', ['IOP OD: 14', 'Diagnosis OD: No DR', 'Diagnosis OS: Moderate NPDR'], two],
    [
      'the section of the diagnosis',
      ['Image quality:', 'OD: good', 'OS: poor', '', 'Diagnosis:', 'OD: No DR', 'OS: Moderate NPDR'],
      two,
    ],
    ['both eyes', ['Diagnosis: No DR OU', 'Visual acuity', 'OD: 0.8'], { both: 'No DR OU' }],
    [
      'a conclusion below an eye',
      ['Left eye', 'No DR', 'Conclusion: see both'],
      { left: 'No DR', both: 'see both' },
    ],
  ])('are read from %s', (_what, lines, expected) => {
    expect(ofText(...lines)).toEqual(expected)
  })

  it.each([
    ['OD/OS: no DR'],
    ['OD and OS: no DR'],
    ['OD: 0.8'],
    ['The disc of the right eye is pale.'],
    ['Windows OS: updated'],
    ['Left eye\nDiagnosis: moderate NPDR OD'],
  ])('are not invented from %j', (text) => {
    expect(ofText(text)).toEqual({})
  })
})

it.each<readonly [unknown, string | null, string, number]>([
  [{ urgency: 'refer within 3 months' }, 'refer within 3 months', 'routine', 90],
  [{ urgencia: 'urgente' }, null, 'urgent', Infinity],
  [{ urgencia: 'urgente', conducta: 'Derivar en 1 semana' }, 'Derivar en 1 semana', 'urgent', 7],
  [
    { priority: 'routine', left_eye: { recommendation: 'Refer urgently' } },
    'Priority: routine; Refer urgently',
    'urgent',
    Infinity,
  ],
  [{ priority: 'P3' }, 'Priority: P3', 'routine', Infinity],
  [{ urgency: 'routine', recommendation: 'Next check in 1 year' }, 'Urgency: routine', 'routine', Infinity],
  [{ recomendación: 'Derivar con urgencia en 2 semanas' }, 'Derivar con urgencia en 2 semanas', 'urgent', 14],
  [{ follow_up: { interval: '6-12 meses' } }, '6-12 meses', 'routine', 180],
  [{ recommendation: 'Refer, not urgent' }, 'Refer, not urgent', 'routine', Infinity],
  [{ referral: true }, 'Referral', 'routine', Infinity],
  [{ referral: false, urgent: 'no' }, 'Urgent: no', 'routine', Infinity],
  [{ left_eye: { recommendation: 'Refer in 1 week' } }, 'Refer in 1 week', 'routine', 7],
  [
    'OD: x\nRefer urgently.\nNext check in 12 months',
    'Refer urgently; Next check in 12 months',
    'urgent',
    360,
  ],
  ['Urgency: preferential', null, 'preferential', Infinity],
  ['Proximo control en 6 meses.', 'Proximo control en 6 meses', 'routine', 180],
  ['Referred by Dr Demoson. Review of systems: none', null, 'routine', Infinity],
  [{ reason_for_referral: 'urgent' }, null, 'routine', Infinity],
])('reads from %j that it is %j', (report, urgency, level, days) => {
  const read = readReport(
    typeof report === 'string' ? { kind: 'text', text: report } : { kind: 'json', json: report },
  )
  expect(read).toMatchObject({ urgency, level, days })
})

it('reads JSON that is deeper than any stack', () => {
  let json: unknown = 'end'
  for (let depth = 0; depth < 100_000; depth += 1) json = { od: json }
  expect(readReport({ kind: 'json', json })).toMatchObject({ eyes: { right: { finding: null } } })
})

it('repeats nothing of a text beside it', () => {
  const { eyes } = readReport({ kind: 'text', text: 'Quality OD: good\nOD: No DR' })
  expect(eyes.right).toEqual({ finding: 'No DR', facts: {} })
})

it('of a document reads nothing', () => {
  expect(resultOf({ kind: 'pdf' })).toEqual({})
})

it('has the ids of the report apart', () => {
  const { ids, rest } = readReport({
    kind: 'json',
    json: { id: 62_947_039, case_id: 'A-1', grader: { id: 'Q7' } },
  })
  expect(ids).toEqual({ Id: 62_947_039, 'Case id': 'A-1' })
  expect(rest).toEqual({ grader: { id: 'Q7' } })
})

/** The values at the ends of JSON, as texts. */
function ends(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [JSON.stringify(value)]
  return Object.values(value).flatMap(ends)
}

const NAMES =
  'od os od_diagnosis os_grade right_eye left eye findings urgency id report a/b a b __proto__ top'.split(' ')
const TEXTS = ['OD', 'left', 'OS: x y', '', 'Refer within 3 months', 'A finding', 'urgent', 'b']

it('loses nothing of any JSON: each value is shown in one of its places', () => {
  const json = fc.letrec<{ readonly any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<unknown>(...TEXTS, null, true, false),
      fc.nat(),
      fc.nat().map((number) => `A finding, ${number}`),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('any')), { maxLength: 5 }).map(Object.fromEntries),
    ),
  })).any
  fc.assert(
    fc.property(json, (value) => {
      const { urgency, finding, eyes, ids, rest } = readReport({ kind: 'json', json: value })
      const facts = [eyes.right.facts, eyes.left.facts, ids].flatMap(ends)
      const findings = [urgency, finding, eyes.right.finding, eyes.left.finding]
      const text = [...(rest === undefined ? [] : ends(rest)), ...facts, ...findings].join('\n')
      const isShown = (end: string): boolean =>
        text.includes(end.replaceAll('"', '')) || (end === 'true' && /urgen/i.test(urgency ?? ''))
      expect(ends(value).filter((end) => !isShown(end))).toEqual([])
    }),
    { numRuns: runs(20_000) },
  )
})
