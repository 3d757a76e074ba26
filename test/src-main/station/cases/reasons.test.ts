import { describe, expect, it } from 'vitest'
import { type CheckedSubmission, reasonsOf } from '../../../../src-main/station/cases/reasons.ts'
import { warningsOf } from '../../../../src-main/station/cases/warnings.ts'
import type { VisitVerdict } from '../../../../src-main/station/cases/verdict/visit.ts'
import type { Doubt, Statement } from '../../../../src-main/station/cases/verdict/evidence.ts'
import type { NamedOnly } from '../../../../src-main/station/json-columns.ts'
import { FIELD_NAMES, measurementOf } from '../../../../src-shared/fields.ts'
import { hardRangeOf, labelOf } from '../../../../src-shared/measurement-ranges.ts'
import { isMaybeDamaged, type Source } from '../../../../src-shared/submission.ts'
import { NO_IDENTITY } from '../../../tools/outbox-with.ts'

type CheckedImage = CheckedSubmission['images'][number]

const ID = { history_number: 'H-1' }

const image = (eye: CheckedImage['eye'], changes: Partial<CheckedImage> = {}): CheckedImage => ({
  id: `image ${eye}`,
  eye,
  isExcluded: false,
  statements: null,
  eyeProblem: null,
  oddities: [],
  ...changes,
})

const [OUT_RIGHT, OUT_LEFT, OUT_UNKNOWN] = (['right', 'left', 'unknown'] as const).map((eye) =>
  image(eye, { isExcluded: true }),
)

const AGREED = { ...NO_IDENTITY, historyNumber: 'H-00017' }

const PROVEN: VisitVerdict = {
  who: { kind: 'proven', value: 'H-00017', by: [] },
  day: { kind: 'proven', value: '2026-11-20', by: [] },
  together: { kind: 'proven' },
  isOneEyed: false,
  eyes: new Map(),
  profiles: [],
}

const COMPLETE: CheckedSubmission = {
  proposed: [],
  fields: { history_number: 'H-00017' },
  sources: { history_number: 'folderName' },
  images: [image('right'), image('left')],
  unusable: [],
  identity: AGREED,
  verdict: PROVEN,
  answered: [],
  disagreements: [],
  rejected: [],
  noImageBecause: {},
  today: '2026-11-21',
  sidecarProblem: null,
  addendumToReference: null,
  sharers: [],
  twins: [],
  requiredFields: ['history_number'],
  requireBothEyes: true,
  vaUnit: 'decimal',
  rejectedValues: [],
  sentBefore: [],
}

function kindsOf(changes: Partial<CheckedSubmission>): string[] {
  const reasons = reasonsOf({ ...COMPLETE, ...changes })
  for (const reason of reasons) expect(reason.message).toMatch(/^[A-Z“].*[.?]$/)
  return reasons.map(({ kind, field }) => (field === undefined ? kind : `${kind} ${field}`))
}

describe('what is missing', () => {
  const statements = [
    { source: 'fileName', value: 'right' },
    { source: 'sidecar', value: 'left' },
  ] as const
  const eyeProblem = { message: 'The image names two eyes. Say which it is.' }

  it('is nothing in a complete submission', () => {
    expect(kindsOf({})).toEqual([])
  })

  it.each([
    ['a required field', { requiredFields: ['history_number', 'age'] }, ['fieldMissing age']],
    ['the text of a required field', { fields: { history_number: '' } }, ['fieldMissing history_number']],
    ['no image', { images: [] }, ['noImages']],
    ['every image left out', { images: [OUT_RIGHT] }, ['noImages']],
    ['an eye', { images: [image('right')] }, ['eyeImageMissing']],
    ['nothing if an eye was left out with a reason', { images: [image('right'), OUT_LEFT] }, []],
    ['nothing where was said why', { images: [image('right')], noImageBecause: { left: 'cataract' } }, []],
    [
      'an axis',
      { fields: { ...ID, od_cylinder: -1 }, sources: { od_cylinder: 'person' } },
      ['fieldMissing od_axis'],
    ],
    [
      'a prism base',
      { fields: { ...ID, os_prism: 2 }, sources: { os_prism: 'person' } },
      ['fieldMissing os_prism_base'],
    ],
    [
      'no axis if there is no cylinder',
      { fields: { ...ID, od_cylinder: 0 }, sources: { od_cylinder: 'person' } },
      [],
    ],
    [
      'no axis that a record does not state',
      { fields: { ...ID, od_cylinder: -1 }, sources: { od_cylinder: 'sidecar' } },
      [],
    ],
    ['nothing if one eye is enough', { images: [image('right')], requireBothEyes: false }, []],
    ['the eye of an image', { images: [image('right'), image('unknown')] }, ['eyeUnknown']],
    ['nothing if the unclear is left out', { images: [image('right'), image('left'), OUT_UNKNOWN] }, []],
    ['one eye', { images: [image('left'), image('unknown', { statements })] }, ['eyeConflict']],
    ['an eye of two named', { images: [image('left'), image('right', { eyeProblem })] }, ['eyeConflict']],
    ['a date that is there', { requiredFields: ['visit_date'] }, ['fieldMissing visit_date']],
  ] as const)('is %s', (_what, changes, kinds) => {
    expect(kindsOf(changes as Partial<CheckedSubmission>)).toEqual(kinds)
  })

  it('takes zero for a statement', () => {
    expect(kindsOf({ requiredFields: ['gender', 'od_iop'], fields: { gender: 0, od_iop: 0 } })).toEqual([])
  })

  it('names the image that it is about', () => {
    const reasons = reasonsOf({ ...COMPLETE, images: [image('right'), image('left'), image('unknown')] })
    expect(reasons).toMatchObject([{ kind: 'eyeUnknown', imageId: 'image unknown' }])
  })
})

