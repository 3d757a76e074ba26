/** Alarms, images whose bytes retention has removed, and counts that need not be counted. */
import { ALARM_KINDS } from '../../../src-shared/alarm.ts'

const KINDS = ALARM_KINDS.map((kind) => `'${kind}'`).join(', ')

export const migration0002 = `
CREATE TABLE alarms (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN (${KINDS})),
  submission_id TEXT REFERENCES submissions (id),
  case_ids TEXT NOT NULL,
  message TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  settled_at INTEGER,
  settled_by TEXT
) STRICT;
-- The same trouble is told once, however often it is seen.
CREATE UNIQUE INDEX alarms_once ON alarms (kind, coalesce(submission_id, ''), case_ids);
CREATE INDEX alarms_open ON alarms (position) WHERE settled_at IS NULL;

ALTER TABLE images ADD COLUMN removed_at INTEGER;

-- Counting a hundred thousand rows for every page costs more than keeping the counts.
CREATE TABLE submission_counts (state TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO submission_counts SELECT state, count(*) FROM submissions GROUP BY state;
CREATE TRIGGER submission_is_counted AFTER INSERT ON submissions BEGIN
  INSERT INTO submission_counts VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER submission_is_counted_anew AFTER UPDATE OF state ON submissions WHEN old.state <> new.state BEGIN
  UPDATE submission_counts SET count = count - 1 WHERE state = old.state;
  INSERT INTO submission_counts VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER submission_is_counted_off AFTER DELETE ON submissions BEGIN
  UPDATE submission_counts SET count = count - 1 WHERE state = old.state;
END;
`
