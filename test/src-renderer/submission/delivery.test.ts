import { describe, expect, it } from 'vitest'
import { type EarlierCases, earlierCasesOf } from '../../../src-renderer/submission/compared-cases.tsx'
import {
  candidateIds,
  compareCase,
  type Compared,
  firstUnconfirmedAt,
  summarizeComparison,
} from '../../../src-renderer/submission/candidates.tsx'
import { alikeOnce, summarizeDelivery } from '../../../src-renderer/submission/delivery.tsx'
import type { ListedCase } from '../../../src-shared/case.ts'
import { listedCase } from '../synthetic-submission.ts'
import { DAY, MINUTE } from '../../../src-shared/durations.ts'
import type { Evidence, Reason, Warning } from '../../../src-shared/submission.ts'

const found = (kind: Evidence['kind'], ...caseIds: string[]) => ({ kind, caseIds })

describe('what the evidence comes to', () => {
  it.each([
    ['nothing', [], { why: 'noAnswer', candidates: [], cautions: [] }],
    ['an absence', [found('absent')], { why: 'noAnswer', candidates: [], cautions: [] }],
    [
      'one that fits',
      [found('absent'), found('sameIdentity', '7')],
      { why: 'noAnswer', candidates: ['7'], cautions: [] },
    ],
    [
      'the reference itself',
      [found('sameIdentity', '7'), found('echoedReference', '9')],
      { why: 'noAnswer', candidates: ['9', '7'], cautions: [{ kind: 'found', caseIds: ['9'] }] },
    ],
    [
      'two with the reference',
      [found('echoedReference', '9'), found('twice', '9', '10')],
      { why: 'noAnswer', candidates: ['9', '10'], cautions: [{ kind: 'twice', caseIds: ['9', '10'] }] },
    ],
    [
      'a restored outbox and a center that may have been another',
      [found('restored'), found('centerUnsure')],
      { why: 'restored', candidates: [], cautions: [{ kind: 'centerUnsure' }] },
    ],
    [
      'kinds that name a case in another way',
      [found('decision', '3'), found('readBack', '4')],
      { why: 'noAnswer', candidates: ['4', '3'], cautions: [] },
    ],
  ] as const)('of %s', (_name, evidence, picture) => {
    expect(summarizeDelivery(evidence)).toEqual(picture)
  })
})

const SENT = Date.UTC(2026, 10, 20, 9)
const OURS = {
  submission: {
    id: 's1',
    reference: 'FC7K3M9QXAW',
    fields: { history_number: 'H-1', last_name: 'L\u00f3pez', first_name: 'Ana', visit_date: '2026-11-20' },
  },
  sentAt: SENT,
}

const listed = (changes: Partial<ListedCase> = {}) => listedCase('7', changes)

const verdictOn = (what: Compared['what'], changes: Partial<ListedCase>, ours = OURS): string =>
  compareCase(ours, listed(changes)).find((one) => one.what === what)?.verdict ?? 'none'

