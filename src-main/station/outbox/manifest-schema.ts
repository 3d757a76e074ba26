/**
 * Which manifests are behind their rows, kept by the database itself: whichever statement changes what a manifest
 * tells makes it due, in the same commit, and a kill between the two loses nothing.
 *
 * Revisions are of one count for all submissions: of two manifests that name the same image, the later one is right.
 */

const BUMP = (id: string): string =>
  `UPDATE manifests SET revision = (SELECT max(revision) + 1 FROM manifests) WHERE submission_id = ${id};`

/** What a manifest tells of a submission. When it is due, how often it was looked for and what is odd is not in it. */
const TOLD = [
  'state',
  'addendum_to',
  'fields',
  'sources',
  'identity',
  'reasons',
  'no_image_because',
  'passed_digest',
  'grouped_by',
  'center_id',
  'is_urgent',
  'attempts',
  'case_id',
  'failure',
  'sent_at',
  'confirmed_at',
].join(', ')

export const manifestSchema = `
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
CREATE TRIGGER manifest_after_submission AFTER UPDATE OF ${TOLD} ON submissions BEGIN ${BUMP('new.id')} END;
CREATE TRIGGER manifest_after_new_key AFTER INSERT ON submission_keys BEGIN ${BUMP('new.submission_id')} END;
CREATE TRIGGER manifest_after_lost_key AFTER DELETE ON submission_keys BEGIN ${BUMP('old.submission_id')} END;
CREATE TRIGGER manifest_after_new_image AFTER INSERT ON images BEGIN ${BUMP('new.submission_id')} END;
CREATE TRIGGER manifest_after_image AFTER UPDATE ON images BEGIN ${BUMP('new.submission_id')} END;
CREATE TRIGGER manifest_after_moved_image AFTER UPDATE OF submission_id ON images
  WHEN old.submission_id <> new.submission_id BEGIN ${BUMP('old.submission_id')} END;
CREATE TRIGGER manifest_after_new_copy AFTER INSERT ON image_copies BEGIN
  ${BUMP('(SELECT submission_id FROM images WHERE id = new.image_id)')} END;
CREATE TRIGGER manifest_after_new_attempt AFTER INSERT ON attempts BEGIN ${BUMP('new.submission_id')} END;
CREATE TRIGGER manifest_after_attempt AFTER UPDATE OF outcome ON attempts BEGIN ${BUMP('new.submission_id')} END;
`
