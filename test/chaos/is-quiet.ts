import { referenceIn, type Compared } from './compare.ts'

/** What still moves, or should: empty where every visit has come to an honest rest. Pure. */
export function isQuiet({
  visits,
  received,
  submissions,
  isEchoing,
}: Pick<Compared, 'visits' | 'received' | 'submissions' | 'isEchoing'>): readonly string[] {
  const known = new Set(submissions.flatMap((one) => one.images.map((image) => image.sha256)))
  const arrived = new Set(received.flatMap((one) => one.images.map((image) => image.sha256)))
  const unseen = visits.flatMap((visit) =>
    visit.images.some(({ sha256 }) => !known.has(sha256) && !arrived.has(sha256))
      ? [`${visit.historyNumber} was not taken in`]
      : [],
  )
  const moving = submissions.flatMap((submission) => {
    const { state, reference } = submission
    const own = received.find((one) => referenceIn(one) === reference)
    const isUnderItsCenter = own?.centerId === submission.centerId
    switch (state) {
      case 'collecting':
      case 'waiting':
      case 'sending':
        return [`${reference} is ${state}${submission.failure ? ` (${submission.failure.kind})` : ''}`]
      case 'sent':
        return submission.confirmedAt === null && isUnderItsCenter
          ? [`${reference} is not confirmed (${submission.attempts} attempts)`]
          : []
      case 'unconfirmed': {
        const hasLooked = submission.evidence.length > 0
        const shouldBeFound = isEchoing && isUnderItsCenter
        return hasLooked && !shouldBeFound
          ? []
          : [`${reference} is unconfirmed (${submission.evidence.map(({ kind }) => kind).join(', ')})`]
      }
      case 'incomplete':
      case 'review':
      case 'held':
      case 'refused':
      case 'discarded':
        return []
    }
  })
  return [...unseen, ...moving]
}
