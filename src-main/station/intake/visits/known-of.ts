import type { ImageRow } from '../../outbox/submission-rows.ts'
import { eyesOf } from '../eyes-of.ts'
import type { EyeFinding } from '../recognition.ts'
import type { VisitIdentity } from './claim-of.ts'
import {
  visitIdentityFor,
  imageFileOf,
  imageEvidenceOf,
  type ImageEvidence,
  type VisitContext,
} from './exposure-of.ts'

/** Everything that is known of the pictures of one submission, read anew. */
export type SubmissionEvidence = {
  /** None for a case made by hand: the names on somebody's disk are no export. */
  readonly identities: readonly VisitIdentity[]
  readonly pictures: readonly ImageEvidence[]
  /** By the id of the image; one that shows another once more has none of its own. */
  readonly eyes: ReadonlyMap<string, EyeFinding>
}

/** One picture: an image and, behind it, the files that show it once more. */
type Picture = {
  readonly image: ImageRow
  readonly rows: readonly ImageRow[]
  readonly evidence: ImageEvidence
}

function pictureOf(context: VisitContext, image: ImageRow, all: readonly ImageRow[]): Picture {
  const rows = [image, ...all.filter((other) => other.twin_of === image.id)]
  return { image, rows, evidence: imageEvidenceOf(context, image.folder_path ?? '', rows.map(imageFileOf)) }
}

export function collectEvidence(context: VisitContext, images: readonly ImageRow[]): SubmissionEvidence {
  const pictures = images
    .filter((image) => image.twin_of === null)
    .map((image) => pictureOf(context, image, images))
  // What was left out no longer speaks for the visit, unless there is nothing else.
  const taken = pictures.filter(({ image }) => image.excluded_because === null)
  const speaking = taken.length > 0 ? taken : pictures
  const identities = speaking.flatMap(({ image, rows }) =>
    image.folder_path === null ? [] : [visitIdentityFor(context, image.folder_path, rows.map(imageFileOf))],
  )
  const eyesInRecords = [...new Set(identities.flatMap((claim) => claim.records))].map(
    (record) => record.eyes,
  )
  const seen = pictures.map(({ image, evidence }) => ({ id: image.id, ...evidence }))
  return {
    identities,
    pictures: speaking.map(({ evidence }) => evidence),
    eyes: eyesOf(seen, eyesInRecords),
  }
}
