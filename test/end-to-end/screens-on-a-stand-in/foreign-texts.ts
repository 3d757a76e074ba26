/** What may stand in English on Spanish screens: the words of others, and sentences that only the stand-in says. */
import sentences from '../../../src-shared/texts/es/station.json' with { type: 'json' }
import { SentenceBook } from '../../../src-shared/sentence-book.ts'
import { sourcesIn } from '../../src-renderer/i18n/sources.ts'
import { literalsOf } from '../../src-renderer/i18n/station-texts.ts'

/** What the service and the camera wrote stays as it came, each with the reason. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/H-00420-A-NUMBER-AS-LONG-AS-SOME-CLINICS-WRITE-IT/, 'a history number'],
  [/^A folder name as long as some cameras write it/, 'a file of the camera'],
  [
    /^(Id|Patient|History number|Center|Is duplicate|Assigned to|Created)$/,
    "the service's names of its data",
  ],
  [/^(Control in 12 months|Right eye|Left eye|none)$/, 'data of a report'],
  [/^Practice report\n/, 'a report in words'],
  [/^(is-unsafe|on-exit-leak-free)$/, 'names of packages'],
  [/The field gender is required\.$/, "the service's own words"],
]

/** What the station says, in Spanish. */
export const SPANISH = new SentenceBook(sentences)

/** What the stand-in says in sentences of its own, which no real station says and nobody translates. */
const MADE_UP = sourcesIn('test/end-to-end/screens-on-a-stand-in')
  .filter(({ path }) => !path.endsWith('.test.ts'))
  .flatMap(literalsOf)
  .filter((text) => / \S+ /.test(text) && SPANISH.translate(text) === text)

export function isForeign(text: string): boolean {
  return FOREIGN.some(([which]) => which.test(text)) || MADE_UP.some((one) => text.includes(one))
}
