import { useEffect, useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { useSession } from '../store/use-station.ts'

export type EarlierCase =
  | { readonly kind: 'read'; readonly submission: Submission }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Reads other submissions by their references; null while that is under way. */
export function useEarlierCases(references: readonly string[]): ReadonlyMap<string, EarlierCase> {
  const session = useSession()
  const key = references.join(' ')
  const [found, setFound] = useState<ReadonlyMap<string, EarlierCase>>(new Map())
  useEffect(() => {
    let isStale = false
    const read = async (reference: string): Promise<void> => {
      const answer = await session.call('submissions.list', { search: reference, limit: 5 })
      if (isStale) return
      const submission = answer.ok ? answer.value.items.find((one) => one.reference === reference) : null
      const earlier: EarlierCase = submission
        ? { kind: 'read', submission }
        : { kind: 'failed', failure: answer.ok ? failureOf('notFound') : answer.failure }
      setFound((before) => new Map([...before, [reference, earlier]]))
    }
    for (const reference of key.split(' ').filter(Boolean)) void read(reference)
    return () => {
      isStale = true
    }
  }, [session, key])
  return found
}
