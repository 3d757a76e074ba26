import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { upsertSubmission } from '../store/station-session.ts'
import { useSession, useStation } from '../store/use-station.ts'

export type ShownSubmission = {
  readonly details: SubmissionDetails | null
  readonly failure: Failure | null
  /** Takes the details that an answer carried. */
  readonly take: (details: SubmissionDetails) => void
}

/** A submission with its attempts and evidence, read anew whenever its row changes. */
export function useSubmission(id: string): ShownSubmission {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const wanted = useStation((state) => `${state.snapshots}/${state.submissions[id]?.changedAt ?? ''}`)
  const [details, setDetails] = useState<SubmissionDetails | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  /** The reading whose answer counts; an answer to a change makes an older reading void. */
  const current = useRef('')

  const take = useCallback(
    (came: SubmissionDetails) => {
      // Something later is known already, and is being read.
      const existing = session.store.getState().submissions[came.id]
      if (existing && existing.changedAt > came.changedAt) return
      current.current = ''
      setDetails(came)
      setFailure(null)
      upsertSubmission(session, came)
    },
    [session],
  )

  useEffect(() => {
    if (!isOpen) return
    current.current = wanted
    const read = async (): Promise<void> => {
      const answer = await session.call('submissions.get', { id })
      if (current.current !== wanted) return
      if (answer.ok) take(answer.value)
      else setFailure(answer.failure)
    }
    void read()
  }, [session, id, isOpen, wanted, take])

  return { details, failure, take }
}
