/** What the evidence of a delivery comes to for the person who decides. Pure. */
import type { Evidence } from '../../src-shared/submission.ts'

export type DeliverySummary = {
  /** Why it is not known whether it arrived. */
  readonly why: 'noAnswer' | 'restored'
  /** Cases at the service that it could be, each once, the likeliest kind of evidence first. */
  readonly candidates: readonly string[]
  /** What speaks against sending it again, the weightiest first. */
  readonly cautions: readonly Caution[]
}

export type Caution =
  | { readonly kind: 'twice' | 'found'; readonly caseIds: readonly string[] }
  | { readonly kind: 'centerUnsure' }

const LIKELIEST_FIRST: readonly Evidence['kind'][] = [
  'twice',
  'echoedReference',
  'readBack',
  'sameIdentity',
  'several',
  'unclear',
]

type Found = Pick<Evidence, 'kind' | 'caseIds'>

export function summarizeDelivery(evidence: readonly Found[]): DeliverySummary {
  const has = (kind: Evidence['kind']): boolean => evidence.some((one) => one.kind === kind)
  const idsOf = (kinds: readonly Evidence['kind'][]): string[] => [
    ...new Set(
      kinds.flatMap((kind) => evidence.filter((one) => one.kind === kind).flatMap(({ caseIds }) => caseIds)),
    ),
  ]
  const rest = evidence.map(({ kind }) => kind).filter((kind) => !LIKELIEST_FIRST.includes(kind))
  const found: readonly Caution[] = has('twice')
    ? [{ kind: 'twice', caseIds: idsOf(['twice']) }]
    : has('echoedReference')
      ? [{ kind: 'found', caseIds: idsOf(['echoedReference']) }]
      : []
  return {
    why: has('restored') ? 'restored' : 'noAnswer',
    candidates: idsOf([...LIKELIEST_FIRST, ...rest]),
    cautions: [...found, ...(has('centerUnsure') ? [{ kind: 'centerUnsure' } as const] : [])],
  }
}
