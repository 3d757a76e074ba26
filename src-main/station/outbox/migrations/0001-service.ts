/**
 * The schema of attempts, of what the service has said, of reports, alarms, the trail and manifests; see `0001-cases.ts`.
 *
 * Which manifests are behind their rows is kept by triggers: whatever statement changes what a manifest holds makes it due
 * in the same commit, and a kill between the two loses nothing. Revisions are of one count for all submissions: of two
 * manifests that name the same image, the later one is right.
 */
export const SERVICE = `
CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  number INTEGER NOT NULL,
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  center_id TEXT,
  phase TEXT NOT NULL CHECK (phase IN ('prepared', 'sending', 'handedOver', 'ended')),
  outcome TEXT CHECK (outcome IN ('delivered', 'unsent', 'refused', 'unknown')),
  request_bytes INTEGER NOT NULL,
  handed_over_bytes INTEGER NOT NULL DEFAULT 0,
  -- The last position in known_cases before the attempt.
  known_position INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  answer_status INTEGER,
  answer_body BLOB,
  -- Of the whole answer; only its beginning is kept.
  answer_size_bytes INTEGER,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- How the doubt about an attempt of unknown outcome ended: 'arrived' or 'absent'; NULL while it lasts.
  resolution TEXT,
  -- When the service showed the case although nothing was in doubt: from then on a person decides.
  found_at INTEGER,
  -- The id of a case that a person was last warned about when they said that it is this one.
  warned_case_id TEXT,
  UNIQUE (submission_id, number)
) STRICT;
CREATE UNIQUE INDEX one_open_attempt ON attempts (submission_id) WHERE outcome IS NULL;

CREATE TABLE evidence (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  attempt_id TEXT NOT NULL REFERENCES attempts (id),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  case_ids TEXT NOT NULL,
  message TEXT NOT NULL,
  -- The same by key and values, to be shown in the language of the screens.
  wording TEXT,
  by TEXT
) STRICT;
CREATE INDEX evidence_by_submission ON evidence (submission_id, position);

-- The list of cases of each center: when it was read last, and what earlier confirmed cases taught about it.
CREATE TABLE case_lists (
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  -- Centers may number their cases each for itself; '-' where there is none.
  center_key TEXT NOT NULL,
  read_at INTEGER,
  seen INTEGER NOT NULL DEFAULT 0,
  missed INTEGER NOT NULL DEFAULT 0,
  slowest_ms INTEGER NOT NULL DEFAULT 0,
  -- The most images of one case that the answer, the list and the case itself showed rightly.
  images_in_answer INTEGER NOT NULL DEFAULT 0,
  images_in_list INTEGER NOT NULL DEFAULT 0,
  images_in_case INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (base_url, client_id, center_key)
) STRICT, WITHOUT ROWID;

-- Every id that a list of cases has shown, in the order in which it was seen: one position says what was known before an
-- attempt, however long the list has grown.
CREATE TABLE known_cases (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  center_key TEXT NOT NULL,
  case_id TEXT NOT NULL,
  UNIQUE (base_url, client_id, center_key, case_id)
) STRICT;

CREATE TABLE report_watches (
  submission_id TEXT NOT NULL PRIMARY KEY REFERENCES submissions (id),
  case_id TEXT NOT NULL,
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  center_id TEXT,
  next_check_at INTEGER,
  asked_at INTEGER,
  first_version_at INTEGER,
  read_at INTEGER,
  -- What was done about the latest version, by whom and when, as JSON.
  done TEXT,
  -- The position of the latest version.
  latest INTEGER,
  -- What the service's list shows of the case, in its own words, since when, and when it last did; NULL until it does.
  listed_state TEXT,
  listed_urgency TEXT,
  -- Whether it says that there is a report; NULL where it says nothing of one.
  report_mark TEXT CHECK (report_mark IN ('there', 'notThere')),
  listed_since INTEGER,
  listed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX report_watches_by_state ON report_watches (listed_state);
CREATE INDEX report_watches_due ON report_watches (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX report_watches_by_case ON report_watches (case_id, base_url, client_id);
CREATE INDEX report_watches_answered ON report_watches (base_url, client_id, center_id, first_version_at)
  WHERE first_version_at IS NOT NULL;
CREATE INDEX report_watches_unread ON report_watches (submission_id)
  WHERE first_version_at IS NOT NULL AND read_at IS NULL;
-- The inbox in its order.
CREATE INDEX report_watches_inbox ON report_watches (read_at IS NULL, done IS NULL, latest) WHERE latest IS NOT NULL;
CREATE INDEX report_watches_missing ON report_watches (submission_id) WHERE first_version_at IS NULL;

CREATE TABLE report_versions (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  case_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('pdf', 'json', 'html', 'text', 'image', 'link')),
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  file_name TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  -- Which answer of its case this version was last, counted from 1; and when it was copied to the folder of copies.
  number INTEGER NOT NULL DEFAULT 1,
  saved_at INTEGER,
  UNIQUE (submission_id, sha256)
) STRICT;
CREATE INDEX report_versions_by_submission ON report_versions (submission_id, position);
CREATE INDEX report_versions_unsaved ON report_versions (position) WHERE saved_at IS NULL;

CREATE TABLE alarms (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('twoCasesOneReference', 'otherPatient', 'centerSwitched', 'outboxRestored', 'foundUnsent', 'contentChanged', 'contradicted', 'imagesMissing', 'damagedFellow', 'sentWrongly')),
  submission_id TEXT REFERENCES submissions (id),
  case_ids TEXT NOT NULL,
  message TEXT NOT NULL,
  wording TEXT,
  raised_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
-- The same trouble is raised once. Every restored outbox is one of its own, and every note that a case was sent wrongly; a case may have several damaged files, and be
-- contradicted first in its eye, then in its patient.
CREATE UNIQUE INDEX alarms_once ON alarms (kind, coalesce(submission_id, ''), case_ids,
  CASE WHEN kind IN ('outboxRestored', 'sentWrongly') THEN raised_at WHEN kind IN ('damagedFellow', 'contradicted') THEN message ELSE 0 END);
CREATE INDEX alarms_open ON alarms (position) WHERE settled_at IS NULL;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  submission_id TEXT,
  what TEXT NOT NULL,
  by TEXT,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_submission ON audit (submission_id, id);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_what ON audit (what, id);
CREATE INDEX audit_by_person ON audit (by, id) WHERE by IS NOT NULL;
CREATE TRIGGER audit_is_not_rewritten BEFORE UPDATE ON audit BEGIN SELECT RAISE (ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE (ABORT, 'the audit trail is append-only'); END;
-- REPLACE deletes without the trigger that guards against deleting.
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
  WHEN new.id > 0 AND EXISTS (SELECT 1 FROM audit WHERE id = new.id)
  BEGIN SELECT RAISE (ABORT, 'the audit trail is append-only'); END;

-- Single facts of the station that must outlive it.
CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE manifests (
  submission_id TEXT NOT NULL PRIMARY KEY REFERENCES submissions (id),
  revision INTEGER NOT NULL,
  -- The revision that is on the disk.
  kept_revision INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX manifests_by_revision ON manifests (revision);
CREATE INDEX manifests_due ON manifests (revision) WHERE revision > kept_revision;
CREATE TRIGGER manifest_of_submission AFTER INSERT ON submissions BEGIN
  INSERT INTO manifests (submission_id, revision)
    VALUES (new.id, (SELECT coalesce(max(revision), 0) + 1 FROM manifests));
END;
CREATE TRIGGER manifest_after_submission AFTER UPDATE OF state, addendum_to, fields, sources, identity, reasons, verdict, no_image_because, passed_digest, undo_ms, grouped_by, center_id, is_urgent, attempts, case_id, failure, sent_at, confirmed_at, sent_wrongly, replaces, erased_at ON submissions BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.id; END;
CREATE TRIGGER manifest_after_new_key AFTER INSERT ON submission_keys BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_lost_key AFTER DELETE ON submission_keys BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = old.submission_id; END;
CREATE TRIGGER manifest_after_new_image AFTER INSERT ON images BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_image AFTER UPDATE ON images BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_moved_image AFTER UPDATE OF submission_id ON images
  WHEN old.submission_id <> new.submission_id BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = old.submission_id; END;
CREATE TRIGGER manifest_after_new_copy AFTER INSERT ON sightings WHEN new.became = 'copy' BEGIN
  UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = (SELECT submission_id FROM images WHERE id = new.image_id); END;
CREATE TRIGGER manifest_after_new_attempt AFTER INSERT ON attempts BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_attempt AFTER UPDATE OF outcome ON attempts BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_new_unusable AFTER INSERT ON unusable_files BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_unusable AFTER UPDATE ON unusable_files BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_moved_unusable AFTER UPDATE OF submission_id ON unusable_files
  WHEN old.submission_id <> new.submission_id BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = old.submission_id; END;
`
