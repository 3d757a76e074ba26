/** What an examined station offers to the examiner. Times are those of the clinic, in epoch milliseconds. */
import type { Eye, FileEvent } from './world.ts'

/**
 * - `collecting` images may still come;
 * - `incomplete` a person is asked;
 * - `review`     a person has to look, nothing is asked;
 * - `sentUnseen` left, or will leave, without a person's look;
 * - `sentSeen`   left, or will leave, as a person approved it.
 */
export type ExaminedState = 'collecting' | 'incomplete' | 'review' | 'sentUnseen' | 'sentSeen'

/** What a reason asks about; `belonging` is which images are one visit. */
export type Subject = 'who' | 'day' | 'eye' | 'belonging'

export type ExaminedReason = {
  readonly kind: string
  readonly text: string
  /** The facts that the person who reads it has to decide; empty for what is only remarked. */
  readonly about: readonly Subject[]
}

export type ExaminedPicture = {
  readonly path: string
  /** The id of the bytes, from the event that wrote them. */
  readonly bytes: string
  readonly eye: Eye | 'unknown'
}

/** A case as it is now; for one that was sent, as it was sent. The same object as before says that nothing changed. */
export type ExaminedCase = {
  readonly key: string
  readonly state: ExaminedState
  readonly historyNumber: string | null
  readonly lastName: string | null
  readonly firstName: string | null
  /** In whole years, at the visit. */
  readonly age: number | null
  readonly gender: 'F' | 'M' | null
  /** `2026-06-02` */
  readonly visitDate: string | null
  readonly pictures: readonly ExaminedPicture[]
  readonly reasons: readonly ExaminedReason[]
  /** What else helps to understand an example. */
  readonly verdicts?: unknown
}

/** What a person enters; what is absent stays as it is shown. */
export type Corrections = {
  readonly historyNumber?: string
  readonly lastName?: string
  readonly firstName?: string
  readonly visitDate?: string
  /** By the bytes of the picture. */
  readonly eyes?: Readonly<Record<string, Eye>>
}

/** Something that the station says without a case: a file left aside, an alarm about a case that was sent. */
export type ExaminedNote = {
  readonly text: string
  readonly path: string | null
  readonly bytes: string | null
  readonly caseKey: string | null
}

/** A station with one watched folder that sends without review if it may. */
export type ExaminedStation = {
  /** A file is whole and has settled. */
  arrive(event: FileEvent): void | Promise<void>
  /** Time passes until this instant, in which nothing arrives. */
  advance(toMs: number): void
  cases(): readonly ExaminedCase[]
  notes(): readonly ExaminedNote[]
  /** A person fills in values and does not approve. */
  answer(caseKey: string, corrections: Corrections): void | Promise<void>
  /** A person approves on the screen, with or without corrections, after whatever question was asked. */
  approve(caseKey: string, corrections: Corrections | null): void | Promise<void>
  /** The profiles that the station offers to confirm now. */
  offers(): Offers | Promise<Offers>
  /** A person confirms an offered profile. */
  confirm(offerKey: string): void | Promise<void>
}

type Offers = readonly { readonly key: string; readonly text: string }[]
