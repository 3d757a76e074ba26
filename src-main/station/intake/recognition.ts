/** What the files of one visit say about it, and where each value came from. Pure decisions answer with these. */
import type { Eye } from '../../../src-shared/eye.ts'
import type { Fields } from '../../../src-shared/fields.ts'
import type { Source } from '../../../src-shared/submission.ts'

/** A value together with where it came from. */
export type Stated<Value> = { readonly value: Value; readonly source: Source }

/** Which submission a file belongs to, as its path says. */
export type Group = {
  /** The same for all files of one patient and visit in one watched folder; never shown, never sent. */
  readonly key: string
  readonly historyNumber: Stated<string> | null
  /** `YYYY-MM-DD`; only from an unambiguous spelling (year first), never guessed between day and month. */
  readonly visitDate: Stated<string> | null
  /** Folder and file name state the same patient: enough to send without review. */
  readonly isIdentityAgreed: boolean
  /** Several ids in one path of which none can be chosen: all of them, for the person who decides. */
  readonly conflict: readonly string[] | null
}

/** The eye of one image: stated, unknown, or stated twice with different words. */
export type EyeFinding =
  | { readonly kind: 'stated'; readonly eye: Exclude<Eye, 'unknown'>; readonly source: Source }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'conflict'; readonly statements: readonly Stated<Exclude<Eye, 'unknown'>>[] }

/** A `case.json` that was read. `rejected` names fields whose value was unusable; the others hold. */
export type Sidecar = {
  readonly fields: Fields
  /** By the name of the image, or its path from the sidecar on, with `/`. */
  readonly eyes: Readonly<Record<string, Eye>>
  readonly rejected: readonly { readonly field: string; readonly message: string }[]
  /** How many of its names are none of the interface's; a misspelled name shows here. */
  readonly ignoredCount: number
}
