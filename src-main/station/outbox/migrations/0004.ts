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
