/** Who decided, and why, as it stands in the trail. */
export type Decision = { readonly by?: string | undefined; readonly why?: string | undefined }

export type DecisionStamp = {
  readonly at: number
  readonly by: string | undefined
  readonly details: Readonly<Record<string, string>>
}

/** What every line of the trail that a decision leaves says of it; more details may stand beside it. */
export function stampAt(decision: Decision, at: number): DecisionStamp {
  const { by, why } = decision
  return { at, by, details: why === undefined ? {} : { why } }
}
