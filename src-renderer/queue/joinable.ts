import type { SubmissionState } from '../../src-shared/states.ts'

/** The states in which a person may join, part and move images. The station has the last word. */
export const MERGEABLE_STATES: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'waiting',
  'held',
  'refused',
]
