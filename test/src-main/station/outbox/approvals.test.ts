import { describe, expect, it } from 'vitest'
import type { SubmissionEvent } from '../../../../src-shared/states.ts'
import {
  addWaiting,
  endAttempt,
  MORNING,
  openMemoryOutbox,
  openTestOutbox,
  SERVICE,
  startAttempt,
  stateOf,
  type TestOutbox,
  updateVerdict,
} from '../../../tools/outbox-with.ts'
import { partsWith } from '../calls/parts-with.ts'
import { inReview, storeVerdict, type TableTest } from './outbox-with-sql.ts'

const AT = { at: MORNING }
/** From now on its eyes were read from file names. Its content stays the same. */
function restOnNames(test: TestOutbox, id: string): void {
  for (const { id: imageId, eye } of test.outbox.imageRowsOf(id))
    test.outbox.setEye(imageId, { eye, source: 'fileName', statements: null })
  updateVerdict(test, id)
}

function approved(test: TestOutbox): string {
  const id = inReview(test)
  test.outbox.moveSubmission(id, 'approved', {}, { ...AT, by: 'AB' })
  return id
}

function attemptEnds(test: TestOutbox, id: string, event: SubmissionEvent): void {
  startAttempt(test, id)
  test.outbox.moveSubmission(id, event, {}, AT)
}

/** Takes a waiting case to a state in which the event is possible, then lets it rest on names. */
const WAYS: readonly (readonly [SubmissionEvent, (test: TestOutbox, id: string) => void])[] = [
  ['gatheredToSend', () => undefined],
  ['postponed', () => undefined],
  ['releasedToSend', ({ outbox }, id) => void outbox.moveSubmission(id, 'held', {}, AT)],
  ['stayedUnsent', (test, id) => startAttempt(test, id)],
  ['retriedRefused', (test, id) => attemptEnds(test, id, 'wasRefused')],
  ['provenAbsent', (test, id) => attemptEnds(test, id, 'becameUnknown')],
]

describe.each<readonly [string, (test: TableTest, id: string) => void]>([
  ['rests on names', restOnNames],
  ['was never input', (test, id) => storeVerdict(test, id, null)],
  ['has a verdict that cannot be read', (test, id) => storeVerdict(test, id, '{"who":7}')],
  [
    'has an image that was not input',
    (test, id) => {
      const verdict = test.outbox.rowOf(id)?.verdict ?? ''
      storeVerdict(test, id, JSON.stringify({ ...(JSON.parse(verdict) as object), eyes: {} }))
    },
  ],
])('a case that would wait and %s', (_what, doubt) => {
  it.each(WAYS)('goes to review after %s, and the trail says why', (event, prepare) => {
    const test = openMemoryOutbox()
    const id = addWaiting(test)
    prepare(test, id)
    doubt(test, id)
    expect(test.outbox.moveSubmission(id, event, { notBefore: MORNING + 9 }, AT)).toBe('review')
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'review',
      notBefore: null,
      reasons: [
        {
          kind: 'readFromNames',
          message: expect.stringMatching(/^Read from file names\. Check/) as string,
        },
      ],
    })
    const [last, before] = test.outbox.listAudit({ submissionId: id, limit: 2 })
    expect(last).toMatchObject({ what: 'gatheredForReview', by: null, details: { why: 'readFromNames' } })
    expect(before).toMatchObject({ what: event })
  })
})

describe('a case that would wait with other content than was cleared', () => {
  it.each(WAYS.filter(([event]) => event !== 'gatheredToSend'))(
    'goes to review after %s, and is not cleared again',
    (event, prepare) => {
      const test = openTestOutbox()
      const id = addWaiting(test)
      prepare(test, id)
      // As if a byte had changed on the disk.
      for (const image of test.outbox.imageRowsOf(id))
        test.outbox.setEye(image.id, { eye: 'left', source: 'sidecar', statements: null })
      expect(test.outbox.moveSubmission(id, event, {}, AT)).toBe('review')
      expect(test.outbox.matchesClearance(id)).toBe(false)
      expect(test.outbox.listAudit({ submissionId: id, limit: 1 })).toMatchObject([
        { what: 'gatheredForReview', details: { why: 'changedSincePassed' } },
      ])
    },
  )
})

describe('a case that a person approved', () => {
  it.each(WAYS)('waits after %s if a person approved this content', (event, prepare) => {
    const test = openTestOutbox()
    const id = approved(test)
    prepare(test, id)
    expect(test.outbox.moveSubmission(id, event, {}, AT)).toBe('waiting')
    const age = test.outbox.submissionOf(id)?.fields.age ?? 0
    test.outbox.setContent(
      id,
      {
        fields: { history_number: 'H-1', age: age + 1 },
        sources: { history_number: 'sidecar' },
        reasons: [],
      },
      MORNING,
    )
    expect(test.outbox.moveSubmission(id, 'postponed', {}, AT)).toBe('review')
  })
})