describe('a value', () => {
  it('classifies a visual acuity by the unit that the service expects', () => {
    const fields = { history_number: 'H-1', od_va: -0.2 }
    expect(kindsOf({ fields })).toEqual(['valueOutOfRange od_va'])
    expect(kindsOf({ fields, vaUnit: 'logMAR' })).toEqual([])
  })

  it.each(FIELD_NAMES.filter((name) => measurementOf(name) !== null))(
    'of %s may be anything within the hard range',
    (name) => {
      const { min, max } = hardRangeOf(measurementOf(name)?.measurement ?? 'iop', 'decimal')
      const halves = { od_axis: 90, os_axis: 90, od_prism_base: 90, os_prism_base: 90 }
      const fields = (value: number): CheckedSubmission['fields'] => ({
        history_number: 'H-1',
        ...halves,
        [name]: value,
      })
      for (const value of [min, max, (min + max) / 2]) expect(kindsOf({ fields: fields(value) })).toEqual([])
      for (const value of [min - 0.01, max + 0.01])
        expect(kindsOf({ fields: fields(value) })).toEqual([`valueOutOfRange ${name}`])
    },
  )

  it('of the age is one that people reach', () => {
    expect(kindsOf({ fields: { ...ID, age: 0 } })).toEqual([])
    for (const age of [131, -1, 40.5])
      expect(kindsOf({ fields: { ...ID, age } })).toEqual(['valueOutOfRange age'])
  })

  it('of the visit date is a day on which there could be one', () => {
    const onDay = (day: string): string[] => kindsOf({ fields: { ...ID, visit_date: day } })
    for (const day of ['1990-01-01', '2026-11-21', '2026-11-22']) expect(onDay(day)).toEqual([])
    for (const day of ['1989-12-31', '2026-11-23']) expect(onDay(day)).toEqual(['valueOutOfRange visit_date'])
  })

  it('that sources disagree about is asked for with what each of them says', () => {
    const disagreements = [
      {
        field: 'gender',
        statements: [
          { source: 'sidecar', value: 0 },
          { source: 'dicom', value: 1 },
        ],
      },
    ] as const
    const [reason] = reasonsOf({ ...COMPLETE, disagreements })
    expect(reason).toMatchObject({ kind: 'valueConflict', field: 'gender' })
    expect(reason?.message).toContain('the data file says Male, DICOM says Female')
  })

  it('that the sidecar had and no one could use is a question until a person has answered it', () => {
    const rejected = [{ field: 'gender', message: 'The gender is no code.' }]
    expect(kindsOf({ rejected })).toEqual(['valueOutOfRange gender'])
    expect(kindsOf({ rejected, sources: { history_number: 'sidecar', gender: 'person' } })).toEqual([])
    // A person can answer neither: the one is shown, the other keeps its record from proving anything.
    const shown = [
      { field: 'od_iop', message: 'The IOP is no number.' },
      { field: 'images', message: 'The images are no list.' },
    ]
    expect(kindsOf({ rejected: shown })).toEqual([])
  })
})

