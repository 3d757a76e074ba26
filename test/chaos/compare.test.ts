/** A harness that cannot fail proves nothing: forged journals and outboxes, each with one fault to be found. */
import { describe, expect, it } from 'vitest'
import type { Alarm } from '../../src-shared/alarms.ts'
import { type SubmissionDetails, submissionDetailsSchema } from '../../src-shared/submission.ts'
import { compare, type Compared, type ExpectedVisit, type Findings, type ReceivedCase } from './compare.ts'
import { isQuiet } from './is-quiet.ts'

const REFERENCE = 'FC7K3M9QXAW'
const RIGHT = 'a'.repeat(64)
const LEFT = 'b'.repeat(64)
const NO_FINDINGS: Findings = {
  lost: [],
  doubled: [],
  wrongCenter: [],
  falseSent: [],
  wrongBytes: [],
  notFound: [],
  notes: [],
}

const visit: ExpectedVisit = {
  historyNumber: 'H-00001',
  visitDate: '2026-11-20',
  centerId: '101',
  images: [
    { sha256: RIGHT, eye: 'right' },
    { sha256: LEFT, eye: 'left' },
  ],
}

const received: ReceivedCase = {
  caseId: '4001',
  centerId: '101',
  fields: [
    { name: 'history_number', value: 'H-00001' },
    { name: 'visit_date', value: '2026-11-20' },
    { name: 'other_relevant_info', value: `Small pupils\n${REFERENCE}` },
  ],
  images: [
    { fileName: `${REFERENCE}_OD_1.jpg`, sha256: RIGHT },
    { fileName: `${REFERENCE}_OS_1.jpg`, sha256: LEFT },
  ],
}

function submissionWith(changes: Partial<SubmissionDetails> = {}): SubmissionDetails {
  const image = (sha256: string, eye: 'right' | 'left') => ({
    id: `image-${eye}`,
    fileName: `${eye}.jpg`,
    eye,
    eyeSource: 'fileName',
    sizeBytes: 10,
    sha256,
    contentType: 'image/jpeg',
    sentAs: null,
    view: null,
    twinOf: null,
    excludedBecause: null,
    removedAt: null,
  })
  return submissionDetailsSchema.parse({
    id: 'one',
    reference: REFERENCE,
    state: 'sent',
    fields: {
      history_number: 'H-00001',
      visit_date: '2026-11-20',
      other_relevant_info: 'Small pupils',
    },
    sources: {},
    images: [image(RIGHT, 'right'), image(LEFT, 'left')],
    centerId: '101',
    attempts: 1,
    caseId: '4001',
    failure: null,
    reasons: [],
    oddities: [],
    noImageBecause: {},
    urgent: false,
    addedAt: 1,
    changedAt: 1,
    sentAt: 2,
    confirmedAt: 3,
    notBefore: null,
    hasReport: false,
    attemptList: [],
    evidence: [],
    ...changes,
  })
}

const decision: SubmissionDetails['evidence'][number] = {
  id: 'evidence',
  attemptId: 'attempt',
  at: 5,
  kind: 'decision',
  caseIds: [],
  message: 'It is not there, send again.',
  by: 'TS',
}

const alarm: Alarm = {
  id: 'alarm',
  kind: 'centerSwitched',
  submissionId: 'one',
  reference: REFERENCE,
  caseIds: ['4001'],
  message: 'Another center was set.',
  raisedAt: 4,
}

function whole(changes: Partial<Compared> = {}): Compared {
  return {
    visits: [visit],
    received: [received],
    submissions: [submissionWith()],
    alarms: [],
    isEchoing: true,
    ...changes,
  }
}

function found(changes: Partial<Compared>): readonly string[] {
  return Object.entries(compare(whole(changes)))
    .filter(([column, texts]) => column !== 'notes' && texts.length > 0)
    .map(([column]) => column)
}

