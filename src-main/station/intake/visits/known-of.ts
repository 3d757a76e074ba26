import type { ImageRow } from '../../outbox/submission-rows.ts'
import { eyesOf } from '../eyes-of.ts'
import type { EyeFinding } from '../recognition.ts'
import type { Claim } from './claim-of.ts'
import { claimFor, knownFileOf, sightingsOf, type Sightings, type VisitContext } from './exposure-of.ts'

/** Everything that is known of the pictures of one submission, read anew. */
export type Known = {
  /** None for a case made by hand: the names on somebody's disk are no export. */
  readonly claims: readonly Claim[]
  readonly sightings: readonly Sightings[]
  /** By the id of the image; one that shows another once more has none of its own. */
  readonly eyes: ReadonlyMap<string, EyeFinding>
}

/** One picture: an image and, behind it, the files that show it once more. */
type Picture = {
  readonly image: ImageRow
  readonly rows: readonly ImageRow[]
  readonly sightings: Sightings
}

function pictureOf(context: VisitContext, image: ImageRow, all: readonly ImageRow[]): Picture {
  const rows = [image, ...all.filter((other) => other.twin_of === image.id)]
  return { image, rows, sightings: sightingsOf(context, image.folder_path ?? '', rows.map(knownFileOf)) }
}

export function knownOf(context: VisitContext, images: readonly ImageRow[]): Known {
  const pictures = images
    .filter((image) => image.twin_of === null)
    .map((image) => pictureOf(context, image, images))
  // What was left out no longer speaks for the visit, unless there is nothing else.
  const taken = pictures.filter(({ image }) => image.excluded_because === null)
  const speaking = taken.length > 0 ? taken : pictures
  const claims = speaking.flatMap(({ image, rows }) =>
    image.folder_path === null ? [] : [claimFor(context, image.folder_path, rows.map(knownFileOf))],
  )
  const eyesInRecords = [...new Set(claims.flatMap((claim) => claim.records))].map((record) => record.eyes)
  const seen = pictures.map(({ image, sightings }) => ({ id: image.id, ...sightings }))
  return {
    claims,
    sightings: speaking.map(({ sightings }) => sightings),
    eyes: eyesOf(seen, eyesInRecords),
  }
}
