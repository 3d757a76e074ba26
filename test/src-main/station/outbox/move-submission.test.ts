import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import { transition, SUBMISSION_EVENTS, SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import {
  MORNING,
  newSubmission,
  openTestOutbox,
  stateOf,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
import { fc, runs } from '../../../tools/property.ts'
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
      const before = [outbox.submissions.row(id), outbox.audit.list({ submissionId: id, limit: 100 })]
      const notified = test.notified.length
      const patch = { failure: failureOf('offline'), notBefore: AT, caseId: '7', sentAt: AT }
      const move = (): unknown => outbox.submissions.transition(id, event, patch, { at: AT, by: 'AB' })
      if (to === null) {
        expect(move).toThrow(/is not possible in/)
        expect([outbox.submissions.row(id), outbox.audit.list({ submissionId: id, limit: 100 })]).toEqual(
          before,
        )
        expect(test.notified.length).toBe(notified)
      } else {
        expect(move()).toBe(to)
        expect(outbox.submissions.row(id)).toMatchObject({
          state: to,
          case_id: '7',
          not_before: AT,
          sent_at: AT,
          changed_at: AT,
        })
        expect(outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
          { at: AT, what: event, by: 'AB', details: { from, to, failure: 'offline' } },
        ])
        expect(test.notified.slice(notified)).toEqual([[id]])
      }
    }
  })

  it('is notified apart from other errors', () => {
    const { outbox } = openTestOutbox()
    try {
      outbox.submissions.transition('no one', 'claimed', {}, { at: AT })
      expect.unreachable()
    } catch (error) {
      expect(outbox.isMoveRefused(error)).toBe(true)
    }
    expect(outbox.isMoveRefused(new Error('another'))).toBe(false)
  })

  it('changes what the patch names and leaves the rest', () => {
    const test = openTestOutbox()
    const id = caseIn(test, 'waiting')
    const move = (patch: object): void =>
      void test.outbox.submissions.transition(id, 'postponed', patch, { at: AT })
    move({ failure: failureOf('offline'), notBefore: AT })
    move({})
    expect(test.outbox.submissions.get(id)).toMatchObject({ failure: failureOf('offline'), notBefore: AT })
    move({ failure: null, notBefore: null })
    expect(test.outbox.submissions.get(id)).toMatchObject({ failure: null, notBefore: null })
  })
})

/** What someone finds who counts each row of the list. */
function counted(test: TestOutbox): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0]))
  for (let after: string | undefined; ;) {
    const { items } = test.outbox.submissions.list({ limit: 50, ...(after === undefined ? {} : { after }) })
    for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1
    after = items.at(-1)?.id
    if (after === undefined) return counts
  }
}

const moving = { which: fc.nat(50), event: fc.constantFrom(...SUBMISSION_EVENTS) }
const step = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'create' } as const) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('move' as const), ...moving }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undone' as const), ...moving }) },
)

describe('the counts of the states', () => {
  it('are what counting every submission finds, after any moves, also those that were undone', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const test = openTestOutbox()
        const ids = [test.outbox.submissions.create(newSubmission())]
        const move = (which: number, event: (typeof SUBMISSION_EVENTS)[number]): void => {
          try {
            test.outbox.submissions.transition(
              ids[which % ids.length] ?? '',
              event,
              { caseId: '778899', sentAt: MORNING },
              { at: MORNING },
            )
          } catch (error) {
            if (!test.outbox.isMoveRefused(error)) throw error
          }
        }
        for (const one of steps) {
          if (one.kind === 'create') ids.push(test.outbox.submissions.create(newSubmission()))
          else if (one.kind === 'move') move(one.which, one.event)
          else
            expect(() =>
              test.outbox.write(() => {
                test.outbox.submissions.create(newSubmission())
                move(one.which, one.event)
                throw new Error('undone')
              }),
            ).toThrow('undone')
        }
        expect(test.outbox.submissions.count()).toEqual(counted(test))
        for (const state of SUBMISSION_STATES)
          expect(test.outbox.submissions.list({ state: [state], limit: 1 }).total).toBe(counted(test)[state])
        test.close()
      }),
      { numRuns: runs(40) },
    )
  })
})
