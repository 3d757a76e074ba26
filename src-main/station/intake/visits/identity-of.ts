/** What all pictures of a submission together say of its patient and visit. Pure. */
import type { NamedOnly } from '../../json-columns.ts'
import type { StoredIdentity } from '../../json-columns.ts'
import type { VisitIdentity } from './claim-of.ts'

const CERTAINTIES: readonly StoredIdentity['certainty'][] = ['none', 'single', 'agreed', 'profile']

function unique<Value extends string>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}

/** What no data file and no attribute states of this picture, only the names of its files. */
function namedOnlyIn({ visitDate, statedIds, records }: VisitIdentity): readonly NamedOnly[] {
  const isPatientStated =
    statedIds.length > 0 || records.some(({ fields }) => fields.history_number !== undefined)
  const isDayStated =
    visitDate.source === 'sidecar' ||
    visitDate.source === 'dicom' ||
    records.some(({ fields }) => fields.visit_date !== undefined)
  return [...(isPatientStated ? [] : (['patient'] as const)), ...(isDayStated ? [] : (['visitDay'] as const))]
}

/** Another picture can only lower the certainty, never raise it: one name that agrees proves nothing for the others. */
export function identityOf(
  identities: readonly VisitIdentity[],
  stored: Pick<StoredIdentity, 'isAddendumAccepted' | 'isAtWork' | 'unitChanged'>,
): StoredIdentity {
  const named = identities.find((claim) => claim.historyNumber !== null)?.historyNumber ?? null
  const dated = (
    identities.find((claim) => claim.visitDate.source !== 'fileTime') ??
    identities.toSorted((one, other) => (one.takenAt < other.takenAt ? -1 : 1))[0]
  )?.visitDate
  const conflict = unique(identities.flatMap((claim) => claim.conflict ?? []))
  const namedOnly = unique(identities.flatMap(namedOnlyIn))
  const lowest = Math.min(...identities.map((claim) => CERTAINTIES.indexOf(claim.certainty)))
  return {
    certainty: identities.length === 0 ? 'none' : (CERTAINTIES[lowest] ?? 'none'),
    conflict: conflict.length > 0 ? conflict : null,
    historyNumber: named?.value ?? null,
    historyNumberSource: named?.source ?? null,
    visitDate: dated?.value ?? null,
    visitDateSource: dated?.source ?? null,
    idsInPaths: unique(identities.flatMap((claim) => claim.idsInPaths)),
    statedIds: unique(identities.flatMap((claim) => claim.statedIds)),
    isAddendumAccepted: stored.isAddendumAccepted,
    ...(namedOnly.length > 0 && { namedOnly }),
    ...(stored.isAtWork && { isAtWork: stored.isAtWork }),
    ...(stored.unitChanged && { unitChanged: stored.unitChanged }),
  }
}
