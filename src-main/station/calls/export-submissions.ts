/** Cases as a CSV file for the clinic's own lists, in the order in which they were asked for. */
import type { CallOutput, ParsedInput } from '../../../src-shared/contract.ts'
import type { Eye } from '../../../src-shared/eye.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { eachSlice } from '../each-slice.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { csvLine } from './csv-cell.ts'
import { stampAt } from './decided.ts'
import { isoWithOffset } from './export-audit.ts'

const COLUMNS = [
  'reference',
  'state',
  'history_number',
  'last_name',
  'first_name',
  'visit_date',
  'images_od',
  'images_os',
  'images_without_eye',
  'attempts',
  'center',
  'case_id',
  'added',
  'sent',
  'confirmed',
  'reason',
]
/** Without it Excel takes UTF-8 for the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff'

/** Why it stands, in the words of the screens: what the service said, or what a person has to complete. */
function formatReasons({ failure, reasons }: Submission): string {
  const failureText = failure?.serviceSaid ?? failure?.message
  return [...(failureText === undefined ? [] : [failureText]), ...reasons.map(({ message }) => message)].join(
    ' ',
  )
}

/** The cells of one case; instants with the distance of this computer's clock from UTC. Pure. */
export function cellsOf(submission: Submission, offsetMinutes?: number): string[] {
  const { fields, images } = submission
  const imagesOf = (eye: Eye): string =>
    String(
      images.filter((image) => image.eye === eye && image.excludedBecause === null && image.twinOf === null)
        .length,
    )
  const instant = (at: number | null): string => (at === null ? '' : isoWithOffset(at, offsetMinutes))
  return [
    submission.reference,
    submission.state,
    fields.history_number ?? '',
    fields.last_name ?? '',
    fields.first_name ?? '',
    fields.visit_date ?? '',
    imagesOf('right'),
    imagesOf('left'),
    imagesOf('unknown'),
    String(submission.attempts),
    submission.centerId ?? '',
    submission.caseId ?? '',
    instant(submission.addedAt),
    instant(submission.sentAt),
    instant(submission.confirmedAt),
    formatReasons(submission),
  ]
}

/**
 * Writes the cases that are there into a file. It carries names out of the station, so that the trail of each case says
 * that it was exported, and by whom, before anybody has the file.
 */
export async function exportSubmissions(
  outbox: Pick<Outbox, 'submissions' | 'audit' | 'write'>,
  input: ParsedInput<'submissions.export'>,
  now: number,
): Promise<Result<CallOutput<'submissions.export'>>> {
  const { at, by = null, details } = stampAt(input, now)
  const lines = [BYTE_ORDER_MARK + csvLine(COLUMNS)]
  const exportRow = (id: string): string[] => {
    const submission = outbox.submissions.get(id)
    if (!submission) return []
    outbox.audit.append({ at, submissionId: id, what: 'exported', by, details })
    return [csvLine(cellsOf(submission))]
  }
  await eachSlice([...new Set(input.ids)], (slice) => {
    lines.push(...outbox.write(() => slice.flatMap(exportRow)))
  })
  if (lines.length === 1) return fail(failureOf('notFound'))
  const timestamp = isoWithOffset(now).slice(0, 19).replaceAll(':', '-')
  return succeed({ fileName: `fundus-courier-cases_${timestamp}.csv`, csv: lines.join('') })
}
