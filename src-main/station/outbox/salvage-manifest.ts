/**
 * What a damaged manifest still tells: that its submission was there, and which images it held. Its case is not known
 * any more, but its images are known again, so that no second case is silently made of them. Pure.
 */
import type { Manifest } from './manifest.ts'

export type SalvageFallback = {
  readonly id: string
  /** The reference to use where none can be read. */
  readonly reference: string
  readonly at: number
}

const HASH = /"sha256":"([0-9a-f]{64})"/g
const REFERENCE = /"reference":"([0-9A-Z]{11})"/

/** A manifest of what can be read in a damaged text, all of it in doubt; null where no image can be read in it. */
export function salvageManifest(
  text: string,
  fallback: SalvageFallback,
  isReference: (text: string) => boolean,
): Manifest | null {
  const hashes = [...new Set([...text.matchAll(HASH)].map((match) => match[1] ?? ''))]
  if (hashes.length === 0) return null
  const read = REFERENCE.exec(text)?.[1]
  const { id, at } = fallback
  return {
    format: 1,
    revision: 1,
    submission: {
      id,
      reference: read !== undefined && isReference(read) ? read : fallback.reference,
      state: 'unconfirmed',
      fields: '{}',
      sources: '{}',
      identity: JSON.stringify({
        certainty: 'none',
        conflict: null,
        historyNumber: null,
        visitDate: null,
        historyNumberSource: null,
        visitDateSource: null,
        idsInPaths: [],
        statedIds: [],
        isAddendumAccepted: false,
      }),
      reasons: '[]',
      attempts: 0,
      case_id: null,
      added_at: at,
      changed_at: at,
    },
    keys: [],
    images: hashes.map((sha256, index) => ({
      id: `${id}-${index + 1}`,
      submission_id: id,
      folder_path: null,
      file_name: `recovered-${index + 1}`,
      eye: 'unknown',
      size_bytes: 0,
      sha256,
      spool_name: `${sha256.slice(0, 2)}/${sha256}`,
      content_type: 'image/jpeg',
      added_at: at,
    })),
    copies: [],
    attempts: [],
    announced: null,
  }
}
