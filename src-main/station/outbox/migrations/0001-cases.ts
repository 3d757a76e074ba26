/**
 * The schema of cases, of their images, and of what folders and data files have said. Instants are epoch milliseconds,
 * structured values JSON text. Plain text without any constant of the program: once a version is released it is never
 * edited again.
 */
export const CASES = `
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
  -- What is proven, proposed, disputed or unknown, as JSON. NULL until the case is read: then nothing is proven.
  verdict TEXT,
  -- Why there is no image of an eye, as a person said.
  no_image_because TEXT NOT NULL DEFAULT '{}',
  -- A digest of what was sent to wait, and since when: nothing else may leave under that approval.
  passed_digest TEXT,
  passed_at INTEGER,
  -- What a person approved from review, with its verdict, who, and when; 'screen' if the caller named what it had shown,
  -- else 'script'. All of these, or none.
  approved_digest TEXT,
  approved_verdict TEXT,
  approved_via TEXT,
  approved_by TEXT,
  approved_at INTEGER,
  -- For how long an approval may be taken back, counted in memory from the approval or the last start; NULL once it is final.
  -- Until then nothing is sent and nothing is learnt; and what the approval wrote over, as JSON.
  undo_ms INTEGER,
  undo_to TEXT,
  -- The state from which a case was put on hold; NULL in every other state.
  held_from TEXT,
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
  -- By the clock that wrote not_before: if that instant lies ahead, the clock was set back and not_before says nothing.
  planned_at INTEGER,
  added_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  sent_at INTEGER,
  confirmed_at INTEGER,
  -- How many images the service shows of it, if these are fewer than were sent.
  images_shown INTEGER,
  -- What a person found wrong after it was sent, as JSON; and the id of the case that this one corrects.
  sent_wrongly TEXT,
  replaces TEXT,
  -- When it was erased because its patient withdrew: of its images only hashes are left.
  erased_at INTEGER,
  CHECK (state <> 'sent' OR case_id IS NOT NULL),
  CHECK (undo_ms IS NULL OR state = 'waiting')
) STRICT;
CREATE INDEX submissions_by_state ON submissions (state, is_urgent DESC, position);
-- A page of one state is read from here in the order of the list.
CREATE INDEX submissions_by_age ON submissions (state, position);
-- A text that is no JSON any more must not fail the index. COLLATE binds closer than the arrow, hence the parentheses.
CREATE INDEX submissions_by_visit ON submissions (
  (CASE WHEN json_valid(fields) THEN fields ->> 'history_number' END) COLLATE NOCASE,
  CASE WHEN json_valid(fields) THEN fields ->> 'visit_date' END);
CREATE INDEX submissions_by_day ON submissions (CASE WHEN json_valid(fields) THEN fields ->> 'visit_date' END);
CREATE INDEX submissions_by_case ON submissions (case_id) WHERE case_id IS NOT NULL;
CREATE INDEX submissions_unconfirmed ON submissions (position) WHERE state = 'sent' AND confirmed_at IS NULL;
CREATE INDEX submissions_confirmed ON submissions (position) WHERE state = 'sent' AND confirmed_at IS NOT NULL;
CREATE INDEX submissions_short_of_images ON submissions (position) WHERE images_shown IS NOT NULL;
CREATE INDEX submissions_by_sending ON submissions (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX submissions_replacing ON submissions (replaces) WHERE replaces IS NOT NULL;
CREATE INDEX submissions_undoable ON submissions (position) WHERE undo_ms IS NOT NULL;
-- The visits that persons approved on screens, from which profiles are learnt.
CREATE INDEX submissions_approved ON submissions (folder_path, approved_at) WHERE approved_via = 'screen';

-- Counting a hundred thousand rows for every page costs more than keeping the counts.
CREATE TABLE submission_counts (state TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
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

-- Cases that cannot be read, and what of them is known all the same.
CREATE TABLE quarantine (
  submission_id TEXT NOT NULL PRIMARY KEY,
  -- Table and column, and never a value.
  unreadable TEXT NOT NULL,
  reference TEXT,
  state TEXT NOT NULL,
  -- The fields, if they can be read or a manifest has them: whose visit it is.
  fields TEXT,
  -- The units that were set then.
  units TEXT,
  -- The outbox was found older than what happened meanwhile: the case may have been sent since.
  is_in_doubt INTEGER NOT NULL DEFAULT 0 CHECK (is_in_doubt IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Which visits a submission gathers: images that claim one of these join it. Several where a person has merged.
CREATE TABLE submission_keys (
  folder_path TEXT NOT NULL,
  group_key TEXT NOT NULL,
  submission_id TEXT NOT NULL REFERENCES submissions (id),
  PRIMARY KEY (folder_path, group_key, submission_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX submission_keys_by_submission ON submission_keys (submission_id);

CREATE VIRTUAL TABLE submission_words USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
-- Else a word that is deleted stays in the index until it is merged.
INSERT INTO submission_words (submission_words, rank) VALUES ('secure-delete', 1);

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
  -- Who chose the eye, when, and what stated it then, as JSON: only a new source and value asks again.
  eye_settled TEXT,
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
  -- The grey levels of the picture, reduced: two files of one photograph have nearly the same. NULL if it has none.
  grey TEXT,
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
  excluded_because TEXT,
  added_at INTEGER NOT NULL,
  -- When a person chose to import the files that lay in the folder before; NULL for all others.
  imported_at INTEGER,
  -- When retention removed the bytes.
  removed_at INTEGER
) STRICT;
CREATE INDEX images_by_submission ON images (submission_id, position);
CREATE INDEX images_by_sha256 ON images (sha256);
CREATE INDEX images_by_stem ON images (folder_path, stem_key);
CREATE INDEX images_by_name ON images (folder_path, file_name);
-- The newest of a folder, however many it has had.
CREATE INDEX images_by_folder ON images (folder_path, position);
CREATE INDEX images_by_sop_uid ON images (sop_uid) WHERE sop_uid IS NOT NULL;
CREATE INDEX images_by_pixels ON images (picture_sha256) WHERE picture_sha256 IS NOT NULL;
-- Bytes are named by their hash: an image is known by either, and images of several cases may share a file.
CREATE INDEX images_by_spool_name ON images (spool_name);
CREATE INDEX images_kept_by_file ON images (spool_name) WHERE removed_at IS NULL;
CREATE INDEX images_kept_by_picture ON images (picture_spool_name)
  WHERE removed_at IS NULL AND picture_spool_name IS NOT NULL;
-- Files of images that were removed and that may still lie in the spool.
CREATE TABLE spool_leftovers (spool_name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

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

-- What lay under each name of the watched folders, and what became of it. The newest of a name decides novelty after a
-- restart; those before it say what else the folder has had under the name: images, copies, and what was ignored.
CREATE TABLE sightings (
  id INTEGER PRIMARY KEY,
  folder_path TEXT NOT NULL,
  relative_path TEXT NOT NULL,
  -- As of images. Of copies and of what was ignored, else empty.
  stem_key TEXT NOT NULL DEFAULT '',
  size_bytes INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  -- The checksum of an entry of an archive: an archive written again may have entries of equal size and time. NULL for files.
  crc32 INTEGER,
  -- The time of the last change of anything, and the hash of the bytes that were taken: size and time alone prove
  -- nothing where a camera has no clock. NULL for entries of archives, and for bytes that were never read.
  ctime_ms REAL,
  sha256 TEXT,
  became TEXT NOT NULL CHECK (became IN ('image', 'copy', 'lateCopy', 'duplicate', 'sidecar', 'archive', 'unreadable', 'ignored', 'imported', 'leftAlone', 'rewritten', 'released')),
  -- The case of an image: who misses it if its own row names none.
  submission_id TEXT REFERENCES submissions (id),
  -- The image that it is, or is a copy of; and what the copy states beside it.
  image_id TEXT REFERENCES images (id),
  facts TEXT,
  record_id INTEGER REFERENCES sidecar_records (id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX sightings_by_name ON sightings (folder_path, relative_path);
CREATE INDEX sightings_by_stem ON sightings (folder_path, became, stem_key);
CREATE INDEX sightings_of_image ON sightings (image_id) WHERE image_id IS NOT NULL;
CREATE UNIQUE INDEX sightings_ignored ON sightings (folder_path, relative_path) WHERE became = 'ignored';
CREATE UNIQUE INDEX sightings_of_copies ON sightings (image_id, folder_path, relative_path) WHERE became = 'copy';
CREATE UNIQUE INDEX sightings_of_late_copies ON sightings (image_id, folder_path, relative_path) WHERE became = 'lateCopy';

-- Files on which a process died that read them, a row a name: read alone from then on, and not at all after the second
-- death. Of previews of our own copies: without a folder, under the name in the spool.
CREATE TABLE reading_deaths (
  folder_path TEXT NOT NULL,
  relative_path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  crc32 INTEGER,
  deaths INTEGER NOT NULL,
  -- When, and of the program that had the last one: another version tries once more.
  at INTEGER NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (folder_path, relative_path)
) STRICT, WITHOUT ROWID;

-- What a person reads of each file of a watched folder that is no part of a case, or that came too late for one.
CREATE TABLE file_notes (
  -- The newest is the highest: pages go by it.
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  folder_path TEXT NOT NULL,
  file_name TEXT NOT NULL,
  -- The name, folded, for the search.
  search_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  message TEXT NOT NULL,
  wording TEXT,
  at INTEGER NOT NULL,
  UNIQUE (folder_path, file_name)
) STRICT;
CREATE INDEX file_notes_by_kind ON file_notes (folder_path, kind);
CREATE INDEX file_notes_by_position ON file_notes (folder_path, position);

-- What data files beside images say, a row a visit. What a file once said of a visit stays until it says otherwise.
CREATE TABLE sidecar_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder_path TEXT NOT NULL,
  relative_path TEXT NOT NULL,
  -- The path, folded: letter case and Unicode form make no other file.
  path_key TEXT NOT NULL,
  -- The record of a folder, a row of a table or of a long list, or a document of the images of its own stem.
  form TEXT NOT NULL CHECK (form IN ('case', 'table', 'document')),
  content TEXT,
  -- What the data file stated before of patient, day and eyes, if its record says less now, as JSON: it doubts still.
  stated_before TEXT,
  trouble TEXT,
  at INTEGER NOT NULL,
  -- Since when the data file does not state it any more: it proves nothing of images that come later. NULL if it does.
  withdrawn_at INTEGER
) STRICT;
CREATE INDEX sidecar_records_by_path_key ON sidecar_records (folder_path, path_key);

-- Which images a record speaks of: those of a directory, of a named file (path, or stem of a path), or of a patient, and
-- the digest of a record of one exposure, which its copies share.
CREATE TABLE sidecar_matches (
  folder_path TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('directory', 'file', 'patient', 'capture')),
  match_key TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES sidecar_records (id),
  PRIMARY KEY (folder_path, kind, match_key, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sidecar_matches_by_record ON sidecar_matches (record_id);

-- What persons have answered about numbers and names of one watched folder.
CREATE TABLE folder_answers (
  folder_path TEXT NOT NULL,
  -- 'noPatientNumber': one is a number, or a shape if other says so. 'patientNumber': one is a patient's.
  -- 'samePatient': one and other, two numbers or two names, are of one patient.
  kind TEXT NOT NULL,
  one TEXT NOT NULL,
  other TEXT NOT NULL DEFAULT '',
  answered_by TEXT,
  PRIMARY KEY (folder_path, kind, one, other)
) STRICT, WITHOUT ROWID;

-- The words of names under which numbers came, at most a few numbers for each.
-- An empty number: a source has stated the word as a part of a name.
CREATE TABLE folder_terms (
  folder_path TEXT NOT NULL,
  term TEXT NOT NULL,
  number TEXT NOT NULL,
  PRIMARY KEY (folder_path, term, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX folder_terms_of_number ON folder_terms (folder_path, number);

-- How many visits left with images of both eyes, and with images of one: of about the last fifty.
CREATE TABLE folder_visits (
  folder_path TEXT NOT NULL PRIMARY KEY,
  of_both INTEGER NOT NULL,
  of_one INTEGER NOT NULL
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
`
