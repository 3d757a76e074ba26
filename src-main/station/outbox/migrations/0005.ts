/**
 * Cases that cannot be read, what of them is known all the same, and an alarm for the record of a sent case that has
 * changed. An index over the fields no longer fails for a text that is no JSON any more.
 */
export const migration0005 = `
CREATE TABLE quarantine (
  submission_id TEXT NOT NULL PRIMARY KEY,
  -- Table and column, and never a value.
  unreadable TEXT NOT NULL,
  reference TEXT,
  state TEXT NOT NULL,
  -- The fields, if they can be read or a manifest has them: whose visit it is.
  fields TEXT,
  -- The outbox was found older than what happened meanwhile: the case may have been sent since.
  is_in_doubt INTEGER NOT NULL DEFAULT 0 CHECK (is_in_doubt IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Bytes are named by their hash: an image is known by either.
CREATE INDEX images_by_spool_name ON images (spool_name);
-- The facts of an image hold its DICOM name, too.
CREATE INDEX images_by_stated_uid ON images (CASE WHEN json_valid(facts) THEN facts ->> 'sopUid' END)
  WHERE facts IS NOT NULL;

DROP INDEX IF EXISTS submissions_by_visit;
CREATE INDEX submissions_by_visit ON submissions (
  (CASE WHEN json_valid(fields) THEN fields ->> 'history_number' END) COLLATE NOCASE,
  CASE WHEN json_valid(fields) THEN fields ->> 'visit_date' END);

CREATE TABLE alarms_of_0005 (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('twoCasesOneReference', 'otherPatient', 'centerSwitched', 'outboxRestored', 'foundUnsent', 'contentChanged')),
  submission_id TEXT REFERENCES submissions (id),
  case_ids TEXT NOT NULL,
  message TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  settled_at INTEGER,
  settled_by TEXT
) STRICT;
PRAGMA ignore_check_constraints = ON;
INSERT INTO alarms_of_0005 SELECT * FROM alarms;
PRAGMA ignore_check_constraints = OFF;
DROP TABLE alarms;
ALTER TABLE alarms_of_0005 RENAME TO alarms;
CREATE UNIQUE INDEX alarms_once ON alarms
  (kind, coalesce(submission_id, ''), case_ids, CASE kind WHEN 'outboxRestored' THEN raised_at ELSE 0 END);
CREATE INDEX alarms_open ON alarms (position) WHERE settled_at IS NULL;
`
