/** What a person is told where a path is unclear: what it means and what to do, without a word of the name. */
import type { Profile } from '../../../../src-shared/profile.ts'
import type { Sentences } from './settle-parts.ts'

export const OF_HISTORY_NUMBER: Sentences = {
  unreadable:
    'Where the profile expects the history number, the path holds something else: a word, a date or a folder of the camera. Enter the history number, or correct the pattern.',
  ambiguous:
    'The pattern lets the history number be read in two ways. Enter it, and describe in the pattern what stands around it.',
  disagreeing: 'The history number stands twice in the path and differs: check whose images these are.',
}

export const OF_EYE: Sentences = {
  unreadable:
    'Where the profile expects the eye, the name holds a word that the profile does not know. Choose the eye, or add the word to the profile.',
  ambiguous:
    'The pattern lets the eye be read in two ways. Choose the eye, and describe in the pattern what stands around it.',
  disagreeing: 'The path states both eyes. Look at the image and choose the eye.',
}

const ORDERS = { ymd: 'year, month, day', dmy: 'day, month, year', mdy: 'month, day, year' } as const

/** Of a visit date; they name the order that the profile expects. */
export function sentencesOfDate({ dateOrder }: Profile): Sentences {
  return {
    unreadable: `Where the profile expects the visit date, the name holds none in the order ${ORDERS[dateOrder]}. Enter the date, or say in the profile how it is written, such as {date:DDMMYY}.`,
    ambiguous:
      'The pattern lets the visit date be read in two ways. Enter it, and describe in the pattern what stands around it.',
    disagreeing: 'The path states two visit dates. Enter the one that holds.',
  }
}