const statedBy = (source: Source, value: string): Statement<string> => ({ value, source, where: 'x' })
const BY_NAMES = [statedBy('fileName', 'H-00017'), statedBy('dicom', 'H-00018')]

describe('whose images they are', () => {
  const who = (found: VisitVerdict['who']): VisitVerdict => ({ ...PROVEN, who: found })
  const disputed = (why: Doubt): VisitVerdict => who({ kind: 'disputed', statements: BY_NAMES, why })
  const unknown = (why: Doubt, about?: string): VisitVerdict =>
    who({ kind: 'unknown', why, ...(about !== undefined && { about }) })
  const proposed: VisitVerdict = who({
    kind: 'proposed',
    value: 'H-00017',
    by: BY_NAMES,
    why: 'readFromNames',
  })
  const noLink: VisitVerdict = {
    ...PROVEN,
    together: { kind: 'unknown', why: 'noLink', groups: [['1'], ['2']] },
  }

  it.each<readonly [string, VisitVerdict, readonly string[]]>([
    ['not asked if it is proven', PROVEN, []],
    ['not asked if it is proposed', proposed, []],
    ['asked if two sources differ', disputed('sourcesDiffer'), ['identityConflict history_number']],
    ['asked if two numbers are nearly the same', disputed('nearlySame'), ['identityConflict history_number']],
    ['asked if names hold several', disputed('severalNumbers'), ['identityConflict history_number']],
    ['asked if they may be of two people', disputed('twoPeople'), ['twoPatients']],
    ['asked of a placeholder', unknown('placeholder', '0000000'), ['identityConflict history_number']],
    [
      'asked of a record that was written over',
      unknown('folderRecord', 'H-1'),
      ['identityConflict history_number'],
    ],
    ['asked before all if nothing holds the images together', noLink, ['howManyPatients']],
    ['left to the missing number if nothing states it', unknown('nothingStated'), []],
  ])('is %s', (_what, verdict, kinds) => {
    expect(kindsOf({ verdict })).toEqual(kinds)
    // One question at a time.
    expect(kindsOf({ verdict, fields: {} })).toEqual(
      kinds.length > 0 ? kinds : ['fieldMissing history_number'],
    )
  })

  it('is not asked again if a person has answered', () => {
    const verdict = disputed('sourcesDiffer')
    expect(kindsOf({ verdict, answered: ['patient'] })).toEqual([])
    // The day is another question.
    expect(kindsOf({ verdict, answered: ['visitDay'] })).toEqual(['identityConflict history_number'])
  })

  it('is asked together with whether the images are of one, unless a person has said so', () => {
    const together = { kind: 'proposed', why: 'readFromNames' } as const
    const verdict: VisitVerdict = { ...unknown('nothingStated'), together }
    const [first, second] = (['visitDay', 'together'] as const).map((answer) =>
      reasonsOf({ ...COMPLETE, fields: {}, verdict, answered: [answer] }),
    )
    expect(first).toMatchObject([{ kind: 'fieldMissing', message: expect.stringContaining('all 2 images') }])
    expect(second).toMatchObject([{ kind: 'fieldMissing', message: expect.not.stringContaining('all') }])
  })

  it('is asked with what each source says', () => {
    for (const why of ['nearlySame', 'severalNumbers', 'twoPeople'] as const) {
      const [reason] = reasonsOf({ ...COMPLETE, verdict: disputed(why) })
      expect(reason?.message).toContain('the file name says H-00017, DICOM says H-00018')
    }
    const [reason] = reasonsOf({ ...COMPLETE, verdict: disputed('sourcesDiffer') })
    expect(reason?.message).toMatch(/H-00017.*H-00018/)
  })

  it('is no question in a case that was made by hand', () => {
    expect(kindsOf({ verdict: null })).toEqual([])
  })
})

describe('the day of the visit', () => {
  const day = (found: VisitVerdict['day']): VisitVerdict => ({ ...PROVEN, day: found })

  it('is asked for if two sources differ, until a person has answered', () => {
    const statements = [statedBy('dicom', '2026-11-20'), statedBy('folderName', '2026-11-19')]
    const verdict = day({ kind: 'disputed', statements, why: 'sourcesDiffer' })
    expect(kindsOf({ verdict })).toEqual(['valueConflict visit_date'])
    expect(kindsOf({ verdict, answered: ['visitDay'] })).toEqual([])
    const [reason] = reasonsOf({ ...COMPLETE, verdict })
    expect(reason?.message).toContain('DICOM says 2026-11-20, the folder name says 2026-11-19')
  })
})

