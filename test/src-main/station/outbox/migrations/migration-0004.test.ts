import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migration0001 } from '../../../../../src-main/station/outbox/migrations/0001.ts'
import { migration0002, migration0004 } from '../../../../../src-main/station/outbox/migrations/since-0.1.ts'

const AT = Date.UTC(2026, 10, 20, 9)

/** What decides about cases, as the version before wrote it: in the trail and in evidence. */
const TRAIL = `
INSERT INTO submissions (id, reference, state, fields, sources, identity, reasons, case_id, added_at, changed_at) VALUES
  ('s-1', 'FC0000000A8', 'sent', '{}', '{}', '{}', '[]', '778899', ${AT}, ${AT}),
  ('s-2', 'FC0000000BJ', 'held', '{}', '{}', '{}', '[]', NULL, ${AT}, ${AT}),
  ('s-3', 'FC0000000CS', 'held', '{}', '{}', '{}', '[]', NULL, ${AT}, ${AT}),
  ('s-4', 'FC0000000D3', 'unconfirmed', '{}', '{}', '{}', '[]', NULL, ${AT}, ${AT});
INSERT INTO audit (at, submission_id, what, details) VALUES
  (${AT + 1}, 's-2', 'gatheredToSend', '{"from":"collecting","to":"waiting"}'),
  (${AT + 2}, 's-2', 'held', '{"from":"review","to":"held"}'),
  (${AT + 3}, 's-2', 'approved', '{"from":"review","to":"waiting"}'),
  (${AT + 4}, 's-2', 'held', '{"from":"waiting","to":"held"}'),
  (${AT + 4}, 's-2', 'edited', '{"from":"held","to":"held"}'),
  (${AT + 5}, 's-3', 'held', 'no JSON any more'),
  (${AT + 6}, 's-1', 'held', '{"from":"waiting","to":"held"}'),
  (${AT + 7}, 's-4', 'provenAbsent', '{"attempt":2}'),
  (${AT + 8}, 's-4', 'provenAbsent', 'no JSON any more'),
  (${AT + 9}, 's-4', 'foundAtService', '{"attempt":3}'),
  (${AT + 10}, 's-4', 'insistenceNeeded', '{"attempt":4,"caseId":"5"}'),
  (${AT + 11}, 's-4', 'insistenceNeeded', '{"attempt":4,"caseId":"6"}');
INSERT INTO attempts (id, submission_id, number, base_url, client_id, phase, outcome, request_bytes, baseline, started_at)
VALUES
  ('a-1', 's-1', 1, 'https://service.example/', 'practice', 'ended', 'unknown', 100, '[]', ${AT}),
  ('a-4', 's-4', 1, 'https://service.example/', 'practice', 'ended', 'unknown', 100, '[]', ${AT}),
  ('a-3', 's-3', 1, 'https://service.example/', 'practice', 'ended', 'unknown', 100, '[]', ${AT}),
  ('a-5', 's-4', 2, 'https://service.example/', 'practice', 'ended', 'unknown', 100, '[]', ${AT}),
  ('a-6', 's-4', 3, 'https://service.example/', 'practice', 'ended', 'unknown', 100, '[]', ${AT}),
  ('a-7', 's-4', 4, 'https://service.example/', 'practice', 'ended', 'unknown', 100, '[]', ${AT});
INSERT INTO evidence (id, submission_id, attempt_id, at, kind, case_ids, message) VALUES
  ('e-2', 's-3', 'a-3', ${AT}, 'decision', '[]', 'A person decided that it is not there.'),
  ('e-3', 's-4', 'a-6', ${AT}, 'decision', '["7"]', 'A person decided that it is there.');
`

describe('the migration to columns instead of words in the trail', () => {
  const migrated = (): Database.Database => {
    const sql = new Database(':memory:')
    onTestFinished(() => void sql.close())
    for (const statements of [migration0001, migration0002, TRAIL, migration0004]) sql.exec(statements)
    return sql
  }

  it('keeps from if a case was put on hold, and when it was passed', () => {
    const rows = migrated().prepare('SELECT id, held_from, passed_at FROM submissions ORDER BY id')
    expect(rows.raw().all()).toEqual([
      ['s-1', null, null],
      ['s-2', 'waiting', AT + 3],
      ['s-3', null, null],
      ['s-4', null, null],
    ])
  })

  it('keeps how the doubt about an attempt ended, when its case was found, and what a person was warned about', () => {
    const rows = migrated().prepare(
      'SELECT submission_id, number, resolution, found_at, warned_case_id FROM attempts ORDER BY submission_id, number',
    )
    expect(rows.raw().all()).toEqual([
      ['s-1', 1, 'arrived', null, null],
      ['s-3', 1, 'absent', null, null],
      ['s-4', 1, 'absent', null, null],
      ['s-4', 2, 'absent', null, null],
      ['s-4', 3, 'arrived', AT + 9, null],
      ['s-4', 4, null, null, '6'],
    ])
  })
})
