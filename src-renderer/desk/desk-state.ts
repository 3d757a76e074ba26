/**
 * The review desk: what a key, a click or an arrival does, given what was on the screen at that instant. Pure. Enter is
 * safe by construction: it approves the case whose id and digest were painted when the key went down, and no other.
 */
import { FIELD_NAMES, type FieldName } from '../../src-shared/fields.ts'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Submission } from '../../src-shared/submission.ts'

/** How long a case must have been in view, its pictures decoded, before a key or a click may act on it. Milliseconds. */
export const LEAST_VIEW_MS = { proven: 700, proposal: 1_500 } as const

/** A click approves only this long after the case appeared, and only after the pointer has moved. Milliseconds. */
const POINTER_MS = 500

/** Characters that follow one another faster come from a barcode scanner. Milliseconds. */
export const SCANNER_MS = 50

export type KnownEye = Exclude<Eye, 'unknown'>

/** What a person may do with the case that is shown, as it is shown. */
export type Offer =
  /** `nearNumbers`: its number and another patient's are nearly the same, and a person says first that it is right. */
  | { readonly kind: 'approve'; readonly isProposal: boolean; readonly nearNumbers?: string }
  /** An image whose eye is not known is shown alone. */
  | { readonly kind: 'eye'; readonly imageId: string }
  /** More images are waited for: a person may say that these are all. */
  | { readonly kind: 'close' }
  /** A question, a picture that failed, or a state in which nothing is approved. */
  | { readonly kind: 'nothing' }

/** A case whose pictures are decoded and visible. `since`: milliseconds of the page's clock. */
type Painted = {
  readonly id: string
  readonly digest: string
  readonly offer: Offer
  readonly since: number
}

type EyeAnswer = { readonly imageId: string; readonly eye: KnownEye }

export type Desk = {
  readonly selected: string | null
  readonly painted: Painted | null
  /** The content that a person saw first or has acknowledged: with any other, Enter does nothing. */
  readonly acknowledged: string | null
  /** The case that a call is under way for. */
  readonly acting: string | null
  /** The eyes given in the selected case, the newest last. */
  readonly answers: readonly EyeAnswer[]
  /** The cases whose number is right, as a person answered, each with both numbers. */
  readonly rightNumbers: readonly string[]
  /** Cases that were passed over; they come back at the end. */
  readonly skipped: readonly string[]
  /** Characters typed at the pace of a scanner, and when the last one was. */
  readonly typed: { readonly text: string; readonly at: number }
  /** Has the pointer moved since the case was selected? */
  readonly hasPointed: boolean
}

export const EMPTY_DESK: Desk = {
  selected: null,
  painted: null,
  acknowledged: null,
  acting: null,
  answers: [],
  rightNumbers: [],
  skipped: [],
  typed: { text: '', at: -Infinity },
  hasPointed: false,
}

export type DeskEvent =
  /** A person chose a case; or the one after an approved one is there. */
  | { readonly kind: 'selected'; readonly id: string | null }
  | {
      readonly kind: 'painted'
      readonly id: string
      readonly digest: string
      readonly offer: Offer
      readonly at: number
    }
  /** Nothing can be seen of the case: its pictures load, a dialog covers it, or the window is hidden. */
  | { readonly kind: 'covered' }
  /** A person has read what the desk asks: what changed, whether all is one eye, whether the number is right. */
  | { readonly kind: 'acknowledged'; readonly notice: DeskNotice | null; readonly digest: string | null }
  | { readonly kind: 'key'; readonly key: string; readonly at: number; readonly isRepeat: boolean }
  /** A person passes over the case that is shown. */
  | { readonly kind: 'skipped' }
  /** The desk is left for another screen: no key that went down before acts any more. */
  | { readonly kind: 'left' }
  /** No character followed the last one, so it was no scanner's. */
  | { readonly kind: 'paused'; readonly at: number }
  | { readonly kind: 'pointed' }
  | { readonly kind: 'clicked'; readonly on: 'approve' | KnownEye; readonly at: number }
  /** A person changes an image of the case that is shown. */
  | { readonly kind: 'began'; readonly id: string }
  /** A call has ended. `digest`: the content that followed from nothing but the act itself; null if more has changed. */
  | { readonly kind: 'acted'; readonly id: string; readonly digest: string | null }

