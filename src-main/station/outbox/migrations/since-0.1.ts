/**
 * Alarms, images whose bytes retention has removed, and counts that need not be counted.
 *
 * Which manifests are behind their rows is kept by triggers: whatever statement changes what a manifest holds makes it
 * due in the same commit, and a kill between the two loses nothing. Revisions are of one count for all submissions: of
 * two manifests that name the same image, the later one is right.
 *
 * It was released, so it is never edited: plain text, without any constant of the program.
 */
export const migration0002 = `
CREATE TABLE alarms (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('twoCasesOneReference', 'otherPatient', 'centerSwitched', 'outboxRestored', 'foundUnsent')),
  submission_id TEXT REFERENCES submissions (id),
  case_ids TEXT NOT NULL,
  message TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  settled_at INTEGER,
  settled_by TEXT
) STRICT;
-- The same trouble is told once, however often it is seen; every restored outbox is one of its own.
CREATE UNIQUE INDEX alarms_once ON alarms
  (kind, coalesce(submission_id, ''), case_ids, CASE kind WHEN 'outboxRestored' THEN raised_at ELSE 0 END);
CREATE INDEX alarms_open ON alarms (position) WHERE settled_at IS NULL;

-- From now on the digest of what was sent, or may have been, is that of what stands there. Before, it may have been older.
UPDATE submissions SET passed_digest = NULL WHERE state IN ('sending', 'sent', 'unconfirmed');

ALTER TABLE images ADD COLUMN removed_at INTEGER;
-- Bytes are named by their hash, so that images of several cases may share a file: who else needs it?
CREATE INDEX images_kept_by_file ON images (spool_name) WHERE removed_at IS NULL;
CREATE INDEX images_kept_by_picture ON images (picture_spool_name)
  WHERE removed_at IS NULL AND picture_spool_name IS NOT NULL;
CREATE INDEX submissions_confirmed ON submissions (position) WHERE state = 'sent' AND confirmed_at IS NOT NULL;
-- Files of images that were removed and that may still lie in the spool.
CREATE TABLE spool_leftovers (spool_name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
-- Of the whole answer; only its beginning is kept.
ALTER TABLE attempts ADD COLUMN answer_size_bytes INTEGER;

-- A page of one state is read from here in the order of the list.
CREATE INDEX submissions_by_age ON submissions (state, position);

-- How many came and were sent in a day.
CREATE INDEX submissions_by_coming ON submissions (added_at);
CREATE INDEX submissions_by_sending ON submissions (sent_at) WHERE sent_at IS NOT NULL;

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

-- Every id that a list of cases has shown, in the order in which it was seen: what was known before an attempt is told
-- by one position, however long the list has grown.
CREATE TABLE known_cases (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  center_key TEXT NOT NULL,
  case_id TEXT NOT NULL,
  UNIQUE (base_url, client_id, center_key, case_id)
) STRICT;
INSERT INTO known_cases (base_url, client_id, center_key, case_id)
  SELECT base_url, client_id, center_key, value FROM case_lists, json_each(case_ids);
-- The last position known before the attempt. Attempts of version 1 have the ids themselves in baseline.
ALTER TABLE attempts ADD COLUMN known_position INTEGER NOT NULL DEFAULT 0;

-- What the service last said of the cases that are ours, and since when it says so.
CREATE TABLE case_states (
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  -- Centers may number their cases each for itself; '-' where there is none.
  center_key TEXT NOT NULL,
  case_id TEXT NOT NULL,
  -- Its own words.
  state TEXT,
  urgency TEXT,
  -- Whether it says that there is a report; NULL where it says nothing of one.
  report_mark TEXT CHECK (report_mark IN ('there', 'notThere')),
  changed_at INTEGER NOT NULL,
  read_at INTEGER NOT NULL,
  PRIMARY KEY (base_url, client_id, center_key, case_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX case_states_by_state ON case_states (state);

-- COLLATE binds closer than the arrow: without parentheses it spoke of the name of the field, and the index served nothing.
DROP INDEX submissions_by_visit;
CREATE INDEX submissions_by_visit ON submissions ((fields ->> 'history_number') COLLATE NOCASE, fields ->> 'visit_date');

ALTER TABLE report_watches ADD COLUMN asked_at INTEGER;
CREATE INDEX report_watches_by_case ON report_watches (case_id, base_url, client_id);
CREATE INDEX report_watches_answered ON report_watches (base_url, client_id, center_id, first_version_at)
  WHERE first_version_at IS NOT NULL;
CREATE INDEX report_watches_unread ON report_watches (submission_id)
  WHERE first_version_at IS NOT NULL AND read_at IS NULL;
CREATE INDEX report_watches_missing ON report_watches (submission_id) WHERE first_version_at IS NULL;

-- The how manieth answer of its case a version was last; a name in the folder of copies, and when it was copied there.
ALTER TABLE report_versions ADD COLUMN number INTEGER NOT NULL DEFAULT 1;
UPDATE report_versions SET number = (SELECT count(*) FROM report_versions AS earlier
  WHERE earlier.submission_id = report_versions.submission_id AND earlier.position <= report_versions.position);
ALTER TABLE report_versions ADD COLUMN saved_at INTEGER;
CREATE INDEX report_versions_by_submission ON report_versions (submission_id, position);
CREATE INDEX report_versions_unsaved ON report_versions (position) WHERE saved_at IS NULL;

CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_what ON audit (what, id);
CREATE INDEX audit_by_person ON audit (by, id) WHERE by IS NOT NULL;
-- REPLACE deletes without telling the trigger that guards against deleting.
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
  WHEN new.id > 0 AND EXISTS (SELECT 1 FROM audit WHERE id = new.id)
  BEGIN SELECT RAISE (ABORT, 'the audit trail is append-only'); END;

CREATE TABLE manifests (
  submission_id TEXT NOT NULL PRIMARY KEY REFERENCES submissions (id),
  revision INTEGER NOT NULL,
  -- The revision that is on the disk.
  kept_revision INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX manifests_by_revision ON manifests (revision);
CREATE INDEX manifests_due ON manifests (revision) WHERE revision > kept_revision;
INSERT INTO manifests (submission_id, revision) SELECT id, position FROM submissions;
CREATE TRIGGER manifest_of_submission AFTER INSERT ON submissions BEGIN
  INSERT INTO manifests (submission_id, revision)
    VALUES (new.id, (SELECT coalesce(max(revision), 0) + 1 FROM manifests));
END;
CREATE TRIGGER manifest_after_submission AFTER UPDATE OF state, addendum_to, fields, sources, identity, reasons, no_image_because, passed_digest, grouped_by, center_id, is_urgent, attempts, case_id, failure, sent_at, confirmed_at ON submissions BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.id; END;
CREATE TRIGGER manifest_after_new_key AFTER INSERT ON submission_keys BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_lost_key AFTER DELETE ON submission_keys BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = old.submission_id; END;
CREATE TRIGGER manifest_after_new_image AFTER INSERT ON images BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_image AFTER UPDATE ON images BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_moved_image AFTER UPDATE OF submission_id ON images
  WHEN old.submission_id <> new.submission_id BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = old.submission_id; END;
CREATE TRIGGER manifest_after_new_copy AFTER INSERT ON image_copies BEGIN
  UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = (SELECT submission_id FROM images WHERE id = new.image_id); END;
CREATE TRIGGER manifest_after_new_attempt AFTER INSERT ON attempts BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_attempt AFTER UPDATE OF outcome ON attempts BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
`

