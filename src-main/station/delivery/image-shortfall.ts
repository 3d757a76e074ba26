/** Whether the service kept every image: what it shows of a case is compared with what was sent. */
import { isDeepStrictEqual } from 'node:util'
import { MINUTE } from '../../../src-shared/durations.ts'
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import { countImages, countImagesInAnswer, isSent } from '../lib/service-case.ts'
import type { ImageCalibration } from '../outbox/cases-and-centers.ts'
import type { AttemptRow, SubmissionRow } from '../outbox/rows.ts'
import { appendEvidence, raiseAlarm } from './case-list.ts'
import { destinationOf } from './center-lease.ts'
import type { DeliveryContext } from './context.ts'

/** What one source shows of the images of a case; null if it states no number. */
type ShownImages = { readonly [Source in keyof ImageCalibration]: number | null }

/**
 * - complete  nothing speaks against it
 * - odd       a number that proves nothing: none, more than were sent, or of a source that was never right
 * - again     fewer, for the first time: the service may still be storing them
 * - fewer     fewer, and a minute later still
 */
export type ShownVerdict =
  | { readonly kind: 'complete' }
  | { readonly kind: 'odd' | 'again' | 'fewer'; readonly shown: number; readonly sent: number }

/** A service may store images after it has answered. */
export const READ_AGAIN_MS = MINUTE

/**
 * What a read-back says of the images. Fewer count only in a source that was right before, and one image each proves
 * nothing about two (a list may show a cover). `firstFewerAt`: when this attempt first showed fewer, or null.
 */
export function classifyShownImages(
  sent: number,
  shown: ShownImages,
  mostRight: ImageCalibration,
  { firstFewerAt, now }: { readonly firstFewerAt: number | null; readonly now: number },
): ShownVerdict {
  const isFewer = (source: keyof ImageCalibration, count: number): boolean =>
    count > 0 && count < sent && (mostRight[source] > 1 || (mostRight[source] === 1 && count > 1))
  const readBack = (['case', 'list'] as const).flatMap((source) => {
    const count = shown[source]
    return count === null ? [] : [{ source, count }]
  })
  // The answer counts only if no read-back says more: it may have been written before the images were.
  const stated = readBack.some(({ count }) => count > 0)
    ? readBack
    : shown.answer === null
      ? readBack
      : [{ source: 'answer' as const, count: shown.answer }, ...readBack]
  const fewer = stated.find(({ source, count }) => isFewer(source, count))
  if (fewer) {
    const isLasting = firstFewerAt !== null && now - firstFewerAt >= READ_AGAIN_MS
    return { kind: isLasting ? 'fewer' : 'again', shown: fewer.count, sent }
  }
  if (stated.some(({ count }) => count === sent)) return { kind: 'complete' }
  const [odd] = stated
  return odd ? { kind: 'odd', shown: odd.count, sent } : { kind: 'complete' }
}

/** Have cases of this service shown their images rightly, when read by their ids? */
export function doesCaseShowImages({ outbox, client }: DeliveryContext): boolean {
  return outbox.imageCalibrationOf(client.identity).case > 0
}

/** Request the case itself too? Unless the list shows the right number and is known to. */
export function asksForImages(context: DeliveryContext, submissionId: string, listed: ServiceCase): boolean {
  const { list: mostRight } = context.outbox.imageCalibrationOf(context.client.identity)
  return mostRight === 0 || countImages(listed.raw) !== countSent(context, submissionId)
}

/** Compares what a read-back shows with what was sent, and notes which sources were right. */
export function compareImages(
  context: DeliveryContext,
  row: SubmissionRow,
  attempt: AttemptRow,
  { listed, asked }: { readonly listed: ServiceCase | undefined; readonly asked: ServiceCase | null },
): ShownVerdict {
  const { outbox, clock } = context
  const sent = countSent(context, row.id)
  const shown: ShownImages = {
    answer: countImagesInAnswer(attempt.answer_body),
    list: listed ? countImages(listed.raw) : null,
    case: asked ? countImages(asked.raw) : null,
  }
  const mostRight = outbox.imageCalibrationOf(context.client.identity)
  const firstFewerAt = fewerEvidence(context, row.id, attempt.id)?.at ?? null
  const classified = classifyShownImages(sent, shown, mostRight, { firstFewerAt, now: clock.now() })
  const mostNow = (source: keyof ImageCalibration): number =>
    shown[source] === sent ? Math.max(sent, mostRight[source]) : mostRight[source]
  const right = { answer: mostNow('answer'), list: mostNow('list'), case: mostNow('case') }
  if (!isDeepStrictEqual(right, mostRight))
    outbox.saveImageCalibration(destinationOf(context, row.center_id), right)
  return classified
}

/** Notes fewer images than were sent; once that lasts, with an alarm. */
export function noteFewerImages(
  context: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  { kind, ...values }: Exclude<ShownVerdict, { kind: 'complete' }>,
): void {
  const { outbox } = context
  const caseIds = row.case_id === null ? [] : [row.case_id]
  if (kind === 'again') {
    const isFirst = fewerEvidence(context, row.id, attemptId) === undefined
    const finding = { kind: 'readBack', caseIds, key: FEWER_ONCE, values } as const
    if (isFirst) appendEvidence(context, row.id, attemptId, finding)
    return
  }
  outbox.write(() => {
    if (row.images_shown !== values.shown) outbox.setImagesShown(row.id, values.shown)
    const found = { caseIds, key: 'sending:confirm.fewer', values } as const
    raiseAlarm(context, row.id, { kind: 'imagesMissing', ...found }, () =>
      appendEvidence(context, row.id, attemptId, { kind: 'readBack', ...found }),
    )
  })
}

const FEWER_ONCE = 'sending:confirm.fewerOnce'

/** When a read-back of this attempt showed fewer images for the first time. */
function fewerEvidence(
  { outbox }: DeliveryContext,
  submissionId: string,
  attemptId: string,
): Evidence | undefined {
  return outbox
    .detailsOf(submissionId)
    ?.evidence.find((one) => one.attemptId === attemptId && one.wording?.key === FEWER_ONCE)
}

function countSent({ outbox }: DeliveryContext, submissionId: string): number {
  return outbox.imageRowsOf(submissionId).filter(isSent).length
}
