/** What the screens show in words, and the Spanish of the first page. */
import i18next from 'i18next'
import type { FieldName, Measurement } from '../../src-shared/fields.ts'
import { SentenceBook, type Sentences } from '../../src-shared/sentence-book.ts'
import type { Texts } from '../../src-shared/texts/english.ts'
import ageing from '../../src-shared/texts/es/ageing.json' with { type: 'json' }
import alarm from '../../src-shared/texts/es/alarm.json' with { type: 'json' }
import decision from '../../src-shared/texts/es/decision.json' with { type: 'json' }
import field from '../../src-shared/texts/es/field.json' with { type: 'json' }
import link from '../../src-shared/texts/es/link.json' with { type: 'json' }
import newCase from '../../src-shared/texts/es/newCase.json' with { type: 'json' }
import part from '../../src-shared/texts/es/part.json' with { type: 'json' }
import privacy from '../../src-shared/texts/es/privacy.json' with { type: 'json' }
import queue from '../../src-shared/texts/es/queue.json' with { type: 'json' }
import shell from '../../src-shared/texts/es/shell.json' with { type: 'json' }
import state from '../../src-shared/texts/es/state.json' with { type: 'json' }
import type { FirstWords } from './english-first.ts'

export type Words = Texts

/**
 * The words of the screens: `t('queue:columns.state')`. Asked for while a screen is drawn, never while a module is
 * loaded: the language is chosen after that.
 */
export const t = i18next.t

/** The words of the frame and of the queue, which stand on the first page, in Spanish. */
export const spanishFirst: FirstWords = {
  ageing,
  alarm,
  decision,
  field,
  link,
  newCase,
  part,
  privacy,
  queue,
  shell,
  state,
}

/** A field's name as a label; measurements carry their eye: `IOP, right eye \u2013 OD`. */
export function fieldLabel(name: FieldName): string {
  const match = /^(od|os)_(.+)$/.exec(name)
  if (match === null) return t(`field:patient.${name as keyof Words['field']['patient']}`)
  const eye = t(`field:eye.${match[1] === 'od' ? 'right' : 'left'}.within`)
  return `${t(`field:measurement.${match[2] as Measurement}.name`)}, ${eye}`
}

// What the station says, in the language of the screens. The station speaks English, and what it said stays in the
// outbox as it was said; so each sentence is translated where it is shown, by its English.

/** Screens draw the same sentences again and again. */
const MOST_KEPT = 1_000

let book: SentenceBook | null = null

const kept = new Map<string, string>()

/** From now on the station's sentences are shown by this book; as they are where there is none. */
export function sayBy(sentences: Sentences | null): void {
  book = sentences === null ? null : new SentenceBook(sentences)
  kept.clear()
}

/** A message of the station in the language of the screens; what of it nobody has translated stays English. */
export function said(message: string): string {
  if (book === null) return message
  const before = kept.get(message)
  if (before !== undefined) return before
  const text = book.translate(message)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(message, text)
  return text
}
