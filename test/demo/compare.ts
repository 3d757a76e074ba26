/** Lays what the camera wrote beside what the service has and what the station tells. */
import type { ExportedVisit } from '../camera/export-visit.ts'
import type { PracticeService } from '../practice-service/practice-service.ts'
import type { StationProcess } from '../station-process/start-station.ts'

export type Arrival = {
  readonly historyNumber: string
  readonly reference: string
  readonly images: number
  readonly bytes: number
  readonly hasReport: boolean
  /** What is wrong or missing; null where all is there. */
  readonly finding: string | null
}

function sorted(hashes: readonly string[]): string {
  return [...hashes].sort().join()
}

/** Does the case of a visit wait until a person has checked it, because only names say whose it is? */
export async function waitsForPerson(visit: ExportedVisit, station: StationProcess): Promise<boolean> {
  const { items } = await station.value('submissions.list', { state: ['review'], limit: 1_000 })
  return items.some(
    ({ fields, reasons, attempts }) =>
      fields.history_number === visit.patient.history_number &&
      attempts === 0 &&
      reasons.some(({ kind }) => kind === 'readFromNames'),
  )
}

/** One line for every visit that the camera wrote. */
export async function compare(
  visits: readonly ExportedVisit[],
  station: StationProcess,
  service: PracticeService,
): Promise<Arrival[]> {
  const { items } = await station.value('submissions.list', { limit: 1_000 })
  const posts = service.journal.of('POST /cases').filter((entry) => entry.caseId !== null)
  return visits.map((visit): Arrival => {
    const historyNumber = visit.patient.history_number
    const found = posts.filter((entry) =>
      entry.fields.some((field) => field.name === 'history_number' && field.value === historyNumber),
    )
    const [post] = found
    const submission = items.find((item) => item.fields.history_number === historyNumber)
    const arrival = {
      historyNumber,
      reference: submission?.reference ?? '-',
      images: post?.images.length ?? 0,
      bytes: post?.images.reduce((sum, image) => sum + image.sizeBytes, 0) ?? 0,
      hasReport: submission?.hasReport ?? false,
    }
    const finding = ((): string | null => {
      if (!submission) return 'not seen yet'
      if (!post) return 'not delivered'
      if (found.length > 1) return 'delivered twice'
      if (
        sorted(post.images.map((image) => image.sha256)) !== sorted(visit.images.map((image) => image.sha256))
      )
        return 'images differ'
      if (submission.state !== 'sent' || submission.caseId !== post.caseId) return 'not known as sent'
      return submission.hasReport ? null : 'no report'
    })()
    return { ...arrival, finding }
  })
}
