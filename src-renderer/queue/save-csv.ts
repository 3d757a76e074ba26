import { offerDownload } from '../parts/offer-download.ts'
import { showFailure } from '../shell/run-call.ts'
import { showToast } from '../shell/tell.tsx'
import type { StationSession } from '../store/station-session.ts'
import { currentSignature } from '../who/initials.ts'
import { t } from '../words/t.ts'

/** Saves the selected cases as a file for the clinic's own lists. The station writes it into the trail. */
export async function saveCsv(session: StationSession, ids: readonly string[]): Promise<void> {
  const answer = await session.call('submissions.export', { ids: [...ids], ...currentSignature() })
  if (!answer.ok) return showFailure(answer.failure)
  const { csv, fileName } = answer.value
  offerDownload(new Blob([csv], { type: 'text/csv;charset=utf-8' }), fileName)
  showToast({ tone: 'green', message: t('queue:csv.done', { count: ids.length }) })
}
