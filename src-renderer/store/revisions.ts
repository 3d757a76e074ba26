/** What an event's revision says about the events between it and the last one that was seen. */
export type RevisionStep = 'next' | 'gap' | 'old'

/**
 * The first event after a link without a greeting sets the mark. An older revision than the last is told twice or
 * belongs to a past life of the station, whose greeting has set the mark back already.
 */
export function compareRevision(last: number | null, revision: number): RevisionStep {
  if (last === null || revision === last + 1) return 'next'
  return revision > last + 1 ? 'gap' : 'old'
}
