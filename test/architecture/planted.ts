/**
 * What nobody may write, each with the tool and the rule that must refuse it.
 *
 * `code` is the whole content of `file`, a file that is not there in the skeleton.
 */
export type Refusal =
  /** The compiler: the number of its error. */
  | { readonly by: 'tsc'; readonly rule: `TS${number}` }
  | { readonly by: 'oxlint'; readonly rule: string }
  | { readonly by: 'depcruise'; readonly rule: string }

export type Planted = {
  readonly what: string
  readonly file: string
  readonly code: string
  readonly refusedBy: readonly Refusal[]
}

export const tsc = (rule: `TS${number}`): Refusal => ({ by: 'tsc', rule })
export const oxlint = (rule: string): Refusal => ({ by: 'oxlint', rule })
export const depcruise = (rule: string): Refusal => ({ by: 'depcruise', rule })

export const RESTRICTED = oxlint('eslint(no-restricted-imports)')
/** A file outside of the project and its references. */
export const OUTSIDE = tsc('TS6307')
export const NO_NODE_TYPES = tsc('TS2591')
export const NO_DOM_TYPES = tsc('TS2584')
