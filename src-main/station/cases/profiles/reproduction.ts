/** Tries a pattern: on the visits that persons approved, and on the real files of its folder. Pure. */
import type { ConfirmedProfile } from '../../../../src-shared/confirmed-profile.ts'
import type {
  CounterExample,
  CurrentReading,
  Difference,
  Evidence,
  OfferPreview,
  ReadValues,
} from '../../../../src-shared/profile-offers.ts'
import { isSameId } from '../meaning/numbers.ts'
import { isSameTerm, nameTerms } from '../meaning/persons.ts'
import type { Approval } from './align.ts'
import { readConfirmed, splitExtension, type StrictReading } from './strict.ts'

export type Pattern = Pick<ConfirmedProfile, 'parts' | 'extensions'>

export type Reproduction = {
  /** The visits of which the pattern reads at least one path, and all that it reads as approved. */
  readonly visits: readonly Approval[]
  /** The paths that it reads as approved. */
  readonly paths: ReadonlySet<string>
  readonly counterExamples: CounterExample[]
  /** Paths of corrected visits that it does not read: it does not repeat what was wrong there. */
  readonly refuses: string[]
}

/** What a pattern reads as persons approved it, and what otherwise. */
export function reproductionOf(pattern: Pattern, approvals: readonly Approval[]): Reproduction {
  const visits: Approval[] = []
  const paths = new Set<string>()
  const counterExamples: CounterExample[] = []
  const refuses: string[] = []
  for (const approval of approvals) {
    const { caseId, corrected } = approval
    const read = approval.files.map(({ path, eye }) => {
      const result = readConfirmed(pattern, path)
      return { path, differs: result.kind === 'one' ? differencesFrom(result.reading, approval, eye) : null }
    })
    const wrong = read.flatMap(({ path, differs }) => (differs?.length ? [{ path, differs }] : []))
    const agreeing = read.filter(({ differs }) => differs?.length === 0)
    counterExamples.push(...wrong.map((one) => ({ caseId, ...one, corrected })))
    if (corrected) refuses.push(...read.flatMap(({ path, differs }) => (differs === null ? path : [])))
    if (agreeing.length === 0 || wrong.length > 0) continue
    visits.push(approval)
    for (const { path } of agreeing) paths.add(path)
  }
  return { visits, paths, counterExamples, refuses }
}

/** What a reading says otherwise than the person; what the pattern lacks is no difference. */
function differencesFrom(
  { historyNumber, visitDate, eye, lastName, firstName, name }: StrictReading,
  approval: Approval,
  approvedEye: Approval['files'][number]['eye'],
): Difference[] {
  const whole = [approval.lastName, approval.firstName].filter((part) => part !== null).join(' ')
  const found: readonly (Difference | false)[] = [
    !isSameId(historyNumber.value, approval.historyNumber) && 'historyNumber',
    visitDate !== null && visitDate.value !== approval.visitDay && 'visitDate',
    eye !== null && eye.value !== approvedEye && 'eye',
    (isOtherName(lastName?.value, approval.lastName) ||
      isOtherName(firstName?.value, approval.firstName) ||
      isOtherName(name?.value, whole)) &&
      'name',
  ]
  return found.filter((one) => one !== false)
}

/** A name that shares no word, and no initial of one, with the approved name. */
function isOtherName(read: string | undefined, approved: string | null): boolean {
  if (read === undefined || approved === null || approved === '') return false
  return !nameTerms(read).some((one) => nameTerms(approved).some((other) => isSameTerm(one, other)))
}

/** What a pattern has to have read as approved before it is offered. */
export const NEEDED = { visits: 8, patients: 5, days: 2 } as const

export function evidenceOf({ visits, paths }: Pick<Reproduction, 'visits' | 'paths'>): Evidence {
  const files = visits.flatMap((visit) => visit.files.filter(({ path }) => paths.has(path)))
  return {
    visits: visits.length,
    patients: new Set(visits.map(({ patient }) => patient)).size,
    days: new Set(visits.map(({ visitDay }) => visitDay)).size,
    rightImages: files.filter(({ eye }) => eye === 'right').length,
    leftImages: files.filter(({ eye }) => eye === 'left').length,
  }
}

/** Eight visits of five patients on two days, with both eyes. */
export function isEnough(reproduced: Pick<Reproduction, 'visits' | 'paths'>): boolean {
  const { visits, patients, days, rightImages, leftImages } = evidenceOf(reproduced)
  return (
    visits >= NEEDED.visits &&
    patients >= NEEDED.patients &&
    days >= NEEDED.days &&
    rightImages > 0 &&
    leftImages > 0
  )
}

/** A reading without what it comes from. */
export function valuesOf({ historyNumber, visitDate, eye, name, time }: StrictReading): ReadValues {
  return {
    historyNumber: historyNumber.value,
    visitDate: visitDate?.value ?? null,
    eye: eye?.value ?? null,
    name: name?.value ?? null,
    time: time?.value ?? null,
  }
}

/**
 * What a pattern would do with these files. `paths`: of the folder, newest first; files that are no images are left
 * out. `currentReadings`: what the station holds of them today, by path.
 */
export function previewOf(
  pattern: Pattern,
  paths: readonly string[],
  currentReadings: ReadonlyMap<string, CurrentReading>,
): OfferPreview {
  const preview: OfferPreview = { matching: [], notMatching: [], unclear: [], different: [] }
  for (const path of paths) {
    if (splitExtension(path).extension === null) continue
    const result = readConfirmed(pattern, path)
    if (result.kind === 'none') preview.notMatching.push(path)
    else if (result.kind === 'several') preview.unclear.push(path)
    else {
      const now = valuesOf(result.reading)
      preview.matching.push({ path, reading: now })
      const before = currentReadings.get(path)
      const differs = before ? differencesOf(before, now) : []
      if (before && differs.length > 0) preview.different.push({ path, differs, before, now })
    }
  }
  return preview
}

/** What was unknown before, or is in no part of the pattern, is no difference. */
function differencesOf(before: CurrentReading, now: ReadValues): Difference[] {
  const isOther = (what: 'historyNumber' | 'visitDate' | 'eye'): boolean => {
    const [one, other] = [before[what], now[what]]
    return one !== null && one !== 'unknown' && other !== null && one.toLowerCase() !== other.toLowerCase()
  }
  return (['historyNumber', 'visitDate', 'eye'] as const).filter(isOther)
}
