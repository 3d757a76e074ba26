/**
 * The rows of an outbox that is older than what happened: which submissions are put in doubt (`put-in-doubt.ts` does it to
 * each), with the alarm that says so. Whatever was not sent then may have been sent since, and goes nowhere without
 * evidence.
 */
import type { SubmissionState } from '../../../src-shared/states.ts'
import { raiseAlarm } from './alarm-store.ts'
import { hasUnresolvedAttempt } from './attempt-store.ts'
import { readFact, writeFact } from './fact-store.ts'
import { attemptsKnown, type Manifest } from './manifest.ts'
import { raiseRevision } from './manifest-store.ts'
import { markUnconfirmed, type Service } from './put-in-doubt.ts'
import { doubtQuarantined, isReadable } from './quarantine-store.ts'
import { idsIn, rowOf } from './submission-store.ts'
import type { WriteThrough } from './write-through.ts'

/** How it came to light that the outbox is not the one that was used last. */
export const RESTORE_REASONS = ['backup', 'otherCopy', 'behindManifests', 'recovered'] as const
export type RestoreReason = (typeof RESTORE_REASONS)[number]

const REASON_TEXTS: Readonly<Record<RestoreReason, string>> = {
  backup: 'A backup of the outbox was put in its place.',
  otherCopy: 'The outbox is not the one that was used here last.',
  behindManifests: 'The outbox is older than the notes that lie beside the images.',
  recovered: 'The outbox was built anew.',
}
const WHAT_FOLLOWS =
  'Cases that were not known as sent may have been sent meanwhile: they are looked for at the service, and none goes again without evidence. Look at the cases under "Check delivery".'

const UNSETTLED: readonly SubmissionState[] = [
  'sending',
  'unconfirmed',
  'waiting',
  'collecting',
  'incomplete',
  'review',
  'held',
  'refused',
]

/** How many submissions are in doubt since, and how many stay discarded until their arrival is known. */
export type UnconfirmedCounts = { readonly unconfirmed: number; readonly discarded: number }

/**
 * Puts all in doubt that is not sent, in one commit with the alarm that says so.
 *
 * What was discarded stays so, but whoever restores it finds that its arrival is not known.
 */
export function putAllInDoubt(
  store: WriteThrough,
  why: RestoreReason,
  options: { readonly service: Service; readonly at: number },
): UnconfirmedCounts {
  return store.write(() => {
    const ids = UNSETTLED.flatMap((state) => idsIn(store, state)).filter((id) => isReadable(store, id))
    for (const id of ids) markUnconfirmed(store, id, options)
    const discarded = idsIn(store, 'discarded').filter((id) => !hasUnresolvedAttempt(store, id))
    for (const id of discarded) markUnconfirmed(store, id, options)
    doubtQuarantined(store)
    raiseAlarm(store, {
      kind: 'outboxRestored',
      submissionId: null,
      caseIds: [],
      message: `${REASON_TEXTS[why]} ${WHAT_FOLLOWS}`,
      at: options.at,
    })
    writeFact(store, 'restored', '')
    return { unconfirmed: ids.length, discarded: discarded.length }
  })
}

/** Puts the one submission in doubt whose manifest knows more than its row. */
export function putInDoubtBy(store: WriteThrough, manifest: Manifest, at: number): void {
  const { id } = manifest.submission
  store.write(() => {
    raiseRevision(store, id, manifest.revision)
    const row = rowOf(store, id)
    if (!row || row.state === 'sent') return
    const last = manifest.announced ?? manifest.attempts.at(-1)
    const service = last ? { baseUrl: last.base_url, clientId: last.client_id } : null
    const caseId = manifest.submission.case_id
    markUnconfirmed(store, id, {
      service: service ?? { baseUrl: '', clientId: '' },
      at,
      elsewhere: {
        attempts: attemptsKnown(manifest),
        last: service,
        caseIds: caseId === null ? [] : [caseId],
      },
    })
    raiseAlarm(store, {
      kind: 'outboxRestored',
      submissionId: id,
      caseIds: caseId === null ? [] : [caseId],
      message: `${REASON_TEXTS.behindManifests} This case may have been sent meanwhile: it is looked for at the service, and does not go again without evidence.`,
      at,
    })
  })
}

const UNREAD =
  'The note that lies beside the images of this case cannot be read, and the station did not end as it should. The case may have been sent: it is looked for at the service, and does not go again without evidence.'

/**
 * Puts the one submission in doubt whose manifest cannot be read: what it knows is not known. False where it is sent, or
 * in doubt already.
 */
export function putUnreadInDoubt(
  store: WriteThrough,
  id: string,
  options: { readonly service: Service; readonly at: number },
): boolean {
  return store.write(() => {
    const row = rowOf(store, id)
    if (!row || row.state === 'sent' || row.state === 'unconfirmed') return false
    if (row.state === 'discarded' && hasUnresolvedAttempt(store, id)) return false
    markUnconfirmed(store, id, options)
    if (row.state !== 'discarded')
      raiseAlarm(store, {
        kind: 'outboxRestored',
        submissionId: id,
        caseIds: [],
        message: UNREAD,
        at: options.at,
      })
    return true
  })
}

/** Why what happened since this outbox was written is not known; null where it is, or where that was dealt with. */
export function restoredWhy(store: WriteThrough): RestoreReason | null {
  const stored = readFact(store, 'restored')
  return RESTORE_REASONS.find((why) => why === stored) ?? null
}