describe('an approval', () => {
  it('keeps who, when and what', () => {
    const test = openTestOutbox()
    const id = approved(test)
    expect(stateOf(test, id)).toBe('waiting')
    const { rowOf: row, submissionOf: get } = test.outbox
    expect(row(id)).toMatchObject({
      approved_digest: test.outbox.candidateOf(id)?.digest,
      approved_verdict: JSON.stringify(get(id)?.verdict),
      approved_by: 'AB',
      approved_via: null,
      approved_at: MORNING,
    })
  })

  it('is none of what the program lets through, or a person releases or tries again', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.moveSubmission(id, 'held', {}, { ...AT, by: 'AB' })
    test.outbox.moveSubmission(id, 'releasedToSend', {}, { ...AT, by: 'AB' })
    startAttempt(test, id)
    test.outbox.moveSubmission(id, 'wasRefused', {}, AT)
    test.outbox.moveSubmission(id, 'retriedRefused', {}, { ...AT, by: 'AB' })
    expect(test.outbox.rowOf(id)).toMatchObject({
      state: 'waiting',
      approved_digest: null,
      approved_by: null,
    })
  })

  it('ends if the unit of a value changes or it is not known what has happened to the case since', () => {
    const test = openTestOutbox()
    test.outbox.applyUnits({ vaUnit: 'decimal', prismBase: 'degrees' } as never, MORNING)
    const fields = { history_number: 'H-1', visit_date: '2026-11-20', od_va: 0.8 }
    const ids = [addWaiting(test, { fields }), approved(test)] as const
    for (const id of ids) {
      test.outbox.moveSubmission(id, 'gatheredForReview', {}, AT)
      test.outbox.moveSubmission(id, 'approved', {}, AT)
      test.outbox.moveSubmission(id, 'held', {}, AT)
    }
    test.outbox.applyUnits({ vaUnit: 'logMAR', prismBase: 'degrees' } as never, MORNING)
    expect(ids.map((id) => test.outbox.rowOf(id)?.approved_at)).toEqual([null, MORNING])
    test.outbox.markAllUnconfirmed('backup', { service: SERVICE, at: MORNING })
    expect(ids.map((id) => test.outbox.rowOf(id)?.approved_at)).toEqual([null, null])
  })
})

describe('a case that was discarded while its arrival was unknown', () => {
  it('is approved again once it is restored and proven absent', async () => {
    const test = await partsWith()
    const id = approved(test)
    startAttempt(test, id)
    endAttempt(test, id, 'unknown')
    for (const name of ['submissions.discard', 'submissions.restore'] as const)
      expect(await test.call(name, { ids: [id] })).toMatchObject({ value: { changed: [id] } })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.outbox.rowOf(id)).toMatchObject({ approved_digest: null, passed_digest: null })
    expect(test.outbox.moveSubmission(id, 'provenAbsent', {}, AT)).toBe('review')
  })
})

describe('an approval without a verdict', () => {
  /** Approved by a build that knew no verdicts. */
  const olderApproval = (test: TableTest): string => {
    const id = approved(test)
    test.sql.prepare('UPDATE submissions SET approved_verdict = NULL, verdict = NULL WHERE id = ?').run(id)
    return id
  }

  it('holds for the same content, also if it rests on a proposal', () => {
    const test = openMemoryOutbox()
    const id = olderApproval(test)
    updateVerdict(test, id)
    expect([test.outbox.matchesClearance(id), test.outbox.candidateOf(id)?.isProven]).toEqual([true, false])
    expect(test.outbox.moveSubmission(id, 'postponed', {}, AT)).toBe('waiting')
  })

  it('ends with other content, and with a question', () => {
    const test = openMemoryOutbox()
    const [changed, asked] = [olderApproval(test), olderApproval(test)] as const
    for (const { id } of test.outbox.imageRowsOf(changed))
      test.outbox.setEye(id, { eye: 'left', source: 'fileName', statements: null })
    updateVerdict(test, changed)
    for (const id of [changed, asked])
      expect(test.outbox.moveSubmission(id, 'postponed', {}, AT), id).toBe('review')
  })
})

describe('an approved verdict', () => {
  it('is in the manifest of its case, and so is every change of a verdict', () => {
    const test = openMemoryOutbox()
    const id = approved(test)
    const before = test.outbox.manifestOf(id)
    const verdict = { ...test.outbox.submissionOf(id)?.verdict }
    expect(JSON.parse(String(before?.submission['approved_verdict']))).toEqual(verdict)
    storeVerdict(test, id, JSON.stringify({ ...verdict, who: { kind: 'unknown', by: [], why: null } }))
    expect(test.outbox.manifestOf(id)?.revision).toBeGreaterThan(before?.revision ?? Infinity)
  })

  it('covers the same content once it is proven, and not once something else is only proposed', () => {
    const test = openMemoryOutbox()
    const [proven, worse] = [approved(test), approved(test)] as const
    for (const id of [proven, worse])
      for (const image of test.outbox.imageRowsOf(id))
        test.outbox.setEye(image.id, { eye: image.eye, source: 'dicom', statements: null })
    updateVerdict(test, proven)
    const { fields, reasons } = test.outbox.submissionOf(worse) ?? { fields: {}, reasons: [] }
    const sources = { history_number: 'fileName', visit_date: 'sidecar' } as const
    test.outbox.setContent(worse, { fields, sources, reasons }, MORNING)
    updateVerdict(test, worse)
    for (const id of [proven, worse]) expect(test.outbox.matchesClearance(id)).toBe(true)
    expect(test.outbox.moveSubmission(proven, 'postponed', {}, AT)).toBe('waiting')
    expect(test.outbox.moveSubmission(worse, 'postponed', {}, AT)).toBe('review')
  })

  it('covers no other content, even if the rule of the folder cleared that', () => {
    const test = openMemoryOutbox()
    const id = approved(test)
    for (const image of test.outbox.imageRowsOf(id))
      test.outbox.setEye(image.id, { eye: 'left', source: 'fileName', statements: null })
    updateVerdict(test, id)
    expect(test.outbox.moveSubmission(id, 'gatheredToSend', {}, AT)).toBe('review')
  })

  it('that cannot be read covers nothing', () => {
    const test = openMemoryOutbox()
    const id = approved(test)
    test.sql.prepare("UPDATE submissions SET approved_verdict = '{}' WHERE id = ?").run(id)
    expect(test.outbox.moveSubmission(id, 'postponed', {}, AT)).toBe('review')
  })
})
