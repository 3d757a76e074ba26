import { beforeEach, describe, expect, it, vi } from 'vitest'
import { writeInitials } from '../../../src-renderer/decisions/decisions.tsx'
import { groupEyes } from '../../../src-renderer/submission/check.tsx'
import { whyText } from '../../../src-renderer/submission/proof-sources.tsx'
import { patientsQuestionOf } from '../../../src-renderer/submission/form.ts'
import { groupsAsMoved } from '../../../src-renderer/submission/patients-question.tsx'
import { namesNow, privacy } from '../../../src-renderer/privacy/names.tsx'
import type { Doubt } from '../../../src-main/station/cases/verdict/evidence.ts'
import type { Proof, ShownPart, ShownStatement } from '../../../src-shared/proof.ts'
import type { Submission, SubmissionDetails } from '../../../src-shared/submission.ts'
import type { Standing, Verdict } from '../../../src-shared/verdict.ts'
import { worded } from '../../../src-shared/wording.ts'
import { all, type Answers, click, find, openWindow, shows, type } from '../open-window.tsx'
import { countsOf, PROVEN, syntheticImage, syntheticSubmission } from '../synthetic-submission.ts'

const says = (source: ShownStatement['source'], value: string, where = ''): ShownStatement => ({
  source,
  value,
  where,
})
const part = (
  standing: Standing,
  statements: readonly ShownStatement[],
  about: string | null = null,
): ShownPart => ({
  kind: standing.kind,
  why: standing.why,
  about,
  statements: [...statements],
})
const BY_DICOM: Standing = { kind: 'proven', by: ['dicom'], why: null }
const BY_NAMES: Standing = { kind: 'proposed', by: ['fileName'], why: 'readFromNames' }
const IN_DISPUTE: Standing = { kind: 'disputed', by: ['fileName', 'dicom'], why: 'sourcesDiffer' }

const IMAGES = [
  syntheticImage('a', 'right', { fileName: 'visit/501288_OD.jpg' }),
  syntheticImage('b', 'left', { fileName: 'visit/501288_OS.jpg' }),
]

function verdictOf(changes: Partial<Verdict> = {}): Verdict {
  return { ...PROVEN, eyes: { a: BY_DICOM, b: BY_DICOM }, ...changes }
}

/** What spoke of the case when it was drawn: each answer names it. */
const STATED = { patient: ['p'], visitDay: ['d'], eyes: { a: ['e'] } }

function detailsOf(changes: Partial<Submission> = {}): SubmissionDetails {
  const fields = { history_number: '501288', visit_date: '2026-11-20' }
  const submission = syntheticSubmission('one', {
    fields,
    sources: { history_number: 'fileName', visit_date: 'dicom' },
    images: IMAGES,
    verdict: verdictOf(),
    ...changes,
  })
  const none = { replaces: null, replacedBy: null, attemptList: [], evidence: [] }
  return { ...submission, isByHand: false, ...none }
}

/** The same verdict, and these statements. */
function proofOf({ verdict }: SubmissionDetails, changes: Partial<Proof> = {}): Proof {
  const { who, day, eyes } = verdict
  return {
    who: part(who, [says('dicom', '501288', 'visit/501288_OD.dcm')]),
    day: part(day, [says('dicom', '2026-11-20', 'visit/501288_OD.dcm')]),
    eyes: Object.fromEntries(Object.entries(eyes).map(([id, standing]) => [id, part(standing, [])])),
    groups: [],
    joinable: [],
    stated: STATED,
    restsOnNumber: [],
    ageMonths: null,
    ...changes,
  }
}

function openCase(details: SubmissionDetails, proof: Partial<Proof> = {}, answers: Answers = {}) {
  return openWindow('#/queue/one', {
    'submissions.get': { ...details, proof: proofOf(details, proof), neighbour: null },
    'submissions.list': { items: [details], total: 1, counts: countsOf() },
    'submissions.update': details,
    ...answers,
  })
}

