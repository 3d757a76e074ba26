/** A folder of which nothing is learnt, and what a verdict allows there. */
import type { FolderMemory } from '../../src-main/station/cases/verdict/evidence.ts'
import type { Verdict } from '../../src-main/station/cases/verdict/verdict.ts'
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
export type Clearance = 'mayLeaveUnseen' | 'needsLook' | 'needsAnswer'

export function clearanceOf({ who, day, eyes, together, isOneEyed }: VisitVerdict): Clearance {
  const ofEyes = [...eyes.values()].map(({ kind }) => kind)
  return clearanceFor([who.kind, day.kind, together.kind, isOneEyed ? 'proposed' : 'proven', ...ofEyes])
}

/** What verdicts of these kinds allow together. */
export function clearanceFor(kinds: readonly Verdict<unknown>['kind'][]): Clearance {
  if (kinds.some((kind) => kind === 'disputed' || kind === 'unknown')) return 'needsAnswer'
  return kinds.includes('proposed') ? 'needsLook' : 'mayLeaveUnseen'
}
