/**
 * The day on which a synthetic camera takes its images, local: a station has a person look at days that are far from
 * the arrival of the files.
 */

/** `YYYY-MM-DD`. */
export const TODAY = new Date().toLocaleDateString('sv-SE')

/** `YYYYMMDD`, as names of files have it. */
export const TODAY_IN_NAMES = TODAY.replaceAll('-', '')
