/** What an alarm or a piece of evidence says, by key and values, so that it is shown in the language of the screens. */
export const migration0006 = `
-- NULL in rows of before: those have English words only.
-- Adding a column checks every row: one with a word of another version may stay.
PRAGMA ignore_check_constraints = ON;
ALTER TABLE alarms ADD COLUMN wording TEXT;
ALTER TABLE evidence ADD COLUMN wording TEXT;
PRAGMA ignore_check_constraints = OFF;
`
