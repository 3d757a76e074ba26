/**
 * The truth: what the camera wrote and what the service received, against what the station's outbox says of it.
 *
 * Pure. Shares nothing with the product but the shape of the contract's answers.
 */
import type { Alarm } from '../../src-shared/alarms.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import type { PracticeService } from '../practice-service/practice-service.ts'
import type { Visit } from './visits.ts'

/** One whole case that the service stored, as its journal has it. */
type ReceivedCase = {
  readonly caseId: string
  readonly centerId: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly images: readonly { readonly fileName: string; readonly sha256: string }[]
}

export function receivedBy({ journal }: Pick<PracticeService, 'journal'>): readonly ReceivedCase[] {
  return journal
    .of('POST /cases')
    .flatMap(({ caseId, centerId, fields, images }) =>
      caseId === null ? [] : [{ caseId, centerId: centerId ?? '', fields, images }],
    )
}

export type ExpectedVisit = Pick<Visit, 'historyNumber' | 'visitDate' | 'images'> & {
  /** The center that was set when the camera wrote it. */
  readonly centerId: string
}

export type Findings = {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly wrongCenter: readonly string[]
  readonly falseSent: readonly string[]
  readonly wrongBytes: readonly string[]
  /** It may have arrived, the list shows it with its reference, and the station did not find it. */
  readonly notFound: readonly string[]
  /** No faults, but worth a note, such as what is left for a person. */
  readonly notes: readonly string[]
}

export type Compared = {
  readonly visits: readonly ExpectedVisit[]
  readonly received: readonly ReceivedCase[]
  readonly submissions: readonly SubmissionDetails[]
  readonly alarms: readonly Alarm[]
  /** Does the service's list show the free text with the reference? */
  readonly isEchoing: boolean
  /** Does the station's spool hold a file with this SHA-256? */
  readonly isSpooled: (sha256: string) => boolean
}

/** Images of a case whose row is damaged: it is shown first, with its reference, and without them. */
function heldUnread({ submissions, isSpooled }: Pick<Compared, 'submissions' | 'isSpooled'>) {
  const isAnyUnread = submissions.some(
    ({ unreadable, state }) => unreadable !== undefined && state !== 'sent',
  )
  return (sha256: string): boolean => isAnyUnread && isSpooled(sha256)
}

const REFERENCE = /\bFC[0-9A-HJKMNP-TV-Z]{9}\b/

export function referenceIn(one: ReceivedCase): string | null {
  const text = one.fields.find((field) => field.name === 'other_relevant_info')?.value ?? ''
  return REFERENCE.exec(text.split('\n').at(-1) ?? '')?.[0] ?? null
}

function fieldOf(one: ReceivedCase, name: string): string | null {
  return one.fields.find((field) => field.name === name)?.value ?? null
}

const EYE_IN_NAME = { OD: 'right', OS: 'left' } as const

function eyeInName(fileName: string): 'right' | 'left' | null {
  const code = /_(OD|OS)_\d+\./.exec(fileName)?.[1]
  return code === 'OD' || code === 'OS' ? EYE_IN_NAME[code] : null
}

/** Did a person say, on record, that a case is not there and goes again? */
function hasDecision(submission: SubmissionDetails | undefined): boolean {
  return submission?.evidence.some((one) => one.kind === 'decision' && one.by !== null) ?? false
}

function lostOf(compared: Compared): string[] {
  const { visits, received, submissions } = compared
  const isHeldUnread = heldUnread(compared)
  const arrived = new Set(received.flatMap((one) => one.images.map((image) => image.sha256)))
  const unsent = new Set(
    submissions
      .filter(({ state }) => state !== 'discarded' && state !== 'sent')
      .flatMap((one) => one.images.map((image) => image.sha256)),
  )
  return visits.flatMap((visit) => {
    const missing = visit.images.filter(
      ({ sha256 }) => !arrived.has(sha256) && !unsent.has(sha256) && !isHeldUnread(sha256),
    )
    return missing.length === 0
      ? []
      : [`${visit.historyNumber}: ${missing.length} of ${visit.images.length} images are nowhere`]
  })
}

function doubledOf({ received, submissions }: Compared): string[] {
  const found: string[] = []
  const seen = new Map<string, ReceivedCase>()
  for (const one of received) {
    const reference = referenceIn(one)
    const marks = [...(reference === null ? [] : [reference]), ...one.images.map((image) => image.sha256)]
    const other = marks.map((mark) => seen.get(mark)).find((known) => known !== undefined)
    for (const mark of marks) if (!seen.has(mark)) seen.set(mark, one)
    if (!other) continue
    const references = [reference, referenceIn(other)]
    const isByPerson = submissions.some((own) => references.includes(own.reference) && hasDecision(own))
    if (!isByPerson) found.push(`cases ${other.caseId} and ${one.caseId} at the service are one`)
  }
  return found
}

/** Has the station said of itself that the center is in doubt? */
function isCenterDoubted(submission: SubmissionDetails, alarms: readonly Alarm[]): boolean {
  return (
    submission.state !== 'sent' ||
    alarms.some((alarm) => alarm.submissionId === submission.id) ||
    submission.evidence.some((one) => one.kind === 'centerUnsure')
  )
}

