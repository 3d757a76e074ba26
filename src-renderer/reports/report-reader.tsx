import { Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ReportSummary } from '../../src-shared/report.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { NotReady } from './not-ready.tsx'
import css from './report-reader.module.css'
import { ShownReport } from './shown-report.tsx'
import { readingOf } from './version-choice.ts'
import { t } from '../words/t.ts'

export type ReportReaderProps = {
  readonly caseId: string
  /** Whose report; null for the one of this case id that came last. */
  readonly submissionId: string | null
  /** The lines of the list; a list that is searched or very long may not have this one. */
  readonly listed: readonly ReportSummary[]
  readonly isListRead: boolean
  /** How often the station asks, in words. */
  readonly every: string
  /** Called once the station knows that the report was read. */
  readonly onRead: () => void
}

/** One report beside the images that it is about. */
export function ReportReader({ caseId, submissionId, listed, isListRead, every, onRead }: ReportReaderProps) {
  const session = useSession()
  const arrivals = useStation((state) => state.reportArrivals)
  // Whose report was shown first stays on the screen, even if another one of the same case id comes.
  const [ownerId, setOwnerId] = useState(submissionId)
  const asked = ownerId === null ? { caseId } : { caseId, submissionId: ownerId }
  const answer = useAnswer('reports.get', asked)
  const { failure, isReading, readAgain } = answer
  if (ownerId === null && answer.value) setOwnerId(answer.value.submissionId)
  const value = answer.value?.submissionId === ownerId ? answer.value : null
  useEffect(() => {
    if (arrivals > 0) readAgain()
  }, [arrivals, readAgain])
  const own = listed.find((item) => item.submissionId === ownerId)
  const other = useAnswer(
    'reports.list',
    isListRead && !own && ownerId !== null ? { submissionId: ownerId } : null,
  )
  const summary = own ?? other.value?.items.find((item) => item.submissionId === ownerId) ?? null

  const [chosenId, setChosenId] = useState<string | null>(null)
  const [openedId, setOpenedId] = useState<string | null>(null)
  const newestId = value?.versions.toSorted((one, two) => two.fetchedAt - one.fetchedAt)[0]?.id
  if (openedId === null && newestId !== undefined) setOpenedId(newestId)
  const reading = value && openedId !== null ? readingOf(value.versions, openedId, chosenId) : null

  // Read is what was shown: a version that came meanwhile keeps its mark until somebody looks at it.
  const isShownUnread = summary?.readAt === null && reading?.isOlder === 'no'
  useEffect(() => {
    if (!isShownUnread || ownerId === null) return
    void session
      .call('reports.markRead', { caseId, submissionId: ownerId })
      .then((marked) => marked.ok && onRead())
  }, [session, caseId, ownerId, isShownUnread, onRead])

  if (value && reading)
    return <ShownReport report={value} reading={reading} summary={summary} onChoose={setChosenId} />
  if (isReading) return <Loader className={css.loading} aria-label={t('report:title')} />
  if (failure && failure.kind !== 'notReady')
    return (
      <div className={css.trouble}>
        <FailureNotice failure={failure} />
      </div>
    )
  return <NotReady caseId={caseId} submissionId={submissionId} every={every} />
}