/** What is to be done; the view does it. */
export type Act =
  | { readonly kind: 'approve'; readonly id: string; readonly digest: string }
  | { readonly kind: 'setEye'; readonly id: string; readonly imageId: string; readonly eye: Eye }
  | { readonly kind: 'edit' | 'skip' | 'close' | 'exclude'; readonly id: string }
  /** A case that is held goes on only as it was shown: `digest` is null if it was not in view long enough. */
  | { readonly kind: 'hold'; readonly id: string; readonly digest: string | null }
  | { readonly kind: 'search'; readonly text: string }

type Step = { readonly desk: Desk; readonly act: Act | null }

const idle = (desk: Desk): Step => ({ desk, act: null })

/** How long the painted case must be in view before an act on it counts. */
export function leastViewOf(offer: Offer): number {
  return offer.kind === 'approve' && offer.isProposal ? LEAST_VIEW_MS.proposal : LEAST_VIEW_MS.proven
}

/** The painted case, if a person who acts at this instant can mean it. */
function actedOn({ selected, painted, acknowledged, acting }: Desk, at: number): Painted | null {
  if (painted === null || acting !== null || painted.id !== selected) return null
  if (painted.digest !== acknowledged) return null
  return at - painted.since >= leastViewOf(painted.offer) ? painted : null
}

/** Can a click at this instant be meant for this case? The pointer may rest on the place of a button of the case before. */
export function isAimed(desk: Desk, at: number): boolean {
  const painted = actedOn(desk, at)
  return painted !== null && desk.hasPointed && at - painted.since >= POINTER_MS
}

/** Does what is pressed at this instant come from a barcode scanner? */
export function isScanned({ typed }: Pick<Desk, 'typed'>, at: number): boolean {
  return at - typed.at < SCANNER_MS
}

/** What has changed since a person saw the case is not acknowledged yet. */
export function hasChangedUnseen({ selected, painted, acknowledged, acting }: Desk): boolean {
  return painted !== null && acting === null && painted.id === selected && painted.digest !== acknowledged
}

/** Were all eyes given here, and all as the same one? Then a person may have pressed one key too often. */
export function isOneEyeTwice({ answers }: Pick<Desk, 'answers'>): boolean {
  const eyes = new Map(answers.map(({ imageId, eye }) => [imageId, eye]))
  return eyes.size > 1 && new Set(eyes.values()).size === 1
}

/** The near numbers that a person has not answered yet: what the answer is remembered by. */
function askedNumbers({ painted, rightNumbers }: Desk): string | null {
  if (painted?.offer.kind !== 'approve' || painted.offer.nearNumbers === undefined) return null
  const asked = `${painted.id} ${painted.offer.nearNumbers}`
  return rightNumbers.includes(asked) ? null : asked
}

export type DeskNotice = 'changed' | 'oneEyeTwice' | 'nearNumber'

/** What the desk asks, one question at a time: who has read what changed has not compared the numbers yet. */
export function noticeOf(desk: Desk): DeskNotice | null {
  if (hasChangedUnseen(desk)) return 'changed'
  if (isOneEyeTwice(desk)) return 'oneEyeTwice'
  return askedNumbers(desk) === null ? null : 'nearNumber'
}

export function step(desk: Desk, event: DeskEvent): Step {
  switch (event.kind) {
    case 'selected':
      if (event.id === desk.selected) return idle(desk)
      return idle({
        ...desk,
        selected: event.id,
        painted: null,
        acknowledged: null,
        answers: [],
        hasPointed: false,
      })
    case 'painted':
      return idle(paint(desk, event))
    case 'covered':
      return idle(desk.painted === null ? desk : { ...desk, painted: null })
    case 'acknowledged':
      // It must be in view as long again. What was asked meanwhile is not answered by a press that came before it.
      return idle(
        desk.painted === null || event.notice !== noticeOf(desk) || event.digest !== desk.painted.digest
          ? desk
          : acknowledge(desk, desk.painted),
      )
    case 'pointed':
      return idle(desk.hasPointed ? desk : { ...desk, hasPointed: true })
    case 'clicked':
      if (!isAimed(desk, event.at)) return idle(desk)
      return event.on === 'approve' ? approve(desk, event.at) : setEye(desk, event.on, event.at)
    case 'skipped':
      return skip(desk)
    case 'left':
      return idle({ ...desk, painted: null, typed: EMPTY_DESK.typed })
    case 'began':
      return idle(desk.acting === null && event.id === desk.selected ? { ...desk, acting: event.id } : desk)
    case 'acted':
      return idle(afterAct(desk, event))
    case 'key':
      return event.isRepeat ? idle(desk) : press(desk, event.key, event.at)
    case 'paused': {
      const { text, at } = desk.typed
      if (text === '' || event.at - at < SCANNER_MS) return idle(desk)
      if (text.length > 1) return search(desk, text, event.at)
      return letter({ ...desk, typed: EMPTY_DESK.typed }, text, at)
    }
  }
}

