/** The verdict that a case of these rows has, for tests that write rows and no files. Pure. */
import type { Fields } from '../../src-shared/fields.ts'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Reason, Source, Submission } from '../../src-shared/submission.ts'
import type { Standing, Verdict } from '../../src-shared/verdict.ts'
import type { NamedOnly, StoredIdentity } from '../../src-main/station/json-columns.ts'

/** Proof. Not the patient list, which is searched for the number in a name, nor the time of a file. */
const PROOF: readonly Source[] = ['sidecar', 'dicom', 'person']

type VerdictInput = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly identity: Pick<StoredIdentity, 'joinedAfterEntry'>
  readonly reasons: readonly Pick<Reason, 'kind' | 'field' | 'imageId'>[]
  readonly groupedBy: 'program' | 'person'
}

type VerdictImage = {
  readonly id: string
  readonly eye: Eye
  readonly eye_source: Source | null
  readonly excluded_because: string | null
  readonly twin_of: string | null
}

/** The verdict on the content that all sources together state now. What a person entered holds for the images there were. */
export function verdictOf(input: VerdictInput, images: readonly VerdictImage[]): Verdict {
  const { fields, sources, groupedBy } = input
  const sent = images.filter((image) => image.excluded_because === null && image.twin_of === null)
  return {
    who: standingOf(input, 'patient', sources.history_number),
    // A day that is not sent claims nothing.
    day:
      fields.visit_date === undefined
        ? proven(sources.visit_date)
        : standingOf(input, 'visitDay', sources.visit_date),
    together: proven(groupedBy === 'person' ? 'person' : undefined),
    eyes: Object.fromEntries(sent.map((image) => [image.id, eyeStanding(input, image)])),
    fields: [],
    profiles: [],
  }
}

function standingOf(
  { identity, reasons }: VerdictInput,
  what: NamedOnly,
  source: Source | undefined,
): Standing {
  const by = source === undefined ? [] : [source]
  const isDisputed =
    what === 'patient'
      ? reasons.some(({ kind }) => kind === 'identityConflict')
      : reasons.some(({ kind, field }) => kind === 'valueConflict' && field === 'visit_date')
  if (isDisputed) return { kind: 'disputed', by, why: null }
  if (source === undefined) return { kind: 'unknown', by, why: null }
  if (!PROOF.includes(source)) return { kind: 'proposed', by, why: source }
  const isJoinedAfter = source === 'person' && identity.joinedAfterEntry?.includes(what) === true
  return isJoinedAfter ? { kind: 'proposed', by, why: 'namesOnly' } : proven(source)
}

function eyeStanding({ reasons }: VerdictInput, { id, eye, eye_source: source }: VerdictImage): Standing {
  const by = source === null ? [] : [source]
  if (reasons.some(({ kind, imageId }) => kind === 'eyeConflict' && imageId === id))
    return { kind: 'disputed', by, why: null }
  if (eye === 'unknown' || source === null) return { kind: 'unknown', by, why: null }
  return PROOF.includes(source) ? proven(source) : { kind: 'proposed', by, why: source }
}

function proven(source: Source | undefined): Standing {
  return { kind: 'proven', by: source === undefined ? [] : [source], why: null }
}