/** Approvals as columns, and the mark that cases of before are still to be checked for what rests on names alone. */
export const migration0003 = `
-- What a person approved from review, who, and when. All three, or none.
ALTER TABLE submissions ADD COLUMN approved_digest TEXT;
ALTER TABLE submissions ADD COLUMN approved_by TEXT;
ALTER TABLE submissions ADD COLUMN approved_at INTEGER;

-- The digest of before is that of an approval only if nothing was let through later without one: a retry of a refused
-- case was noted as approved, too. A release lets through only what had the digest already.
UPDATE submissions SET approved_digest = passed_digest, approved_by = trail.by, approved_at = trail.at
  FROM audit AS trail
  WHERE passed_digest IS NOT NULL
    AND trail.id = (SELECT max(id) FROM audit WHERE submission_id = submissions.id AND what IN ('approved', 'gatheredToSend'))
    AND trail.what = 'approved'
    -- A line that cannot be read approves nothing.
    AND CASE WHEN json_valid(trail.details) THEN trail.details ->> 'from' = 'review' ELSE FALSE END;

-- An outbox that was in use has facts. A new one has no cases of before.
INSERT INTO facts (name, value) SELECT 'namesRule', 'due' WHERE EXISTS (SELECT 1 FROM facts);
`

/**
 * What decides about a case, in columns; until then it was searched for in the words of the trail. Old rows are filled
 * from there, and a line of the trail that cannot be read fills nothing.
 */