function paint(desk: Desk, { id, digest, offer, at }: Extract<DeskEvent, { kind: 'painted' }>): Desk {
  const { painted, acknowledged, selected } = desk
  if (id !== selected) return { ...desk, painted: null }
  const isSame =
    painted !== null &&
    painted.id === id &&
    painted.digest === digest &&
    JSON.stringify(painted.offer) === JSON.stringify(offer)
  return {
    ...desk,
    painted: { id, digest, offer, since: isSame ? painted.since : at },
    // What a person sees first of a case is what they check. While images arrive, nothing can be approved yet.
    acknowledged: offer.kind === 'close' ? digest : (acknowledged ?? digest),
  }
}

function acknowledge(desk: Desk, { digest }: Painted): Desk {
  const asked = noticeOf(desk) === 'nearNumber' ? askedNumbers(desk) : null
  const rightNumbers = [...desk.rightNumbers, ...(asked === null ? [] : [asked])]
  return { ...desk, acknowledged: digest, answers: [], rightNumbers, painted: null }
}

function afterAct(desk: Desk, { id, digest }: Extract<DeskEvent, { kind: 'acted' }>): Desk {
  const { acting, selected, acknowledged } = desk
  if (acting !== id) return desk
  return { ...desk, acting: null, acknowledged: id === selected && digest !== null ? digest : acknowledged }
}

/** Approves the case that is shown; one that still collects is closed first, and then shown whole. */
function approve(desk: Desk, at: number): Step {
  const painted = actedOn(desk, at)
  if (painted?.offer.kind === 'close')
    return { desk: { ...desk, acting: painted.id }, act: { kind: 'close', id: painted.id } }
  if (painted?.offer.kind !== 'approve' || isOneEyeTwice(desk) || askedNumbers(desk)) return idle(desk)
  const { id, digest } = painted
  const skipped = desk.skipped.filter((one) => one !== id)
  return { desk: { ...desk, acting: id, answers: [], skipped }, act: { kind: 'approve', id, digest } }
}

function setEye(desk: Desk, eye: KnownEye, at: number): Step {
  const painted = actedOn(desk, at)
  if (painted?.offer.kind !== 'eye') return idle(desk)
  const { imageId } = painted.offer
  return {
    desk: { ...desk, acting: painted.id, answers: [...desk.answers, { imageId, eye }] },
    act: { kind: 'setEye', id: painted.id, imageId, eye },
  }
}

/** The last eye that was given here is unknown again. */
function takeBack(desk: Desk): Step {
  const { selected, acting, answers } = desk
  const last = answers.at(-1)
  if (selected === null || acting !== null || last === undefined) return idle(desk)
  return {
    desk: { ...desk, acting: selected, answers: answers.slice(0, -1) },
    act: { kind: 'setEye', id: selected, imageId: last.imageId, eye: 'unknown' },
  }
}

/** Scanners write capitals with them. */
const MODIFIERS = ['Shift', 'CapsLock']

function press(desk: Desk, key: string, at: number): Step {
  const { text } = desk.typed
  const isBurst = isScanned(desk, at)
  if (key.length === 1) return idle({ ...desk, typed: { text: isBurst ? text + key : key, at } })
  if (MODIFIERS.includes(key)) return idle(desk)
  if (key === 'Enter' && isBurst) return search(desk, text, at)
  const before = { ...desk, typed: EMPTY_DESK.typed }
  if (key === 'Enter') return approve(before, at)
  if (key === 'Backspace') return takeBack(before)
  const { painted } = before
  const isSkip = key === 'ArrowDown' && painted !== null && painted.offer.kind !== 'nothing'
  return isSkip ? skip(before) : idle(before)
}

