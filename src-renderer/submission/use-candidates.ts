import { useEffect, useMemo, useRef } from 'react'
import type { ListedCase } from '../../src-shared/case.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { useAnswer } from '../store/use-answer.ts'
import {
  candidateIds,
  compareCase,
  firstUnconfirmedAt,
  ourFacts,
  type Compared,
  type OurFacts,
} from './compare-case.ts'

export type Candidate = {
  readonly caseId: string
  /** Null where the list of the service does not show it. */
  readonly compared: readonly Compared[] | null
}

export type Candidates = {
  readonly ours: OurFacts
  readonly items: readonly Candidate[]
  readonly list: 'reading' | 'read' | 'unreadable'
  readonly readAt: number | null
  readonly readAgain: () => void
}

/** The cases of the service that ours could be, each laid beside it. */
export function useCandidates(details: SubmissionDetails, found: readonly string[]): Candidates {
  const { value, failure, readAgain } = useAnswer('cases.list', {})
  // Each look may have brought another list.
  const lookupCount = details.evidence.length
  const seen = useRef(lookupCount)
  useEffect(() => {
    if (seen.current === lookupCount) return
    seen.current = lookupCount
    readAgain()
  }, [lookupCount, readAgain])

  const ours = useMemo(
    () => ({ submission: details, sentAt: firstUnconfirmedAt(details.attemptList) }),
    [details],
  )
  const items = useMemo(() => {
    const listed = value?.items ?? []
    const byId = new Map<string, ListedCase>(listed.map((one) => [one.caseId, one]))
    return candidateIds(found, ours, listed).map((caseId): Candidate => {
      const theirs = byId.get(caseId)
      return { caseId, compared: theirs === undefined ? null : compareCase(ours, theirs) }
    })
  }, [value, ours, found])
  return {
    ours: ourFacts(ours),
    items,
    list: value !== null ? 'read' : failure ? 'unreadable' : 'reading',
    readAt: value?.readAt ?? null,
    readAgain,
  }
}
