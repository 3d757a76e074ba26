import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { recoverAttempts } from '../../../../src-main/station/delivery/sender.ts'
import { ATTEMPT_PHASES } from '../../../../src-shared/submission.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, MORNING, openTestOutbox, stateOf, type TestOutbox } from '../../../tools/outbox-with.ts'

function openAttempt(test: TestOutbox, id: string): string {
  return test.outbox.attempts.open({
    submissionId: id,
    destination: { baseUrl: 'https://service.example', clientId: 'clinic', centerId: null },
    requestBytes: 1_000,
    at: MORNING,
  }).attemptId
}

function recover({ outbox }: TestOutbox, clock = new ManualClock()) {
  return recoverAttempts({ outbox, clock, logger: createRecordingLogger() })
}

describe('what a start finds', () => {
  it.each([
    { phase: 'prepared', outcome: 'unsent', state: 'waiting', handedOver: 0, kind: 'interrupted' },
    { phase: 'sending', outcome: 'unsent', state: 'waiting', handedOver: 0, kind: 'interrupted' },
    {
      phase: 'handedOver',
      outcome: 'unknown',
      state: 'unconfirmed',
      handedOver: 1_000,
      kind: 'outcomeUnknown',
    },
    { phase: 'ended', outcome: 'unknown', state: 'unconfirmed', handedOver: 1_000, kind: 'outcomeUnknown' },
  ] as const)('an attempt that was $phase is $outcome', ({ phase, outcome, state, handedOver, kind }) => {
    const folder = openTestOutbox()
    const id = addWaiting(folder)
    folder.outbox.attempts.markPhase(openAttempt(folder, id), phase)
    folder.close()
    const test = openTestOutbox(folder.folder)
    const clock = new ManualClock({ now: MORNING + 60_000 })
    expect(recover(test, clock)).toEqual({
      unsent: outcome === 'unsent' ? 1 : 0,
      unknown: outcome === 'unknown' ? 1 : 0,
    })
    expect(stateOf(test, id)).toBe(state)
    const details = test.outbox.submissions.details(id)
    expect(details).toMatchObject({
      failure: { kind, requestBytes: 1_000 },
      attemptList: [{ outcome, phase: 'ended', handedOverBytes: handedOver, endedAt: MORNING + 60_000 }],
    })
    // Both are due within a second: to be sent, or to be looked for.
    expect(details?.notBefore).toBeLessThanOrEqual(MORNING + 61_000)
    expect(recover(test, clock)).toEqual({ unsent: 0, unknown: 0 })
  })

  it('knows every phase there is', () => {
    expect(ATTEMPT_PHASES).toEqual(['prepared', 'sending', 'handedOver', 'ended'])
  })

  it('leaves ended attempts and everything else alone', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    const end = { outcome: 'refused', handedOverBytes: 1, failure: null, answer: null, at: MORNING } as const
    test.outbox.attempts.end(openAttempt(test, id), end, 'wasRefused', {})
    addWaiting(test)
    const before = test.outbox.submissions.list({ limit: 10 }).items
    expect(recover(test)).toEqual({ unsent: 0, unknown: 0 })
    expect(test.outbox.submissions.list({ limit: 10 }).items).toEqual(before)
  })

  it.each(['prepared', 'handedOver'] as const)(
    'sets a case aside of which an attempt is open (%s) although it is not being sent, and ends the others',
    (phase) => {
      const folder = openTestOutbox()
      const [contradictory, other] = [addWaiting(folder), addWaiting(folder)]
      for (const id of [contradictory, other])
        folder.outbox.attempts.markPhase(openAttempt(folder, id), phase)
      folder.close()
      const sql = new Database(join(folder.folder, 'outbox.sqlite'))
      sql.prepare("UPDATE submissions SET state = 'waiting' WHERE id = ?").run(contradictory)
      sql.close()
      const test = openTestOutbox(folder.folder)
      const { unsent, unknown } = recover(test)
      expect(unsent + unknown).toBe(1)
      expect(stateOf(test, other)).toBe(phase === 'prepared' ? 'waiting' : 'unconfirmed')
      expect(test.outbox.quarantine.of(contradictory)).toMatchObject({ unreadable: 'submissions.state' })
      expect(test.outbox.attempts.dueSubmissions(MORNING, 9).map(({ id }) => id)).not.toContain(contradictory)
      expect(recover(test)).toEqual({ unsent: 0, unknown: 0 })
    },
  )
})