export const migration0004 = `
-- The state from which a case was put on hold; NULL in every other state.
ALTER TABLE submissions ADD COLUMN held_from TEXT;
-- When what stands in passed_digest was last passed for sending.
ALTER TABLE submissions ADD COLUMN passed_at INTEGER;
-- How the doubt about an attempt of unknown outcome ended: 'arrived' or 'absent'; NULL while it lasts.
ALTER TABLE attempts ADD COLUMN resolution TEXT;
-- When the service showed the case although nothing was in doubt: from then on a person decides.
ALTER TABLE attempts ADD COLUMN found_at INTEGER;
-- The id of a case that a person was last warned about when they said that it is this one.
ALTER TABLE attempts ADD COLUMN warned_case_id TEXT;

UPDATE submissions SET held_from = (
  SELECT CASE WHEN json_valid(details) THEN details ->> 'from' END FROM audit
  WHERE audit.submission_id = submissions.id AND what = 'held' ORDER BY audit.id DESC LIMIT 1)
WHERE state = 'held';
UPDATE submissions SET passed_at = (
  SELECT at FROM audit WHERE audit.submission_id = submissions.id
    AND what IN ('gatheredToSend', 'approved', 'releasedToSend') ORDER BY audit.id DESC LIMIT 1);

UPDATE attempts SET resolution = 'absent' WHERE outcome = 'unknown' AND EXISTS (
  SELECT 1 FROM audit WHERE audit.submission_id = attempts.submission_id AND what = 'provenAbsent'
    AND CASE WHEN json_valid(details) THEN details ->> 'attempt' >= attempts.number ELSE FALSE END);
UPDATE attempts SET resolution = (
  SELECT CASE case_ids WHEN '[]' THEN 'absent' ELSE 'arrived' END
  FROM evidence JOIN attempts AS decided ON decided.id = evidence.attempt_id
  WHERE evidence.submission_id = attempts.submission_id AND evidence.kind = 'decision'
    AND decided.number >= attempts.number ORDER BY evidence.position LIMIT 1)
WHERE outcome = 'unknown' AND resolution IS NULL;
UPDATE attempts SET resolution = 'arrived' WHERE outcome = 'unknown' AND resolution IS NULL
  AND (SELECT state FROM submissions WHERE id = attempts.submission_id) = 'sent';

UPDATE attempts SET found_at = (
  SELECT at FROM audit WHERE audit.submission_id = attempts.submission_id AND what = 'foundAtService'
    AND CASE WHEN json_valid(details) THEN details ->> 'attempt' = attempts.number ELSE FALSE END
  ORDER BY audit.id DESC LIMIT 1);
UPDATE attempts SET warned_case_id = (
  SELECT details ->> 'caseId' FROM audit
  WHERE audit.submission_id = attempts.submission_id AND what = 'insistenceNeeded'
    AND CASE WHEN json_valid(details) THEN details ->> 'attempt' = attempts.number ELSE FALSE END
  ORDER BY audit.id DESC LIMIT 1);
`

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

/** What an alarm or a piece of evidence says, by key and values, so that it is shown in the language of the screens. */
export const migration0006 = `
-- NULL in rows of before: those have English words only.
-- Adding a column checks every row: one with a word of another version may stay.
PRAGMA ignore_check_constraints = ON;
ALTER TABLE alarms ADD COLUMN wording TEXT;
ALTER TABLE evidence ADD COLUMN wording TEXT;
PRAGMA ignore_check_constraints = OFF;
`
