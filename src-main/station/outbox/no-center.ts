/** SQLite takes NULLs in a primary key for different from one another, so "no center" has a name of its own. */
export const NO_CENTER = '-'
