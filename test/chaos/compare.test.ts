/** A comparison that cannot fail proves nothing: forged journals and outboxes, each with one fault to be found. */
import { describe, expect, it } from 'vitest'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { syntheticImage, syntheticSubmission } from '../src-renderer/synthetic-submission.ts'
import { type Compared, type ExpectedVisit, type ReceivedCase, compare, isQuiet } from './compare.ts'

const REFERENCE = 'FC7K3M9QXAW'
const RIGHT = 'a'.repeat(64)
const LEFT = 'b'.repeat(64)
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
  const image = syntheticImage('i1', 'right', { sha256: RIGHT })
  return {
    ...syntheticSubmission('one', { centerId: '101', attempts: 1 }),
    reference: REFERENCE,
    state: 'sent',
    fields: { history_number: 'H-00001', visit_date: '2026-11-20', other_relevant_info: 'Small pupils' },
    images: [image, { ...image, sha256: LEFT, eye: 'left' }],
    caseId: '4001',
    confirmedAt: 3,
    attemptList: [],
    evidence: [],
    ...changes,
  }
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

/** The columns in which something is found. */
function found(changes: Partial<Compared>): string {
  return Object.entries(compare(whole(changes)))
    .filter(([column, texts]) => column !== 'notes' && texts.length > 0)
    .map(([column]) => column)
    .join(' ')
}

const one = submissionWith()
const copy = { ...received, caseId: '4002' }
const elsewhere = { ...received, centerId: '102' }
const unconfirmed = submissionWith({ state: 'unconfirmed', caseId: null })

describe('comparing', () => {
  it.each<[string, string, Partial<Compared>]>([
    ['', 'every case where it belongs', {}],
    ['lost', 'a visit that is nowhere', { received: [], submissions: [] }],
    [
      'lost',
      'a visit that was discarded',
      { received: [], submissions: [submissionWith({ state: 'discarded' })] },
    ],
    ['', 'a visit that a person sees', { received: [], submissions: [submissionWith({ state: 'refused' })] }],
    [
      'lost',
      'a single image that is nowhere',
      { received: [{ ...received, images: received.images.slice(0, 1) }], submissions: [] },
    ],
    ['doubled', 'two cases with one reference', { received: [received, copy] }],
    [
      'doubled',
      'two cases with one image',
      { received: [received, { ...copy, fields: copy.fields.slice(0, 2) }] },
    ],
    [
      '',
      'two cases by the decision of a person',
      { received: [received, copy], submissions: [submissionWith({ evidence: [decision] })] },
    ],
    ['wrongCenter', 'a case under another center', { received: [elsewhere] }],
    [
      '',
      'a case under another center of which the station says so',
      { received: [elsewhere], alarms: [alarm] },
    ],
    [
      'wrongCenter',
      'a case that the station meant for another center',
      { received: [elsewhere], submissions: [submissionWith({ centerId: '102' })] },
    ],
    ['falseSent', 'a sent case that is not there', { submissions: [submissionWith({ caseId: '9999' })] }],
    [
      'lost falseSent',
      'a case that was sent with other bytes',
      {
        received: [{ ...received, images: [] }],
        submissions: [{ ...one, images: one.images.map((image) => ({ ...image, sha256: 'c'.repeat(64) })) }],
      },
    ],
    [
      'falseSent',
      'a case that was sent with other fields',
      { submissions: [{ ...one, fields: { ...one.fields, visit_date: '2026-11-19' } }] },
    ],
    ['falseSent', 'a case that was sent as another', { submissions: [{ ...one, reference: 'FC7K3M9QXA0' }] }],
    [
      'wrongBytes',
      'an image at the other eye',
      {
        received: [
          {
            ...received,
            images: received.images.map((image) => ({ ...image, fileName: `${REFERENCE}_OD_1.jpg` })),
          },
        ],
      },
    ],
    [
      'lost wrongBytes',
      'images of another patient',
      { visits: [{ ...visit, images: [{ sha256: 'd'.repeat(64), eye: 'right' }] }] },
    ],
    ['notFound', 'an unconfirmed case that the list shows', { submissions: [unconfirmed] }],
    ['', 'an unconfirmed case that the list does not show', { submissions: [unconfirmed], isEchoing: false }],
  ])('finds "%s" in %s', (columns, _what, changes) => {
    expect(found(changes)).toBe(columns)
  })
})

it.each<[number, string, Partial<Compared>]>([
  [0, 'all is sent and confirmed', {}],
  [1, 'a case moves', { submissions: [submissionWith({ state: 'waiting' })] }],
  [1, 'a case is not confirmed', { submissions: [submissionWith({ confirmedAt: null })] }],
  [1, 'a visit was not ingested', { submissions: [], received: [] }],
  [1, 'the list shows an unconfirmed case', { submissions: [{ ...unconfirmed, evidence: [decision] }] }],
  [
    0,
    'the list does not show an unconfirmed case',
    { submissions: [{ ...unconfirmed, evidence: [decision] }], isEchoing: false },
  ],
])('%i keeps it from being quiet if %s', (count, _what, changes) => {
  expect(isQuiet(whole(changes))).toHaveLength(count)
})
