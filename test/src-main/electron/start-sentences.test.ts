/** Whoever has trouble with the start reads of it in the language that the rest speaks. */
import { expect, it } from 'vitest'
import { translateAtStart } from '../../../src-main/electron/texts.ts'
import { type Recovered, recoverySentences } from '../../../src-main/station/outbox/recovery/salvage.ts'
import { readSource } from '../../src-renderer/i18n/sources.ts'
import { stationTextsOf } from '../../src-renderer/i18n/station-texts.ts'

/** Where the sentences of a start stand; those of a recovery are put together and tried below. */
const SOURCES = [
  'lib/errors.ts',
  'outbox/database.ts',
  'outbox/migrations/migrate.ts',
  'outbox/recovery/recover.ts',
  'settings/stored.ts',
]

/** What is in them besides, with the reason. */
const NOT_SAID: readonly string[] = [
  // For SQLite.
  'SQLite format 3',
  'application_id = {{1}}',
  // For the log: errors of the program, and why a backup failed.
  'The outbox is not written any more.',
  'The backup of the outbox is empty.',
  'The backup of the outbox could not be verified.',
  // Said once the screens are there.
  'The disk of the station is full, so this was not done. All cases are kept. Free some space on this computer and do it again.',
]

/** Words that are in English sentences only. */
const ENGLISH = /\b(?:the|was|and|is|not|of|could|are)\b/i

const texts = SOURCES.flatMap((path) => stationTextsOf(readSource(`src-main/station/${path}`)))
  .map(({ text }) => text)
  .filter((text) => !NOT_SAID.includes(text))

it('every sentence of a start has its Spanish', () => {
  expect(texts.length).toBeGreaterThan(20)
  const untranslated = texts.filter((text) =>
    ENGLISH.test(translateAtStart(text.replaceAll(/\{\{(\d+)\}\}/g, 'X$1'), 'es')),
  )
  expect(untranslated).toEqual([])
})

it('a sentence is left as it is in English, and one that is not known in Spanish, too', () => {
  expect(translateAtStart('The outbox could not be brought to this version.', 'en')).toBe(
    'The outbox could not be brought to this version.',
  )
  expect(translateAtStart('Something else.', 'es')).toBe('Something else.')
})

it.each([0, 1, 3])('what a recovery did is said in Spanish, for %i of each', (count) => {
  const done: Recovered = {
    setAside: count === 0 ? null : 'outbox-2026.sqlite',
    backup: count === 0 ? null : 'backup-1.sqlite',
    unusable: Array.from({ length: count }, (_, index) => `backup-${index}.sqlite`),
    added: count,
    changed: count,
    damaged: count,
    unreadable: count,
    unsettled: count,
    missing: count,
    unnamed: count,
  }
  const spanish = recoverySentences(done).map((sentence) => translateAtStart(sentence, 'es'))
  expect(spanish.filter((sentence) => ENGLISH.test(sentence))).toEqual([])
  const isNumbered = spanish.filter((sentence) => new RegExp(`\\b${count}\\b`).test(sentence))
  expect(isNumbered.length).toBeGreaterThanOrEqual(count === 0 ? 1 : 6)
})