beforeEach(() => writeInitials(''))

const panel = () => find('region', 'Check')

describe('how a case is known', () => {
  it('says of proposals what each rests on, in which file that was read, and once why it is no proof', async () => {
    openCase(detailsOf({ verdict: verdictOf({ who: BY_NAMES, day: BY_NAMES }) }), {
      who: part(BY_NAMES, [says('fileName', '501288', 'visit/501288_OD.jpg')]),
      day: part(BY_NAMES, []),
    })
    const known = await panel()
    await shows('The file name visit/501288_OD.jpg', known)
    expect(known.textContent.match(/file names are not trusted yet/g)).toHaveLength(1)
  })

  it('says of what is proven its sources alone, on a click, and at once if a value is only proposed', async () => {
    const fields = { history_number: '501288', last_name: 'Testwood', age: 44, od_iop: 14 }
    const sources = { last_name: 'dicom', age: 'sidecar', od_iop: 'sidecar' } as const
    openCase(detailsOf({ fields, sources, verdict: verdictOf({ fields: ['age'] }) }))
    const known = await panel()
    await shows('The DICOM header visit/501288_OD.dcm', known)
    expect(known.textContent).not.toMatch(/Not confirmed|From file name|not trusted/)
    await shows('The DICOM header: Last name', known)
    await shows('The data file: Age, Measurements', known)
    expect([...known.querySelectorAll('details')].map(({ open }) => open)).toEqual([true, false])
  })

  it('names both sides of a dispute over an eye in plain words, and one click chooses', async () => {
    const details = detailsOf({
      state: 'incomplete',
      verdict: verdictOf({ eyes: { a: IN_DISPUTE, b: BY_DICOM } }),
    })
    const { inputsOf } = openCase(details, {
      eyes: {
        a: part(IN_DISPUTE, [
          says('fileName', 'left', 'visit/1_OS.jpg'),
          says('dicom', 'right', 'visit/1.dcm'),
        ]),
        b: part(BY_DICOM, []),
      },
    })
    const known = await panel()
    await shows('The file name says left (OS)', known)
    await shows('The DICOM header says right (OD)', known)
    await click('button', '501288_OD.jpg: Use left eye – OS', known)
    await vi.waitFor(() =>
      expect(inputsOf('submissions.update')).toEqual([
        { id: 'one', seen: STATED, mayLeave: false, images: [{ id: 'a', eye: 'left' }] },
      ]),
    )
  })

  it('signs the eye that a person has chosen, and names its image', async () => {
    const eyes = { a: BY_DICOM, b: { ...BY_DICOM, by: ['person' as const] } }
    const chosen = { ...says('person', 'left'), by: 'QX', at: Date.UTC(2026, 10, 20, 12) }
    openCase(detailsOf({ verdict: verdictOf({ eyes }) }), {
      eyes: { a: part(BY_DICOM, [says('dicom', 'right')]), b: part(BY_DICOM, [chosen]) },
    })
    const known = await panel()
    await shows('1 × right (OD) · 1 × left (OS)', known)
    await shows(/A person here \(QX .*\) says left \(OS\) visit\/501288_OS\.jpg/, known)
  })

  it('signs what a person has answered', async () => {
    const who: Standing = { kind: 'disputed', by: ['person', 'dicom'], why: 'sourcesDiffer' }
    const answered = { ...says('person', '700001'), by: 'QX', at: Date.UTC(2026, 10, 20, 12) }
    openCase(detailsOf({ verdict: verdictOf({ who }) }), {
      who: part(who, [answered, says('dicom', '501288')]),
    })
    await shows(/A person here \(QX · .*20.*\) says 700001/, await panel())
  })

  it('lets a person choose between two numbers and between two days', async () => {
    const details = detailsOf({
      state: 'incomplete',
      fields: {},
      verdict: verdictOf({ who: IN_DISPUTE, day: IN_DISPUTE }),
    })
    const { inputsOf } = openCase(details, {
      who: part(IN_DISPUTE, [says('fileName', '501288'), says('dicom', '501289')]),
      day: part(IN_DISPUTE, [says('fileName', '2026-11-20'), says('dicom', '2026-11-19')]),
    })
    const known = await panel()
    await click('button', 'Use 501289', known)
    await click('button', /^Use 19/, known)
    await vi.waitFor(() =>
      expect(inputsOf('submissions.update')).toEqual([
        { id: 'one', seen: STATED, mayLeave: false, fields: { history_number: '501289' } },
        { id: 'one', seen: STATED, mayLeave: false, fields: { visit_date: '2026-11-19' } },
      ]),
    )
  })

  it('asks whether a second number is a patient number, beside the warning', async () => {
    const why: Standing = { ...BY_DICOM, kind: 'proposed', why: 'secondNumber' }
    const details = detailsOf({
      verdict: verdictOf({ who: why }),
      oddities: [
        {
          kind: 'checkProposal',
          ...worded('intake:warning.proposal.secondNumber', { about: '88123', value: '501288' }),
        },
      ],
    })
    const { inputsOf } = openCase(
      details,
      { who: part(why, [says('dicom', '501288')], '88123') },
      { 'submissions.answerNumber': details },
    )
    await shows('Is 88123 a patient number?', await panel())
    await shows('Check that the images are of 501288.', await panel())
    await click('button', 'No, something else')
    await vi.waitFor(() =>
      expect(inputsOf('submissions.answerNumber')).toEqual([
        { id: 'one', number: '88123', isPatientNumber: false },
      ]),
    )
    await click('button', 'Yes, a patient number')
    await vi.waitFor(() => expect(inputsOf('submissions.answerNumber')).toHaveLength(2))
  })

  it('offers nothing to choose once the case was sent', async () => {
    const details = detailsOf({ state: 'sent', verdict: verdictOf({ who: IN_DISPUTE }) })
    openCase(details, { who: part(IN_DISPUTE, [says('fileName', '501288'), says('dicom', '501289')]) })
    const known = await panel()
    await shows('The DICOM header says 501289', known)
    expect(all('button', /^Use /, known)).toEqual([])
  })

  it('loses no reason of a case that was discarded, and ticks no number that is missing', async () => {
    const reasons = [{ kind: 'twoPatients', message: 'Whose are these?' }] as const
    openCase(detailsOf({ state: 'discarded', fields: {}, reasons: [...reasons] }))
    const known = await panel()
    await shows('Whose are these?', known)
    await shows('Patient\u2013Confirmed', known)
    expect(all('region', 'Two patients?')).toEqual([])
  })

  it('shows no name while names are hidden', async () => {
    const who: Standing = { ...BY_NAMES, why: 'unknownTerm' }
    privacy.setState({ isHiddenByHand: true })
    const details = detailsOf({
      verdict: verdictOf({ who }),
      oddities: [
        {
          kind: 'checkProposal',
          ...worded('intake:warning.proposal.unknownTerm', { about: 'testwood', value: '501288' }),
        },
      ],
    })
    openCase(details, {
      who: part(who, [says('dicom', 'Testwood Synthia 501288', 'Testwood/1.dcm')], 'testwood'),
    })
    const known = await panel()
    await shows('501288', known)
    expect(document.body.textContent).not.toMatch(/testwood|synthia/i)
    privacy.setState({ isHiddenByHand: false })
  })
})

