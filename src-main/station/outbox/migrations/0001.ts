/**
 * The first schema. Instants are epoch milliseconds, structured values JSON text. It was released, so it is never edited:
 * plain text, without any constant of the program.
 */
export const migration0001 = `
CREATE TABLE submissions (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  reference TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('collecting', 'incomplete', 'review', 'waiting', 'held', 'sending', 'unconfirmed', 'refused', 'sent', 'discarded')),
  folder_path TEXT,
  addendum_to TEXT REFERENCES submissions (id),
  fields TEXT NOT NULL,
  sources TEXT NOT NULL,
  identity TEXT NOT NULL,
  reasons TEXT NOT NULL,
  oddities TEXT NOT NULL DEFAULT '[]',
  -- Why there is no image of an eye, as a person said.
  no_image_because TEXT NOT NULL DEFAULT '{}',
  -- A digest of what was sent to wait: nothing else may leave under that approval.
  passed_digest TEXT,
  -- Who said which images belong together: a person's word is not undone by names.
  grouped_by TEXT NOT NULL DEFAULT 'program' CHECK (grouped_by IN ('program', 'person')),
  center_id TEXT,
  is_urgent INTEGER NOT NULL DEFAULT 0 CHECK (is_urgent IN (0, 1)),
  attempts INTEGER NOT NULL DEFAULT 0,
  looks INTEGER NOT NULL DEFAULT 0,
  case_id TEXT,
  failure TEXT,
  quiet_until INTEGER,
  not_before INTEGER,
  added_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  sent_at INTEGER,
  confirmed_at INTEGER,
  CHECK (state <> 'sent' OR case_id IS NOT NULL)
) STRICT;
CREATE INDEX submissions_by_state ON submissions (state, is_urgent DESC, position);
CREATE INDEX submissions_by_visit ON submissions (fields ->> 'history_number' COLLATE NOCASE, fields ->> 'visit_date');
CREATE INDEX submissions_by_case ON submissions (case_id) WHERE case_id IS NOT NULL;
CREATE INDEX submissions_unconfirmed ON submissions (position) WHERE state = 'sent' AND confirmed_at IS NULL;

-- Which visits a submission gathers: images that claim one of these join it. Several where a person has merged.
CREATE TABLE submission_keys (
  folder_path TEXT NOT NULL,
  group_key TEXT NOT NULL,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  PRIMARY KEY (folder_path, group_key, submission_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX submission_keys_by_submission ON submission_keys (submission_id);

CREATE VIRTUAL TABLE submission_words USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

CREATE TABLE images (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  folder_path TEXT,
  file_name TEXT NOT NULL,
  -- Folder and stem of the name, folded: the same for a DICOM file and the JPEG beside it.
  stem_key TEXT NOT NULL DEFAULT '',
  eye TEXT NOT NULL CHECK (eye IN ('right', 'left', 'unknown')),
  eye_source TEXT,
  eye_statements TEXT,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  spool_name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  -- When the camera's file was last changed, epoch milliseconds.
  mtime_ms INTEGER NOT NULL DEFAULT 0,
  -- What the content of the file states by itself (ContentFacts), and what is odd about the picture.
  facts TEXT,
  oddities TEXT NOT NULL DEFAULT '[]',
  sop_uid TEXT,
  -- A picture made of the original: what is shown, and what is sent where the column sends says so.
  picture_spool_name TEXT,
  picture_content_type TEXT,
  picture_size_bytes INTEGER,
  picture_sha256 TEXT,
  sends TEXT NOT NULL DEFAULT 'original' CHECK (sends IN ('original', 'picture')),
  twin_of TEXT REFERENCES images (id),
  -- The record of a data file that governs the folder of this image, as it was when they met: a later one of another
  -- visit does not reach it.
  record_id INTEGER REFERENCES sidecar_records (id),
  -- It met one record of its folder, and the next was of another visit before this case was complete.
  is_record_doubtful INTEGER NOT NULL DEFAULT 0 CHECK (is_record_doubtful IN (0, 1)),
  excluded_because TEXT,
  added_at INTEGER NOT NULL
) STRICT;
CREATE INDEX images_by_submission ON images (submission_id, position);
CREATE INDEX images_by_sha256 ON images (sha256);
CREATE INDEX images_by_stem ON images (folder_path, stem_key);
CREATE INDEX images_by_name ON images (folder_path, file_name);
CREATE INDEX images_by_sop_uid ON images (sop_uid) WHERE sop_uid IS NOT NULL;

-- Other files that turned out to be an image that is there already: what they say of it counts, too.
CREATE TABLE image_copies (
  image_id TEXT NOT NULL REFERENCES images (id),
  folder_path TEXT NOT NULL,
  file_name TEXT NOT NULL,
  stem_key TEXT NOT NULL,
  facts TEXT,
  record_id INTEGER REFERENCES sidecar_records (id),
  PRIMARY KEY (image_id, folder_path, file_name)
) STRICT, WITHOUT ROWID;
CREATE INDEX image_copies_by_stem ON image_copies (folder_path, stem_key);
CREATE INDEX image_copies_by_name ON image_copies (folder_path, file_name);

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
  baseline TEXT NOT NULL,
  failure TEXT,
  answer_status INTEGER,
  answer_body BLOB,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
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
  by TEXT
) STRICT;
CREATE INDEX evidence_by_submission ON evidence (submission_id, position);

-- Which files of the watched folders are known, as what; decides novelty after a restart.
CREATE TABLE seen_files (
  folder_path TEXT NOT NULL,
  relative_path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('image', 'sidecar', 'archive', 'duplicate', 'unreadable', 'ignored', 'leftAlone')),
  submission_id TEXT REFERENCES submissions (id),
  at INTEGER NOT NULL,
  PRIMARY KEY (folder_path, relative_path)
) STRICT, WITHOUT ROWID;

-- What data files beside images say, a row a visit. What a file once said of a visit stays until it says otherwise.
CREATE TABLE sidecar_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder_path TEXT NOT NULL,
  relative_path TEXT NOT NULL,
  content TEXT,
  trouble TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX sidecar_records_by_path ON sidecar_records (folder_path, relative_path);

-- Which images a record speaks of: those of a directory, of a named file (path, or stem of a path), or of a patient.
CREATE TABLE sidecar_matches (
  folder_path TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('directory', 'file', 'patient')),
  match_key TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES sidecar_records (id),
  PRIMARY KEY (folder_path, kind, match_key, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sidecar_matches_by_record ON sidecar_matches (record_id);

-- The last list of cases that was read, by where it was read: the baseline of attempts.
CREATE TABLE case_lists (
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  center_key TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  case_ids TEXT NOT NULL,
  PRIMARY KEY (base_url, client_id, center_key)
) STRICT, WITHOUT ROWID;

-- What earlier confirmed cases taught about that list.
CREATE TABLE calibrations (
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  center_key TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  missed INTEGER NOT NULL DEFAULT 0,
  echoed INTEGER NOT NULL DEFAULT 0,
  slowest_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (base_url, client_id, center_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE report_watches (
  submission_id TEXT NOT NULL PRIMARY KEY REFERENCES submissions (id),
  case_id TEXT NOT NULL,
  base_url TEXT NOT NULL,
  client_id TEXT NOT NULL,
  center_id TEXT,
  next_check_at INTEGER,
  failure TEXT,
  first_version_at INTEGER,
  read_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX report_watches_due ON report_watches (next_check_at) WHERE next_check_at IS NOT NULL;

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
  UNIQUE (submission_id, sha256)
) STRICT;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  submission_id TEXT,
  what TEXT NOT NULL,
  by TEXT,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_submission ON audit (submission_id, id);
CREATE TRIGGER audit_is_not_rewritten BEFORE UPDATE ON audit BEGIN SELECT RAISE (ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE (ABORT, 'the audit trail is append-only'); END;

-- Single facts of the station that must outlive it.
CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
