import type { StatedEye } from '../eye-statements.ts'
import type { Authority } from './name-meaning.ts'
import type { Meaning } from './known-names.ts'

/** One value of a data file with what it stands for. */
export type Statement = {
  readonly meaning: Meaning
  /** The name that the file gives it, plain. */
  readonly plainName: string
  readonly value: unknown
  readonly authority: Authority
  /** The eye that a measurement or a file is of: in its name, or beside it. `unclear`: two eyes, both, or no word we know. */
  readonly eye: StatedEye | 'unclear' | null
}

/** What stands together in a file: a row, or a document's statements about one visit. */
export type Statements = readonly Statement[]