/** Some scanners end a code by two keys, so what follows at their pace is theirs, too. */
function search(desk: Desk, text: string, at: number): Step {
  const after = { ...desk, typed: { text: '', at } }
  return text.trim() === '' ? idle(after) : { desk: after, act: { kind: 'search', text } }
}

function skip(desk: Desk): Step {
  const { selected, skipped } = desk
  if (selected === null) return idle(desk)
  return {
    desk: { ...desk, skipped: [...skipped.filter((id) => id !== selected), selected] },
    act: { kind: 'skip', id: selected },
  }
}

const EYE_KEYS: Readonly<Record<string, KnownEye>> = { '1': 'right', r: 'right', '2': 'left', l: 'left' }

/** Neither does more than ask. */
const LETTERS: Readonly<Record<string, 'edit' | 'exclude'>> = { e: 'edit', x: 'exclude' }

/** A single character, once it is certain that no scanner wrote it. `at`: when its key went down. */
function letter(desk: Desk, key: string, at: number): Step {
  const { selected } = desk
  const eye = EYE_KEYS[key.toLowerCase()]
  if (eye !== undefined) return setEye(desk, eye, at)
  if (key.toLowerCase() === 'h' && selected !== null)
    return { desk, act: { kind: 'hold', id: selected, digest: actedOn(desk, at)?.digest ?? null } }
  const act = LETTERS[key.toLowerCase()]
  return selected === null || act === undefined ? idle(desk) : { desk, act: { kind: act, id: selected } }
}

/** The case to show after this one: the next below that waits for a person, then those above, then what was skipped. */
export function nextAfter(
  ids: readonly string[],
  from: string,
  skipped: readonly string[],
  isForPerson: (id: string) => boolean,
): string | null {
  const at = ids.indexOf(from)
  const others = [...ids.slice(at + 1), ...ids.slice(0, Math.max(at, 0))].filter(isForPerson)
  return others.find((id) => !skipped.includes(id)) ?? skipped.find((id) => others.includes(id)) ?? null
}

/** What a change of a case is about, in the order in which it is named. */
const CHANGES = ['number', 'name', 'day', 'eyes', 'images', 'other'] as const

export type Change = (typeof CHANGES)[number]

/** What the digest of a case is made of. */
type Content = Pick<Submission, 'fields' | 'images' | 'noImageBecause' | 'verdict'>

const CHANGE_OF_FIELD: Partial<Record<FieldName, Change>> = {
  history_number: 'number',
  first_name: 'name',
  last_name: 'name',
  visit_date: 'day',
}

/** The content of a case by what its changes are called. How a part is known belongs to that part. */
function partsOf({ fields, images, noImageBecause, verdict }: Content): Record<Change, readonly unknown[]> {
  const { who, day, eyes, ...rest } = verdict
  const fieldsOf = (change: Change): readonly unknown[] =>
    FIELD_NAMES.filter((name) => (CHANGE_OF_FIELD[name] ?? 'other') === change).map(
      (name) => fields[name] ?? null,
    )
  return {
    number: [...fieldsOf('number'), who],
    name: fieldsOf('name'),
    day: [...fieldsOf('day'), day],
    eyes: images.map(({ id, eye }) => [id, eye, eyes[id] ?? null]),
    images: images.map(({ id, sha256, sentAs, twinOf, excludedBecause }) => [
      id,
      sha256,
      sentAs?.sha256 ?? null,
      twinOf,
      excludedBecause,
    ]),
    other: [...fieldsOf('other'), noImageBecause, rest],
  }
}

/** What of a case differs between the content that was acknowledged and the one that is shown. Pure. */
export function changesBetween(seen: Content, shown: Content): readonly Change[] {
  const isIn = (content: Content) => {
    const ids = new Set(content.images.map(({ id }) => id))
    return ({ id }: { readonly id: string }): boolean => ids.has(id)
  }
  // An image that came or went is no change of an eye.
  const eyesOf = (content: Content, other: Content): readonly unknown[] =>
    partsOf({ ...content, images: content.images.filter(isIn(other)) }).eyes
  const [before, after] = [
    { ...partsOf(seen), eyes: eyesOf(seen, shown) },
    { ...partsOf(shown), eyes: eyesOf(shown, seen) },
  ]
  const changed = CHANGES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return changed.length === 0 ? ['other'] : changed
}