describe('a proposal', () => {
  const by = [statedBy('fileName', 'H-00017')]
  const who = (why: Doubt, about: string): VisitVerdict => ({
    ...PROVEN,
    who: { kind: 'proposed', value: 'H-00017', by, why, about },
  })
  const day = (why: Doubt): VisitVerdict => ({
    ...PROVEN,
    day: { kind: 'proposed', value: '2026-11-20', by, why },
  })

  it.each<readonly [string, VisitVerdict, NamedOnly, string]>([
    ['another number', who('secondNumber', '88123'), 'patient', '88123'],
    ['an unknown term', who('unknownTerm', 'okafor'), 'patient', 'okafor'],
    ['an image without a number', who('noLink', ''), 'patient', ''],
    ['a day far from the arrival', day('farFromArrival'), 'visitDay', ''],
    ['a day of an import', day('importedBatch'), 'visitDay', 'Imported'],
    ['the time of a file', day('fileTime'), 'visitDay', ''],
  ])('says what keeps it from being proof: %s', (_what, verdict, part, about) => {
    const [warning, ...others] = warningsOf({ ...USUAL, verdict })
    expect(warning).toMatchObject({ kind: 'checkProposal', message: expect.stringContaining(about) })
    expect(others).toEqual([])
    expect(warningsOf({ ...USUAL, verdict, answered: [part] })).toEqual([])
  })

  it('of two passes over both eyes says so', () => {
    const verdict: VisitVerdict = { ...PROVEN, together: { kind: 'proposed', why: 'twoBursts' } }
    expect(warned({ verdict })).toEqual(['checkProposal'])
  })
})

const UNUSABLE = { fileName: 'v/IMG_2.jpg', eye: 'left', decision: null, replacedBy: null } as const

describe('a file that cannot be used', () => {
  it.each<readonly [string, Partial<CheckedSubmission>, readonly string[]]>([
    [
      'is asked about first',
      { unusable: [UNUSABLE], fields: {} },
      ['unusableImage', 'fieldMissing history_number'],
    ],
    ['asks for its own eye but once', { unusable: [UNUSABLE], images: [image('right')] }, ['unusableImage']],
    [
      'asks for the other eye as well',
      { unusable: [UNUSABLE], images: [image('left')] },
      ['unusableImage', 'eyeImageMissing'],
    ],
    ['asks about the image of its name', { unusable: [{ ...UNUSABLE, replacedBy: 'x' }] }, ['newExport']],
    [
      'is no question once a person has decided, nor is its eye',
      { unusable: [{ ...UNUSABLE, decision: 'exclude' }], images: [image('right')] },
      [],
    ],
    ['is no image', { unusable: [{ ...UNUSABLE, decision: 'exclude' }], images: [] }, ['noImages']],
  ])('%s', (_what, changes, kinds) => {
    expect(kindsOf(changes)).toEqual(kinds)
  })

  it.each([
    ['right', /^This image cannot be read \(right eye – OD\): IMG_2\.jpg\./],
    ['left', /^This image cannot be read \(left eye – OS\): IMG_2\.jpg\./],
    ['unknown', /^This image cannot be read \(eye not known\): IMG_2\.jpg\./],
  ] as const)('is named with its eye (%s)', (eye, message) => {
    const [reason] = reasonsOf({ ...COMPLETE, unusable: [{ ...UNUSABLE, eye }] })
    expect(reason?.message).toMatch(message)
  })
})

describe('other questions', () => {
  it('are a sidecar that cannot be read, until a person has looked', () => {
    const sidecarProblem = { message: 'The file case.json cannot be read. Correct it, or enter the details.' }
    expect(kindsOf({ sidecarProblem })).toEqual(['sidecarUnreadable'])
    expect(kindsOf({ sidecarProblem, sources: { history_number: 'person' } })).toEqual([])
  })

  it('are images that came late, until a person has taken them', () => {
    expect(kindsOf({ addendumToReference: 'FC00000000Q' })).toEqual(['lateImage'])
    expect(
      kindsOf({
        addendumToReference: 'FC00000000Q',
        identity: { ...AGREED, isAddendumAccepted: true },
      }),
    ).toEqual([])
  })

  it('all stand side by side', () => {
    expect(
      kindsOf({ fields: { od_iop: 300 }, images: [image('unknown')], requiredFields: ['history_number'] }),
    ).toEqual(['fieldMissing history_number', 'valueOutOfRange od_iop', 'eyeUnknown'])
  })
})