describe('a case of the service beside ours', () => {
  it.each([
    ['historyNumber', { historyNumber: ' h-1 ' }, 'same'],
    ['historyNumber', { historyNumber: 'H-2' }, 'differs'],
    ['historyNumber', {}, 'unsaid'],
    ['historyNumber', { historyNumber: '' }, 'unsaid'],
    ['lastName', { lastName: 'LOPEZ' }, 'same'],
    ['lastName', { lastName: 'Lopes' }, 'differs'],
    ['firstName', { firstName: 'Ana' }, 'same'],
    ['visitDate', { visitDate: '2026-11-20T00:00:00Z' }, 'same'],
    ['visitDate', { visitDate: '2026-11-19' }, 'differs'],
    ['reference', { raw: { notes: 'red eye\nFC7K3M9QXAW' } }, 'same'],
    ['reference', { raw: { notes: 'FC0000000ZZ' } }, 'differs'],
    ['reference', { raw: { notes: 'none' } }, 'unsaid'],
    ['created', { createdAt: new Date(SENT + MINUTE).toISOString() }, 'same'],
    // Clocks differ.
    ['created', { createdAt: new Date(SENT - 14 * MINUTE).toISOString() }, 'same'],
    ['created', { createdAt: new Date(SENT - 16 * MINUTE).toISOString() }, 'differs'],
    ['created', { createdAt: new Date(SENT + 2 * DAY).toISOString() }, 'unsaid'],
    ['created', { createdAt: 'yesterday' }, 'unsaid'],
    // Without a zone no one knows which clock it is read from, not even of a time that is days away.
    ['created', { createdAt: '2026-11-20T09:01:00' }, 'unsaid'],
    ['created', { createdAt: '2026-11-20 09:01:00.123' }, 'unsaid'],
    ['created', { createdAt: '2026-11-10T09:01:00' }, 'unsaid'],
    ['created', { createdAt: '2026-11-20T10:01:00.123+01:00' }, 'same'],
    ['created', { createdAt: '2026-11-20 04:01:00-0500' }, 'same'],
    ['created', { createdAt: '2026-11-20 04:01:00+00' }, 'differs'],
    ['created', { createdAt: '2026-11-20' }, 'unsaid'],
    ['boundTo', { submissionId: 's1', reference: 'FC7K3M9QXAW' }, 'unsaid'],
    ['boundTo', { submissionId: 's2', reference: 'FC0000000ZZ' }, 'differs'],
    ['state', { state: 'pending' }, 'unsaid'],
  ] as const)('%s of %o is %s', (what, changes, verdict) => {
    expect(verdictOn(what, changes)).toBe(verdict)
  })

  it('says nothing of the time if no attempt is known here', () => {
    const createdAt = new Date(SENT - DAY).toISOString()
    const [created] = compareCase({ ...OURS, sentAt: null }, listed({ createdAt })).filter(
      ({ what }) => what === 'created',
    )
    expect(created).toEqual({ what: 'created', theirs: createdAt, verdict: 'unsaid' })
  })

  it.each([
    ['nothing', [], null],
    ['no doubt', ['refused'], null],
    ['one doubt', ['unsent', 'unknown'], SENT + DAY],
    ['a doubt and another a day later', ['unknown', 'unknown'], SENT],
    ['an attempt that never ended and a doubt', [null, 'unknown'], SENT],
  ] as const)('was sent when the first doubt began: %s', (_what, outcomes, at) => {
    const attempts = outcomes.map((outcome, index) => ({ outcome, startedAt: SENT + index * DAY }))
    expect(firstUnconfirmedAt(attempts)).toBe(at)
  })

  it('is not another one if an earlier attempt in doubt may have left it there', () => {
    const doubts = [SENT, SENT + DAY].map((startedAt) => ({ outcome: 'unknown', startedAt }) as const)
    const createdAt = new Date(SENT + MINUTE).toISOString()
    const compared = compareCase({ ...OURS, sentAt: firstUnconfirmedAt(doubts) }, listed({ createdAt }))
    expect(summarizeComparison(compared)).toEqual({ same: ['created'], differs: [] })
  })

  it('is weighed by what agrees and what does not', () => {
    const compared = compareCase(OURS, listed({ historyNumber: 'H-1', lastName: 'Other' }))
    expect(summarizeComparison(compared)).toEqual({ same: ['historyNumber'], differs: ['lastName'] })
  })
})

describe('the cases to choose among', () => {
  it('are what looking has found, then those of this patient that no one has yet', () => {
    const list = [
      listed({ caseId: '5', historyNumber: 'H-1', submissionId: 's9' }),
      listed({ caseId: '6', historyNumber: 'h-1' }),
      listed({ caseId: '7', historyNumber: 'H-1' }),
      listed({ caseId: '8', historyNumber: 'H-2' }),
    ]
    expect(candidateIds(['7'], OURS, list)).toEqual(['7', '6'])
    expect(candidateIds([], { submission: { ...OURS.submission, fields: {} } }, list)).toEqual([])
  })

  it('are few enough to be compared, and never fewer than were found', () => {
    const list = Array.from({ length: 9 }, (_, index) => listed({ caseId: `${index}`, historyNumber: 'H-1' }))
    expect(candidateIds([], OURS, list)).toHaveLength(4)
    const found = ['a', 'b', 'c', 'd', 'e', 'f']
    expect(candidateIds(found, OURS, list)).toEqual(found)
  })
})

const duplicate: Reason = { kind: 'looksLikeDuplicate', message: 'An image.', references: ['FC1', 'FC2'] }
const sentBefore: Warning = { kind: 'sentBefore', message: 'A case.', references: ['FC3'] }

it.each<readonly [string, Reason[], Warning[], EarlierCases | null]>([
  ['nothing in a plain case', [], [], null],
  [
    'the cases that hold the same image, before those of the same day',
    [duplicate],
    [sentBefore],
    { why: 'sameImage', references: ['FC1', 'FC2'] },
  ],
  [
    'those of the same patient and day',
    [],
    [sentBefore, sentBefore],
    { why: 'sentBefore', references: ['FC3'] },
  ],
  [
    'at most three',
    [],
    [{ ...sentBefore, references: ['1', '2', '3', '4'] }],
    { why: 'sentBefore', references: ['1', '2', '3'] },
  ],
])('shows beside a case %s', (_what, reasons, oddities, earlier) => {
  expect(earlierCasesOf({ reasons, oddities })).toEqual(earlier)
})

it('nine searches that found nothing are one entry, the latest, and what a person decided is its own', () => {
  const searches = Array.from({ length: 9 }, (_none, index): Evidence => ({
    id: `search ${index}`,
    attemptId: 'a',
    at: index,
    kind: 'absent',
    message: 'Not found.',
    caseIds: [],
    by: null,
  }))
  const answered: Evidence = {
    id: 'd',
    attemptId: 'a',
    at: 9,
    kind: 'decision',
    message: 'Sent again.',
    caseIds: [],
    by: 'AB',
  }
  expect(alikeOnce([...searches, answered]).map(({ found: { at }, times }) => [at, times])).toEqual([
    [8, 9],
    [9, 1],
  ])
})