function wrongCenterOf(compared: Compared): { readonly found: string[]; readonly notes: string[] } {
  const { visits, received, submissions, alarms } = compared
  const found: string[] = []
  const notes: string[] = []
  for (const one of received) {
    const hashes = new Set(one.images.map((image) => image.sha256))
    const visit = visits.find(({ images }) => images.some(({ sha256 }) => hashes.has(sha256)))
    if (!visit || visit.centerId === one.centerId) continue
    const own = submissions.find((submission) => submission.reference === referenceIn(one))
    if (own && own.centerId === visit.centerId && isCenterDoubted(own, alarms)) {
      notes.push('switched from outside, and said so')
    } else if (own && own.centerId === visit.centerId && own.confirmedAt === null) {
      notes.push('switched from outside, and not confirmed')
    } else {
      found.push(`case ${one.caseId} of center ${visit.centerId} is under ${one.centerId}`)
    }
  }
  return { found, notes }
}

function falseSentOf({ received, submissions }: Compared): string[] {
  return submissions.flatMap((submission) => {
    if (submission.state !== 'sent') return []
    // Of a case whose row is damaged the station shows its reference and its state alone.
    const isReadable = submission.unreadable === undefined
    const one = received.find((each) =>
      isReadable ? each.caseId === submission.caseId : referenceIn(each) === submission.reference,
    )
    if (!one) return [`${submission.reference} is called sent, and its case is not at the service`]
    if (!isReadable) return []
    const sent = submission.images
      .filter((image) => image.excludedBecause === null && image.twinOf === null)
      .map((image) => image.sentAs?.sha256 ?? image.sha256)
      .toSorted()
    const got = one.images.map((image) => image.sha256).toSorted()
    if (sent.join() !== got.join()) return [`${submission.reference} is called sent with other images`]
    const wrong = Object.entries(submission.fields).find(([name, value]) => {
      const arrived = fieldOf(one, name)
      return name === 'other_relevant_info'
        ? !(arrived ?? '').startsWith(String(value))
        : arrived !== String(value)
    })
    if (wrong) return [`${submission.reference} is called sent with another ${wrong[0]}`]
    return referenceIn(one) === submission.reference
      ? []
      : [`${submission.reference} is called sent as the case of another`]
  })
}

function wrongBytesOf({ visits, received }: Compared): string[] {
  return received.flatMap((one) => {
    const visit = visits.find(({ historyNumber }) => historyNumber === fieldOf(one, 'history_number'))
    if (!visit) return [`case ${one.caseId} is of a patient whom the camera never saw`]
    return one.images.flatMap((image) => {
      const taken = visit.images.find(({ sha256 }) => sha256 === image.sha256)
      if (!taken) return [`case ${one.caseId} has an image that the camera did not write for this patient`]
      return taken.eye === eyeInName(image.fileName)
        ? []
        : [`case ${one.caseId} has an image at the wrong eye`]
    })
  })
}

function unconfirmedOf({ received, submissions, isEchoing }: Compared): {
  readonly found: string[]
  readonly notes: string[]
} {
  const found: string[] = []
  const notes: string[] = []
  for (const submission of submissions) {
    if (submission.state !== 'unconfirmed') continue
    const own = received.find((one) => referenceIn(one) === submission.reference)
    const isShown = isEchoing && own?.centerId === submission.centerId
    if (isShown) found.push(`${submission.reference} is in the list and was not found`)
    else notes.push(own ? 'arrived, left for a person' : 'not arrived, left for a person')
  }
  return { found, notes }
}

/** Everything that is wrong, by column. */
export function compare(compared: Compared): Findings {
  const centers = wrongCenterOf(compared)
  const unconfirmed = unconfirmedOf(compared)
  const others = compared.submissions.flatMap((submission) =>
    ['sent', 'unconfirmed'].includes(submission.state)
      ? []
      : [`${submission.state}${submission.failure ? ` (${submission.failure.kind})` : ''}`],
  )
  return {
    lost: lostOf(compared),
    doubled: doubledOf(compared),
    wrongCenter: centers.found,
    falseSent: falseSentOf(compared),
    wrongBytes: wrongBytesOf(compared),
    notFound: unconfirmed.found,
    notes: [...centers.notes, ...unconfirmed.notes, ...others],
  }
}

/** What still moves, or should: empty if every visit has come to an honest rest. Pure. */
export function isQuiet({
  visits,
  received,
  submissions,
  isEchoing,
  isSpooled,
}: Omit<Compared, 'alarms'>): readonly string[] {
  const isHeldUnread = heldUnread({ submissions, isSpooled })
  const known = new Set(submissions.flatMap((one) => one.images.map((image) => image.sha256)))
  const arrived = new Set(received.flatMap((one) => one.images.map((image) => image.sha256)))
  const unseen = visits.flatMap((visit) =>
    visit.images.some(({ sha256 }) => !known.has(sha256) && !arrived.has(sha256) && !isHeldUnread(sha256))
      ? [`${visit.historyNumber} was not ingested`]
      : [],
  )
  const moving = submissions.flatMap((submission) => {
    const { state, reference, unreadable } = submission
    // It is not processed until a person has decided.
    if (unreadable !== undefined) return []
    const own = received.find((one) => referenceIn(one) === reference)
    const isAtItsCenter = own?.centerId === submission.centerId
    switch (state) {
      case 'collecting':
      case 'waiting':
      case 'sending':
        return [`${reference} is ${state}${submission.failure ? ` (${submission.failure.kind})` : ''}`]
      case 'sent':
        return submission.confirmedAt === null && isAtItsCenter
          ? [`${reference} is not confirmed (${submission.attempts} attempts)`]
          : []
      case 'unconfirmed': {
        const hasEvidence = submission.evidence.length > 0
        const shouldBeFound = isEchoing && isAtItsCenter
        return hasEvidence && !shouldBeFound
          ? []
          : [`${reference} is unconfirmed (${submission.evidence.map(({ kind }) => kind).join(', ')})`]
      }
      default:
        return []
    }
  })
  return [...unseen, ...moving]
}
