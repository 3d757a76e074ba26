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