describe('a question about patients', () => {
  const DIFFER: Standing = { kind: 'disputed', by: ['dicom'], why: 'sourcesDiffer' }
  const TWO: Standing = { kind: 'disputed', by: ['dicom'], why: 'twoPeople' }
  const GROUPS: Proof['groups'] = [
    {
      imageIds: ['a'],
      takenAt: [Date.parse('2026-11-20T10:42:10')],
      person: '501288 Testwood Synthia 1957-03-11 F',
      statements: [says('dicom', '501288'), says('dicom', 'Testwood Synthia')],
    },
    {
      imageIds: ['b'],
      takenAt: [Date.parse('2026-11-20T10:48:30')],
      person: '',
      statements: [says('dicom', '700001')],
    },
  ]
  const asked = (kind: 'twoPatients' | 'howManyPatients'): SubmissionDetails =>
    detailsOf({
      state: 'incomplete',
      verdict: verdictOf({ who: TWO }),
      reasons: [
        { kind, message: 'Whose are these?' },
        { kind: 'fieldMissing', field: 'visit_date', message: 'Which day?' },
        { kind: 'eyeUnknown', imageId: 'a', message: 'Which eye?' },
      ],
    })

  it('comes first, shows the groups with what their sources say, and separates them as a person has moved them', async () => {
    const details = { ...asked('twoPatients'), verdict: verdictOf({ who: DIFFER }) }
    const other: SubmissionDetails = { ...detailsOf(), id: 'two' }
    const { inputsOf } = openCase(
      detailsWithThird(details),
      { groups: GROUPS, who: part(DIFFER, [says('dicom', '501288'), says('dicom', '700001')]) },
      { 'submissions.separate': { cases: [details, other] } },
    )
    const question = await find('region', 'Two patients?')
    const first = await find('article', 'Group 1 · 2 images', question)
    await shows('The DICOM header says 501288', first)
    await shows('501288 Testwood Synthia 11 Mar 1957 F', first)
    await shows('Group 1 · 2 images · 20 Nov 2026, 10:42', first)
    await shows('The DICOM header says 700001', await find('article', 'Group 2 · 1 image', question))
    // It is asked once, and no field is asked for before it is answered.
    const missing = await find('region', 'Check')
    expect(missing.textContent).not.toMatch(/Whose are these|Which day/)
    expect(missing.textContent).toContain('Which eye?')
    expect(question.compareDocumentPosition(missing)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(all('button', /^Use /)).toEqual([])
    await type('combobox', 'Group of c.jpg', 'Group 2')
    await find('article', 'Group 2 · 2 images', question)
    await click('button', 'Separate patients', question)
    await vi.waitFor(() =>
      expect(inputsOf('submissions.separate')).toEqual([
        { id: 'one', seen: STATED, groups: [['a'], ['b', 'c']] },
      ]),
    )
    await shows('Now 2 cases.')
  })

  it('is answered with one patient only with initials', async () => {
    const details = asked('twoPatients')
    const { inputsOf } = openCase(details, { groups: GROUPS }, { 'submissions.samePatient': detailsOf() })
    await click('button', 'One patient…')
    const dialog = await find('dialog', 'One patient?')
    const confirm = await find('button', 'Confirm one patient', dialog)
    confirm.click()
    await shows('Enter your initials.', dialog)
    expect(inputsOf('submissions.samePatient')).toEqual([])
    await type('textbox', 'Your initials', 'QX')
    confirm.click()
    await vi.waitFor(() =>
      expect(inputsOf('submissions.samePatient')).toEqual([{ id: 'one', seen: STATED, by: 'QX' }]),
    )
  })

  it('offers the case of the same series whose number was entered', async () => {
    const details = asked('howManyPatients')
    const joinable = [
      { id: 'seven', reference: 'FC7K3M9QXAW', digest: 'seven shown', historyNumber: '700001' },
    ]
    const { inputsOf } = openCase(
      details,
      { groups: GROUPS, joinable },
      { 'submissions.moveImages': { ...detailsOf(), id: 'seven' } },
    )
    const question = await find('region', 'How many patients?')
    await click('button', 'Add to 700001: group 2', question)
    await vi.waitFor(() =>
      expect(inputsOf('submissions.moveImages')).toMatchObject([
        { imageIds: ['b'], toId: 'seven', seen: { seven: 'seven shown' } },
      ]),
    )
  })

  it('is not there for a case that only may join another one, which has the offer', async () => {
    const joinable = [
      { id: 'seven', reference: 'FC7K3M9QXAW', digest: 'seven shown', historyNumber: '700001' },
    ]
    const { inputsOf } = openCase(
      detailsOf({ state: 'incomplete', fields: {} }),
      { joinable },
      { 'submissions.moveImages': { ...detailsOf(), id: 'seven' } },
    )
    await click('button', 'Add to 700001', await find('region', 'Same series as another case'))
    await vi.waitFor(() =>
      expect(inputsOf('submissions.moveImages')).toMatchObject([
        { imageIds: ['a', 'b'], toId: 'seven', seen: { seven: 'seven shown' } },
      ]),
    )
  })

  it.each([
    ['by its reason', 'twoPatients', 'proven', 0, 'twoPatients'],
    ['how many, by its reason', 'howManyPatients', 'unknown', 2, 'howManyPatients'],
    ['by the groups of numbers that differ', 'identityConflict', 'disputed', 2, 'twoPatients'],
    ['not for two numbers of one image', 'identityConflict', 'disputed', 1, null],
    ['not once a person has answered', 'fieldMissing', 'proven', 2, null],
  ] as const)('is asked %s', (_name, kind, who, count, expected) => {
    const groups = GROUPS.slice(0, count)
    const verdict = verdictOf({ who: { ...TWO, kind: who } })
    expect(patientsQuestionOf({ reasons: [{ kind, message: '' }], verdict }, { groups })).toBe(expected)
  })

  it('keeps an image in view that the station has put in no group', () => {
    const shown = groupsAsMoved([...IMAGES, syntheticImage('c')], { groups: GROUPS }, new Map([['b', 2]]))
    expect(shown.map(({ images }) => images.map(({ id }) => id))).toEqual([['a', 'c'], [], ['b']])
  })
})

function detailsWithThird(details: SubmissionDetails): SubmissionDetails {
  const images = [...IMAGES, syntheticImage('c', 'left')]
  const eyes = { ...details.verdict.eyes, c: BY_DICOM }
  return { ...details, images, verdict: { ...details.verdict, eyes } }
}

/** Every code of the station, which the compiler completes. */
const DOUBTS: Readonly<Record<Doubt, true>> = {
  readFromNames: true,
  folderRecord: true,
  fileTime: true,
  farFromArrival: true,
  importedBatch: true,
  beforeConfirmation: true,
  firstReviews: true,
  notConfirmed: true,
  secondNumber: true,
  unknownTerm: true,
  savedAnswer: true,
  weakNumber: true,
  severalNumbers: true,
  placeholder: true,
  sourcesDiffer: true,
  nearlySame: true,
  twoPeople: true,
  sharedNumber: true,
  nothingStated: true,
  loneLetter: true,
  ambiguousTerm: true,
  noLink: true,
  notIntact: true,
  overruled: true,
  otherZone: true,
  oneEyeOnly: true,
  twoBursts: true,
  profilesDiffer: true,
}

describe('what keeps something from being proof', () => {
  it('has a sentence for every code of the station, and none for one of another version', () => {
    const texts = Object.keys(DOUBTS).map((code) => whyText(code, null, namesNow()))
    expect(texts.filter((text) => text === null || !text.endsWith('.'))).toEqual([])
    expect(whyText('ofAnotherVersion', null, namesNow())).toBeNull()
  })

  it('puts images together whose eyes are known alike, and leaves each disputed one alone', () => {
    const images = ['a', 'b', 'c', 'd'].map((id) => syntheticImage(id))
    const eyes = { a: BY_DICOM, b: IN_DISPUTE, c: BY_DICOM, d: IN_DISPUTE }
    const groups = groupEyes({ images, verdict: verdictOf({ eyes }) }, { eyes: {} })
    expect(groups.map((group) => group.map(({ id }) => id))).toEqual([['a', 'c'], ['b'], ['d']])
  })
})
