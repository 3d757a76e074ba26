/** What the sources of a case prove, and what exactly was approved, and through what. */
export const migration0007 = `
-- Adding a column checks every row: one with a word of another version may stay.
PRAGMA ignore_check_constraints = ON;
-- What is proven, proposed, disputed or unknown, as JSON. NULL until the case is read again: then nothing is proven.
ALTER TABLE submissions ADD COLUMN verdict TEXT;
-- The verdict that a person approved together with the content. NULL in approvals of before.
ALTER TABLE submissions ADD COLUMN approved_verdict TEXT;
-- 'screen' if the caller named what it had shown, else 'script'. NULL in approvals of before.
ALTER TABLE submissions ADD COLUMN approved_via TEXT;
-- Who chose the eye of an image, when, and what stated it then, as JSON: only a new source and value asks again.
ALTER TABLE images ADD COLUMN eye_settled TEXT;
-- When a person chose to import the files that lay in the folder before; NULL for all others.
ALTER TABLE images ADD COLUMN imported_at INTEGER;
-- When a person chose to import a file that was ignored, until it is read; NULL for all others.
ALTER TABLE seen_files ADD COLUMN imported_at INTEGER;
-- The checksum of an entry of an archive: an archive written again may have entries of equal size and time. NULL for files.
ALTER TABLE seen_files ADD COLUMN crc32 INTEGER;
-- Cameras and systems vary the case and the form of names; of many files, few were ignored.
CREATE INDEX seen_files_ignored ON seen_files (folder_path, lower(relative_path)) WHERE kind = 'ignored';
-- The grey levels of the picture, reduced: two files of one photograph have nearly the same. NULL if it has none.
ALTER TABLE images ADD COLUMN grey TEXT;
-- What the data file stated before of patient, day and eyes, if its record says less now, as JSON: it doubts still.
ALTER TABLE sidecar_records ADD COLUMN stated_before TEXT;
-- Since when the data file does not state it any more: it proves nothing of images that come later. NULL if it does.
ALTER TABLE sidecar_records ADD COLUMN withdrawn_at INTEGER;
-- The path, folded: letter case and Unicode form make no other file. Of earlier records, folded in ASCII alone.
ALTER TABLE sidecar_records ADD COLUMN path_key TEXT NOT NULL DEFAULT '';
UPDATE sidecar_records SET path_key = lower(relative_path);
CREATE INDEX sidecar_records_by_path_key ON sidecar_records (folder_path, path_key);
PRAGMA ignore_check_constraints = OFF;

-- A case.json speaks of the images that it names wherever they are below it; until now it was noted for its folder alone.
-- Names with other than ASCII capitals are noted once it is written again.
WITH texts AS (
  SELECT id, folder_path, substr(relative_path, 1, length(relative_path) - length('case.json')) AS folder,
    CASE WHEN json_valid(content) THEN content END AS content
  FROM sidecar_records WHERE relative_path LIKE '%/case.json')
INSERT OR IGNORE INTO sidecar_matches (folder_path, kind, match_key, record_id)
  SELECT folder_path, 'file', lower(folder || value), texts.id FROM texts, json_each(content, '$.files')
  UNION SELECT folder_path, 'file', lower(folder || key), texts.id FROM texts, json_each(content, '$.eyes');

-- What waits unproven goes back to a person once more: more is asked for a proof than before.
INSERT OR REPLACE INTO facts (name, value) SELECT 'namesRule', 'due' WHERE EXISTS (SELECT 1 FROM submissions);
-- The visits that persons approved on screens, from which profiles are learnt.
CREATE INDEX submissions_approved ON submissions (folder_path, approved_at) WHERE approved_via = 'screen';

-- What persons have answered about numbers and names of one watched folder.
CREATE TABLE folder_answers (
  folder_path TEXT NOT NULL,
  -- 'noPatientNumber': one is a number, or a shape if other says so. 'patientNumber': one is a patient's.
  -- 'samePatient': one and other, two numbers or two names, are of one patient.
  kind TEXT NOT NULL,
  one TEXT NOT NULL,
  other TEXT NOT NULL DEFAULT '',
  answered_by TEXT,
  answered_at INTEGER NOT NULL,
  PRIMARY KEY (folder_path, kind, one, other)
) STRICT, WITHOUT ROWID;

-- Names that the folder has used for bytes that no image and no copy has under them: a copy of an image whose case was
-- closed, or a file that was there before the first start. An empty image_id: the bytes are of no image.
CREATE TABLE former_names (
  folder_path TEXT NOT NULL,
  stem_key TEXT NOT NULL,
  name TEXT NOT NULL,
  image_id TEXT NOT NULL,
  PRIMARY KEY (folder_path, stem_key, name, image_id)
) STRICT, WITHOUT ROWID;

-- The words of names under which numbers came, at most a few numbers for each: with three, a word is a constant.
-- An empty number: a source has stated the word as a part of a name.
CREATE TABLE folder_terms (
  folder_path TEXT NOT NULL,
  term TEXT NOT NULL,
  number TEXT NOT NULL,
  PRIMARY KEY (folder_path, term, number)
) STRICT, WITHOUT ROWID;

-- The shapes of the numbers that were approved or proven.
CREATE TABLE folder_shapes (
  folder_path TEXT NOT NULL,
  shape TEXT NOT NULL,
  PRIMARY KEY (folder_path, shape)
) STRICT, WITHOUT ROWID;

-- The numbers that a case mentions beside its own: if one becomes a patient's, the case is read again.
CREATE TABLE folder_mentions (
  folder_path TEXT NOT NULL,
  number TEXT NOT NULL,
  submission_id TEXT NOT NULL,
  PRIMARY KEY (folder_path, number, submission_id)
) STRICT, WITHOUT ROWID;

-- Files that a visit should have and that cannot be used: damaged, empty, set aside.
CREATE TABLE unusable_files (
  id TEXT NOT NULL PRIMARY KEY,
  folder_path TEXT NOT NULL,
  relative_path TEXT NOT NULL,
  stem_key TEXT NOT NULL,
  -- NULL while no case is found for it.
  submission_id TEXT REFERENCES submissions (id),
  why TEXT NOT NULL,
  eye TEXT NOT NULL,
  message TEXT NOT NULL,
  wording TEXT,
  -- What changes with its content: the same file is asked about once.
  size_bytes INTEGER NOT NULL,
  mtime_ms INTEGER NOT NULL,
  crc32 INTEGER,
  seen_at INTEGER NOT NULL,
  -- 'wait', 'exclude', 'sendAsItIs' or 'replaced'; NULL until a person has decided, which waits as well.
  decision TEXT,
  because TEXT,
  made_by TEXT,
  made_at INTEGER,
  -- The image that came later under this name: its new export if the decision is 'replaced', else a question.
  replaced_by TEXT
) STRICT;
CREATE UNIQUE INDEX unusable_files_by_path ON unusable_files (folder_path, relative_path, size_bytes, mtime_ms, coalesce(crc32, -1));
CREATE INDEX unusable_files_by_case ON unusable_files (submission_id) WHERE submission_id IS NOT NULL;
CREATE INDEX unusable_files_by_stem ON unusable_files (folder_path, stem_key);

CREATE TABLE alarms_of_0007 (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('twoCasesOneReference', 'otherPatient', 'centerSwitched', 'outboxRestored', 'foundUnsent', 'contentChanged', 'contradicted', 'damagedFellow')),
  submission_id TEXT REFERENCES submissions (id),
  case_ids TEXT NOT NULL,
  message TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  settled_at INTEGER,
  settled_by TEXT,
  wording TEXT
) STRICT;
PRAGMA ignore_check_constraints = ON;
INSERT INTO alarms_of_0007 SELECT position, id, kind, submission_id, case_ids, message, raised_at, settled_at, settled_by, wording FROM alarms;
PRAGMA ignore_check_constraints = OFF;
DROP TABLE alarms;
ALTER TABLE alarms_of_0007 RENAME TO alarms;
-- A case may have several damaged files, and be contradicted first in its eye, then in its patient.
CREATE UNIQUE INDEX alarms_once ON alarms (kind, coalesce(submission_id, ''), case_ids,
  CASE WHEN kind = 'outboxRestored' THEN raised_at WHEN kind IN ('damagedFellow', 'contradicted') THEN message ELSE 0 END);
CREATE INDEX alarms_open ON alarms (position) WHERE settled_at IS NULL;

DROP TRIGGER manifest_after_submission;
CREATE TRIGGER manifest_after_submission AFTER UPDATE OF state, addendum_to, fields, sources, identity, reasons, verdict, no_image_because, passed_digest, grouped_by, center_id, is_urgent, attempts, case_id, failure, sent_at, confirmed_at ON submissions BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.id; END;
CREATE TRIGGER manifest_after_new_unusable AFTER INSERT ON unusable_files BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_unusable AFTER UPDATE ON unusable_files BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = new.submission_id; END;
CREATE TRIGGER manifest_after_moved_unusable AFTER UPDATE OF submission_id ON unusable_files
  WHEN old.submission_id <> new.submission_id BEGIN UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = old.submission_id; END;
`
