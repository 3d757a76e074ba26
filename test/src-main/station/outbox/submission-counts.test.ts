import { fc, runs } from '../../../tools/property.ts'
import { describe, expect, it } from 'vitest'
import { SUBMISSION_EVENTS, SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import { MORNING, newSubmission, openTestOutbox, type TestOutbox } from '../../../tools/outbox-with.ts'

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

const step = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'create' } as const) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      which: fc.nat(50),
      event: fc.constantFrom(...SUBMISSION_EVENTS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('undone' as const),
      which: fc.nat(50),
      event: fc.constantFrom(...SUBMISSION_EVENTS),
    }),
  },
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
