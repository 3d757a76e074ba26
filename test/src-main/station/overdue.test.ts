import { describe, expect, it } from 'vitest'
import type { OverdueRow } from '../../../src-main/station/outbox/oversight.ts'
import { listOverdue, MAX_OVERDUE, overdueOf } from '../../../src-main/station/overdue.ts'
import { DAY, HOUR } from '../../../src-shared/durations.ts'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'

const NOW = 2_000 * DAY

/** Captured, sent, confirmed and reported long ago. */
const done: OverdueRow = {
  id: 's',
  reference: 'FC7K3M9QXAW',
  state: 'sent',
  added_at: NOW - 10 * DAY,
  changed_at: NOW - 9 * DAY,
  sent_at: NOW - 9 * DAY,
  confirmed_at: NOW - 9 * DAY,
  unknown_since: null,
  first_version_at: NOW - 8 * DAY,
  listed_state: 'reported',
  listed_since: NOW - 8 * DAY,
  is_redone: 0,
}
const captured = (state: OverdueRow['state'], ageMs: number): Partial<OverdueRow> => ({
  state,
  added_at: NOW - ageMs,
  sent_at: null,
  confirmed_at: null,
  first_version_at: null,
  listed_state: null,
})
const sent = (ageMs: number, changes: Partial<OverdueRow> = {}): Partial<OverdueRow> => ({
  sent_at: NOW - ageMs,
  confirmed_at: NOW - ageMs,
  first_version_at: null,
  listed_state: 'pending',
  ...changes,
})
const rejected = { listed_state: 'reject', listed_since: NOW - DAY, first_version_at: null }

describe('what has waited too long', () => {
  it.each<[string, Partial<OverdueRow>, readonly (readonly [string, number])[]]>([
    ['a case that is done', {}, []],
    ...(['collecting', 'incomplete', 'review', 'waiting', 'held', 'refused'] as const).flatMap(
      (state): [string, Partial<OverdueRow>, readonly (readonly [string, number])[]][] => [
        [`${state} for a day`, captured(state, DAY), []],
        [`${state} for more than a day`, captured(state, DAY + 1), [['notSent', DAY + 1]]],
      ],
    ),
    ['one that is being sent', captured('sending', 9 * DAY), []],
    ['one that was discarded', captured('discarded', 9 * DAY), []],
    ['unknown for an hour', { ...captured('unconfirmed', DAY), unknown_since: NOW - HOUR }, []],
    [
      'unknown for more than an hour, although it was looked up since',
      { ...captured('unconfirmed', DAY), unknown_since: NOW - HOUR - 1, changed_at: NOW },
      [['notConfirmed', HOUR + 1]],
    ],
    [
      'unknown without an attempt, as after a restored backup',
      { ...captured('unconfirmed', DAY), changed_at: NOW - 2 * HOUR },
      [['notConfirmed', 2 * HOUR]],
    ],
    ['sent an hour ago and not read back', sent(HOUR, { confirmed_at: null }), []],
    [
      'sent more than an hour ago and not read back',
      sent(HOUR + 1, { confirmed_at: null }),
      [['notConfirmed', HOUR + 1]],
    ],
    ['without a report for two days', sent(2 * DAY), []],
    ['without a report for more than two days', sent(2 * DAY + 1), [['noReport', 2 * DAY + 1]]],
    [
      'neither read back nor reported',
      sent(3 * DAY, { confirmed_at: null }),
      [
        ['notConfirmed', 3 * DAY],
        ['noReport', 3 * DAY],
      ],
    ],
    ['rejected', rejected, [['notRedone', DAY]]],
    [
      'rejected with a report that says why',
      { ...rejected, first_version_at: NOW - DAY },
      [['notRedone', DAY]],
    ],
    ['rejected and made again', { ...rejected, is_redone: 1 }, []],
  ])('%s', (_what, changes, expected) => {
    const found = overdueOf({ ...done, ...changes }, NOW)
    expect(found.map(({ kind, since }) => [kind, NOW - since])).toEqual(expected)
  })

  it('has a message of its own for every state and step', () => {
    const messages = SUBMISSION_STATES.flatMap((state) =>
      overdueOf({ ...done, ...captured(state, 9 * DAY), changed_at: 0, unknown_since: 0 }, NOW),
    ).map(({ message }) => message)
    expect(new Set(messages).size).toBe(messages.length)
    expect(messages).toHaveLength(7)
  })

  it('is in a list that begins with the oldest and has an end', () => {
    const rows = Array.from({ length: MAX_OVERDUE + 50 }, (_, index) => ({
      ...done,
      ...captured('review', (index + 2) * DAY),
      id: String(index),
    }))
    const list = listOverdue(rows, NOW)
    expect(list).toHaveLength(MAX_OVERDUE)
    expect(list[0]?.submissionId).toBe(String(MAX_OVERDUE + 49))
  })
})