describe('comparing', () => {
  it('finds nothing where every case is where it belongs', () => {
    expect(compare(whole())).toEqual(NO_FINDINGS)
  })

  it('finds a visit that is neither at the service nor in a state that a person sees', () => {
    expect(found({ received: [], submissions: [] })).toEqual(['lost'])
    expect(found({ received: [], submissions: [submissionWith({ state: 'discarded' })] })).toEqual(['lost'])
    expect(found({ received: [], submissions: [submissionWith({ state: 'refused' })] })).toEqual([])
  })

  it('finds a single image that is nowhere', () => {
    const [right] = received.images
    const half = { ...received, images: right ? [right] : [] }
    expect(found({ received: [half], submissions: [] })).toEqual(['lost'])
  })

  it('finds two cases with one reference, or with one image, at the service', () => {
    const again = { ...received, caseId: '4002' }
    expect(found({ received: [received, again] })).toEqual(['doubled'])
    const otherName = { ...again, fields: again.fields.slice(0, 2) }
    expect(found({ received: [received, otherName] })).toEqual(['doubled'])
  })

  it('lets two cases be where a person said so, on record', () => {
    const again = { ...received, caseId: '4002' }
    const submissions = [submissionWith({ evidence: [decision] })]
    expect(found({ received: [received, again], submissions })).toEqual([])
  })

  it('finds a case under a center that it was not made for, unless the station says so itself', () => {
    const elsewhere = { ...received, centerId: '102' }
    expect(found({ received: [elsewhere] })).toEqual(['wrongCenter'])
    expect(found({ received: [elsewhere], alarms: [alarm] })).toEqual([])
    expect(found({ received: [elsewhere], submissions: [submissionWith({ centerId: '102' })] })).toEqual([
      'wrongCenter',
    ])
  })

  it('finds a case that is called sent and is not there', () => {
    const submissions = [submissionWith({ caseId: '9999' })]
    expect(found({ submissions })).toEqual(['falseSent'])
  })

  it('finds a case that is called sent with other bytes, other fields or as the case of another', () => {
    const one = submissionWith()
    const otherBytes = one.images.map((image) => ({ ...image, sha256: 'c'.repeat(64) }))
    expect(found({ submissions: [{ ...one, images: otherBytes }] })).toContain('falseSent')
    const fields = { ...one.fields, visit_date: '2026-11-19' }
    expect(found({ submissions: [{ ...one, fields }] })).toEqual(['falseSent'])
    expect(found({ submissions: [{ ...one, reference: 'FC7K3M9QXA0' }] })).toEqual(['falseSent'])
  })

  it('finds images of another patient, or at the other eye', () => {
    const swapped = received.images.map((image) => ({ ...image, fileName: `${REFERENCE}_OD_1.jpg` }))
    expect(found({ received: [{ ...received, images: swapped }] })).toEqual(['wrongBytes'])
    const foreign = { ...visit, images: [{ sha256: 'd'.repeat(64), eye: 'right' as const }] }
    expect(found({ visits: [foreign] })).toContain('wrongBytes')
  })

  it('finds a case that nobody found though the list shows it', () => {
    const submissions = [submissionWith({ state: 'unconfirmed', caseId: null })]
    expect(found({ submissions })).toEqual(['notFound'])
    expect(compare(whole({ submissions, isEchoing: false })).notes).toEqual(['arrived, left for a person'])
  })
})

describe('coming to rest', () => {
  const restless = (changes: Partial<Compared>): number => isQuiet(whole(changes)).length

  it('is not reached while a case moves, is not confirmed or was not taken in', () => {
    expect(restless({})).toBe(0)
    expect(restless({ submissions: [submissionWith({ state: 'waiting' })] })).toBe(1)
    expect(restless({ submissions: [submissionWith({ confirmedAt: null })] })).toBe(1)
    expect(restless({ submissions: [], received: [] })).toBe(1)
  })

  it('is not reached by a case that stands in the list and was not found', () => {
    const unconfirmed = submissionWith({ state: 'unconfirmed', caseId: null, evidence: [decision] })
    expect(restless({ submissions: [unconfirmed] })).toBe(1)
    expect(restless({ submissions: [unconfirmed], isEchoing: false })).toBe(0)
  })
})
