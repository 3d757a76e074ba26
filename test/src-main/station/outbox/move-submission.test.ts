import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import {
  transition,
  SUBMISSION_EVENTS,
  SUBMISSION_STATES,
  type SubmissionEvent,
} from '../../../../src-shared/states.ts'
import {
  addWaiting,
  MORNING,
  newSubmission,
  openTestOutbox,
  startAttempt,
  stateOf,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { caseIn } from './case-in.ts'

const AT = MORNING + 1_000

describe('moving a submission', () => {
  it.each(SUBMISSION_STATES)('out of %s follows the machine, and writes nothing if it does not', (from) => {
    const test = openTestOutbox()
    const { outbox } = test
    for (const event of SUBMISSION_EVENTS) {
      const id = caseIn(test, from)
      expect(stateOf(test, id)).toBe(from)
      const to = transition(from, event)
      const before = [outbox.rowOf(id), outbox.listAudit({ submissionId: id, limit: 100 })]
      const notified = test.notified.length
      const patch = { failure: failureOf('offline'), notBefore: AT, caseId: '7', sentAt: AT }
      const move = (): unknown => outbox.moveSubmission(id, event, patch, { at: AT, by: 'AB' })
      if (to === null) {
        expect(move).toThrow(/is not possible in/)
        expect([outbox.rowOf(id), outbox.listAudit({ submissionId: id, limit: 100 })]).toEqual(before)
        expect(test.notified.length).toBe(notified)
      } else {
        expect(move()).toBe(to)
        expect(outbox.rowOf(id)).toMatchObject({
          state: to,
          case_id: '7',
          not_before: AT,
          sent_at: AT,
          changed_at: AT,
        })
        expect(outbox.listAudit({ submissionId: id, limit: 1 })).toMatchObject([
          { at: AT, what: event, by: 'AB', details: { from, to, failure: 'offline' } },
        ])
        expect(test.notified.slice(notified)).toEqual([[id]])
      }
    }
    // Counted by triggers, and undone with a write.
    const undo = (): void =>
      outbox.write(() => {
        caseIn(test, from)
        throw new Error('undone')
      })
    expect(undo).toThrow('undone')
    const { items, counts } = outbox.listSubmissions({ limit: 200 })
    const counted = Object.groupBy(items, ({ state }) => state)
    for (const state of SUBMISSION_STATES) expect(counts[state]).toBe(counted[state]?.length ?? 0)
  })

  it('is notified apart from other errors', () => {
    const { outbox } = openTestOutbox()
    try {
      outbox.moveSubmission('no one', 'claimed', {}, { at: AT })
      expect.unreachable()
    } catch (error) {
      expect(outbox.isMoveRefused(error)).toBe(true)
    }
    expect(outbox.isMoveRefused(new Error('another'))).toBe(false)
  })

  it('changes what the patch names and leaves the rest', () => {
    const test = openTestOutbox()
    const id = caseIn(test, 'waiting')
    const move = (patch: object): void => void test.outbox.moveSubmission(id, 'postponed', patch, { at: AT })
    move({ failure: failureOf('offline'), notBefore: AT })
    move({})
    expect(test.outbox.submissionOf(id)).toMatchObject({ failure: failureOf('offline'), notBefore: AT })
    move({ failure: null, notBefore: null })
    expect(test.outbox.submissionOf(id)).toMatchObject({ failure: null, notBefore: null })
  })
})

describe('the digest of what was cleared', () => {
  const digestOf = ({ outbox }: TestOutbox, id: string) => outbox.rowOf(id)?.passed_digest

  it('stays beside what was sent as it was cleared, and ends with a manifest that says otherwise', () => {
    const test = openTestOutbox()
    const id = sentCase(test, '4711')
    expect(digestOf(test, id)).toMatch(/^[0-9a-f]{64}$/)
    const manifest = test.outbox.manifestOf(id)
    if (!manifest) throw new Error('There is no manifest.')
    const images = manifest.images.map((image) => ({ ...image, excluded_because: 'It was moved.' }))
    test.outbox.applyManifests([{ ...manifest, revision: manifest.revision + 10, images }], MORNING)
    expect(digestOf(test, id)).toBeNull()
  })

  it('ends if the case was changed since, and has arrived after all', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    startAttempt(test, id)
    test.outbox.moveSubmission(id, 'wasRefused', {}, { at: MORNING })
    const content = { fields: { history_number: 'H-00018' }, sources: {}, reasons: [] }
    test.outbox.setContent(id, content, MORNING)
    test.outbox.moveSubmission(id, 'foundAtService', {}, { at: MORNING })
    expect(digestOf(test, id)).toBeNull()
  })
})

it('when a case was cleared last, and the state before a hold as long as it lasts, are in its row', () => {
  const { outbox } = openTestOutbox()
  const id = outbox.createSubmission(newSubmission())
  const after = (event: SubmissionEvent, at: number): unknown[] => {
    outbox.moveSubmission(id, event, {}, { at })
    const row = outbox.rowOf(id)
    return [row?.state, row?.passed_at, row?.held_from]
  }
  expect(after('gatheredForReview', 1)).toEqual(['review', null, null])
  expect(after('approved', 2)).toEqual(['waiting', 2, null])
  expect(after('held', 3)).toEqual(['held', 2, 'waiting'])
  expect(after('edited', 4)).toEqual(['held', 2, 'waiting'])
  expect(after('releasedToSend', 5)).toEqual(['waiting', 5, null])
  expect(after('held', 6)).toEqual(['held', 5, 'waiting'])
  expect(after('discarded', 7)).toEqual(['discarded', 5, null])
})
