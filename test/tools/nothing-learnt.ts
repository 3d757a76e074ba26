/** A folder of which nothing is learnt, and what a verdict allows there. */
import type { FolderMemory } from '../../src-main/station/cases/verdict/evidence.ts'
import type { VisitVerdict } from '../../src-main/station/cases/verdict/visit.ts'

export const NOTHING_LEARNT: FolderMemory = {
  isPatient: () => false,
  isShapeOfIds: () => false,
  isConstant: () => false,
  holderOf: () => null,
  peopleOf: () => [],
  issuersOf: () => [],
  holdsBothEyes: () => false,
  visitsOn: () => [],
  isNoPatientNumber: () => false,
  areSamePatient: () => false,
  areOnePerson: () => false,
  answeredBy: () => '',
}

/** What a verdict allows: to leave unseen, to be approved by a person who looks, or nothing before an answer. */
type Clearance = 'mayLeaveUnseen' | 'needsLook' | 'needsAnswer'

export function clearanceOf({ who, day, eyes, together, isOneEyed }: VisitVerdict): Clearance {
  const kinds = [who, day, together, ...eyes.values()].map(({ kind }) => kind)
  if (kinds.some((kind) => kind === 'disputed' || kind === 'unknown')) return 'needsAnswer'
  return isOneEyed || kinds.includes('proposed') ? 'needsLook' : 'mayLeaveUnseen'
}
