/** What all statements of a visit come to: proven, proposed, disputed or unknown. */
import type { Attribute } from '../../../../src-shared/proof.ts'
import type { Source } from '../../../../src-shared/submission.ts'

/** A value and its origin. */
export type Statement<Value> = {
  readonly value: Value
  readonly source: Source
  /** A path inside the watched folder, the id of a record, or the reference of a case. */
  readonly where: string
  readonly attribute?: Attribute
  /** Why its source only proposes it, although such a source may prove: it contradicts itself, or is perhaps of another image. */
  readonly doubt?: Doubt
}

/** Why something is a proposal, a dispute or unknown; a sentence belongs to each. */
export type Doubt =
  | 'readFromNames'
  | 'folderRecord'
  | 'fileTime'
  | 'farFromArrival'
  | 'importedBatch'
  | 'secondNumber'
  | 'unknownTerm'
  /** A person has said that two names are of one patient; it is shown each time. */
  | 'savedAnswer'
  | 'weakNumber'
  | 'severalNumbers'
  | 'placeholder'
  | 'sourcesDiffer'
  | 'nearlySame'
  | 'twoPeople'
  | 'sharedNumber'
  | 'nothingStated'
  | 'loneLetter'
  | 'ambiguousTerm'
  | 'noLink'
  | 'twoBursts'
  | 'profilesDiffer'
  | 'notConfirmed'
  | 'beforeConfirmation'
  | 'firstReviews'
  | 'notIntact'
  | 'overruled'
  | 'otherZone'
  | 'oneEyeOnly'

/**
 * The verdict on one question.
 *
 * - `proven`    a source that proves states it, and nothing doubts it
 * - `proposed`  the likely answer; `why` says what keeps it from being proof
 * - `disputed`  two sources differ: `statements` holds one of each
 * - `unknown`   nothing states it
 */
export type Verdict<Value> =
  | { readonly kind: 'proven'; readonly value: Value; readonly by: readonly Statement<Value>[] }
  | {
      readonly kind: 'proposed'
      readonly value: Value
      readonly by: readonly Statement<Value>[]
      readonly why: Doubt
      /** The words that it is about: the second number, the unknown word. */
      readonly about?: string
    }
  | {
      readonly kind: 'disputed'
      readonly statements: readonly Statement<Value>[]
      readonly why: Doubt
      /** The number of two people. */
      readonly about?: string
      /** The pictures of each patient, if they may be of two. */
      readonly groups?: readonly (readonly string[])[]
    }
  | { readonly kind: 'unknown'; readonly why: Doubt; readonly about?: string }

/** The value that a form is filled with; null if there is none, or if it is disputed. */
export function valueIn<Value>(verdict: Verdict<Value>): Value | null {
  return verdict.kind === 'proven' || verdict.kind === 'proposed' ? verdict.value : null
}

/** What it rests on; of a dispute, one of each side. */
export function statementsIn<Value>(verdict: Verdict<Value>): readonly Statement<Value>[] {
  if (verdict.kind === 'unknown') return []
  return verdict.kind === 'disputed' ? verdict.statements : verdict.by
}

/** One statement for each value, in the order of first mention. */
export function distinctBy<Value>(
  statements: readonly Statement<Value>[],
  keyOf: (value: Value) => string,
): readonly Statement<Value>[] {
  return [...new Map(statements.toReversed().map((one) => [keyOf(one.value), one])).values()].toReversed()
}

/** What only doubtful statements say of one of the pictures is a proposal. */
export function weighed<Value>(
  verdict: Verdict<Value>,
  ofPictures: readonly (readonly Statement<Value>[])[],
): Verdict<Value> {
  if (verdict.kind !== 'proven') return verdict
  const [first] =
    ofPictures.find((own) => own.length > 0 && own.every(({ doubt }) => doubt !== undefined)) ?? []
  return first?.doubt === undefined ? verdict : { ...verdict, kind: 'proposed', why: first.doubt }
}
