import { offerDownload } from '../parts/offer-download.ts'
import { tellFailure } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import type { StationSession } from '../store/station-session.ts'
import { signature } from '../who/initials.ts'
import { t } from '../words/t.ts'

/** Saves the selected cases as a file for the clinic's own lists. The station writes it into the trail. */
export async function saveCsv(session: StationSession, ids: readonly string[]): Promise<void> {
  const answer = await session.call('submissions.export', { ids: [...ids], ...signature() })
  if (!answer.ok) return tellFailure(answer.failure)
  const { csv, fileName } = answer.value
  offerDownload(new Blob([csv], { type: 'text/csv;charset=utf-8' }), fileName)
  tell({ tone: 'green', message: t('queue:csv.done', { count: ids.length }) })
}