it('names a field as a clinic does', () => {
  expect([labelOf('od_iop'), labelOf('os_prism_base')]).toEqual(['OD IOP', 'OS prism base'])
})

it('names the other submissions that a reason speaks of, so that they can be shown beside it', () => {
  const reasons = reasonsOf({ ...COMPLETE, twins: ['FC00000000A'], addendumToReference: 'FC00000000B' })
  expect(reasons.map(({ kind, references }) => [kind, references])).toEqual([
    ['looksLikeDuplicate', ['FC00000000A']],
    ['lateImage', ['FC00000000B']],
  ])
})

const USUAL: CheckedSubmission = {
  ...COMPLETE,
  fields: { ...ID, visit_date: '2026-11-20' },
  requireBothEyes: false,
}

function warned(changes: Partial<CheckedSubmission>): string[] {
  const oddities = warningsOf({ ...USUAL, ...changes })
  for (const { message } of oddities) expect(message).toMatch(/^[A-Z\d].*[.?]$/)
  return oddities.map(({ kind, field }) => (field === undefined ? kind : `${kind} ${field}`))
}

describe('what is unusual', () => {
  it('is nothing in a usual case', () => {
    expect(warned({})).toEqual([])
  })

  it.each<readonly [string, Partial<CheckedSubmission>, readonly string[]]>([
    ['a pressure of 30', { fields: { od_iop: 30 } }, ['unusualValue od_iop']],
    ['no pressure of 21', { fields: { od_iop: 21, os_iop: 14 } }, []],
    ['a cylinder without its axis', { fields: { od_cylinder: -1 } }, ['unusualValue od_axis']],
    [
      'a cylinder that a person enters',
      { fields: { od_cylinder: -1 }, sources: { od_cylinder: 'person' } },
      [],
    ],
    ['a cylinder of -9', { fields: { os_cylinder: -9, os_axis: 90 } }, ['unusualValue os_cylinder']],
    ['a visual acuity of 0.01', { fields: { od_va: 0.01 } }, ['unusualValue od_va']],
    ['no logMAR of 1.2', { fields: { od_va: 1.2 }, vaUnit: 'logMAR' }, []],
    ['a logMAR of 1.8', { fields: { os_va: 1.8 }, vaUnit: 'logMAR' }, ['unusualValue os_va']],
    ['an age of 112', { fields: { age: 112 } }, ['unusualValue age']],
    ['a visit of last year', { fields: { visit_date: '2025-11-20' } }, ['unusualValue visit_date']],
    ['spheres of two signs', { fields: { od_sphere: 2, os_sphere: -2 } }, ['eyesDiffer os_sphere']],
    ['spheres far apart', { fields: { od_sphere: -1, os_sphere: -8 } }, ['eyesDiffer os_sphere']],
    ['pressures far apart', { fields: { od_iop: 10, os_iop: 19 } }, ['eyesDiffer os_iop']],
    ['an eye without an image', { images: [image('right')] }, ['eyeWithoutImage']],
    ['no eye of which a new export is awaited', { images: [image('right')], unusable: [UNUSABLE] }, []],
    ['no eye that is asked for anyway', { images: [image('right')], requireBothEyes: true }, []],
    ['no eye of which was said why', { images: [image('right')], noImageBecause: { left: 'cataract' } }, []],
    ['no eye that an unclear image may show', { images: [image('right'), image('unknown')] }, []],
    ['nine images of one eye', { images: [...Array(9).fill(image('right')), image('left')] }, ['imageCount']],
    ['a case of the same day that was sent', { sentBefore: ['FC00000000Q'] }, ['sentBefore']],
    [
      'an unused statement',
      { rejectedValues: [{ message: 'It is in no known letters.' }] },
      ['valueNotTaken'],
    ],
  ])('is %s', (_what, changes, kinds) => {
    expect(warned(changes)).toEqual(kinds)
  })

  it.each(['blankImage', 'maybeDamaged'] as const)('names the image that looks so (%s)', (kind) => {
    const seen = { kind, message: 'This picture is not as it should be.' }
    const oddities = warningsOf({ ...USUAL, images: [image('right', { oddities: [seen] }), image('left')] })
    expect(oddities).toEqual([{ ...seen, imageId: 'image right' }])
    expect(isMaybeDamaged(oddities)).toBe(kind === 'maybeDamaged')
  })
})
