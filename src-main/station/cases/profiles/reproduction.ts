/** Tries a pattern on the visits that persons approved: what it reads as they said, and what otherwise. Pure. */
import type { ConfirmedProfile } from '../../../../src-shared/confirmed-profile.ts'
import type { CounterExample, Difference, Evidence } from '../../../../src-shared/profile-offers.ts'
import { isSameId } from '../meaning/numbers.ts'
import { isSameTerm, nameTerms } from '../meaning/persons.ts'
import type { Approval } from './align.ts'
import { readConfirmed, type StrictReading } from './strict.ts'

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

/** Approvals by scripts are no evidence and must be left out by the caller. */
export function reproductionOf(pattern: Pattern, approvals: readonly Approval[]): Reproduction {
  const visits: Approval[] = []
  const paths = new Set<string>()
  const counterExamples: CounterExample[] = []
  const refuses: string[] = []
  for (const approval of approvals) {
    const { caseId, corrected } = approval
    const agreeing: string[] = []
    let isContradicted = false
    for (const file of approval.files) {
      const result = readConfirmed(pattern, file.path)
      if (result.kind !== 'one') {
        if (corrected) refuses.push(file.path)
        continue
      }
      const differs = differencesFrom(result.reading, approval, file.eye)
      if (differs.length === 0) {
        agreeing.push(file.path)
        continue
      }
      isContradicted = true
      counterExamples.push({ caseId, path: file.path, differs, corrected })
    }
    if (agreeing.length === 0 || isContradicted) continue
    visits.push(approval)
    for (const path of agreeing) paths.add(path)
  }
  return { visits, paths, counterExamples, refuses }
}

/** What a reading says otherwise than the person; what the pattern lacks is no difference. */
function differencesFrom(
  reading: StrictReading,
  approval: Approval,
  eye: Approval['files'][number]['eye'],
): Difference[] {
  const isOtherDay = reading.visitDate !== null && reading.visitDate.value !== approval.visitDay
  const found: readonly (Difference | null)[] = [
    isSameId(reading.historyNumber.value, approval.historyNumber) ? null : 'historyNumber',
    isOtherDay ? 'visitDate' : null,
    reading.eye !== null && reading.eye.value !== eye ? 'eye' : null,
    isOtherName(reading, approval) ? 'name' : null,
  ]
  return found.filter((one) => one !== null)
}

/** A name that shares no word, and no initial of one, with the approved name. */
function isOtherName({ lastName, firstName, name }: StrictReading, approval: Approval): boolean {
  const whole = [approval.lastName, approval.firstName].filter((part) => part !== null).join(' ')
  return (
    isOther(lastName?.value, approval.lastName) ||
    isOther(firstName?.value, approval.firstName) ||
    isOther(name?.value, whole)
  )
}

function isOther(read: string | undefined, approved: string | null): boolean {
  return (
    read !== undefined &&
    approved !== null &&
    approved !== '' &&
    !nameTerms(read).some((one) => nameTerms(approved).some((other) => isSameTerm(one, other)))
  )
}

const NEEDED = { visits: 8, patients: 5, days: 2 } as const

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
export function isEnough({ visits, patients, days, rightImages, leftImages }: Evidence): boolean {
  return (
    visits >= NEEDED.visits &&
    patients >= NEEDED.patients &&
    days >= NEEDED.days &&
    rightImages > 0 &&
    leftImages > 0
  )
}
