/**
 * What a station offers to read on its own, from the visits that persons approved on screens; and each pattern tried on
 * these visits, and on the real files of its folder. Pure.
 */
import {
  type ConfirmedProfile,
  confirmedProfileSchema,
  patternTextOf,
  type StrictPart,
} from '../../../../src-shared/confirmed-profile.ts'
import type {
  CounterExample,
  CurrentReading,
  Difference,
  Evidence,
  NotChecked,
  Offer,
  OfferPreview,
  ReadValues,
} from '../../../../src-shared/profile-offers.ts'
import { isSameId } from '../meaning/numbers.ts'
import { isSameTerm, nameTerms } from '../meaning/persons.ts'
import {
  type AlignedPath,
  type Approval,
  cellsOf,
  joinNames,
  keyOf,
  NAME_JOINTS,
  type NameJoints,
} from './align.ts'
import { mentionsIn } from '../names/mentions.ts'
import { partsOf, structureOf } from './slots.ts'
import {
  digestOf,
  type Pattern,
  readByConfirmed,
  readConfirmed,
  splitExtension,
  type StrictReading,
} from './strict.ts'

/** Learning in steps of a few milliseconds, between which a station may do something else. */
type Steps<Value> = Generator<undefined, Value>

/** `outlived`: counter-examples that no longer count. */
type Tried = Reproduction & { readonly outlived: CounterExample[] }
type Candidate = { readonly pattern: Pattern; readonly tried: Tried }

/**
 * The offers for one folder, those that can be confirmed first; one with counter-examples only shows why there is no
 * better one.
 *
 * `approvals`: visits of the folder, such as the last hundred (each takes a few milliseconds), oldest first. A visit that
 * a person corrected counts, and refuses what reads it otherwise. `files`: the paths in the folder. `confirmed`: its
 * confirmed profiles; what they read is not offered again. `drafts`: strict profiles of the folder that are not
 * confirmed, such as one that a person has marked; they are offered on the same terms.
 */
export function* learnOffers(
  approvals: readonly Approval[],
  files: readonly string[],
  confirmed: readonly ConfirmedProfile[],
  drafts: readonly Pattern[] = [],
): Steps<readonly Offer[]> {
  const isRead = (path: string): boolean => readByConfirmed(confirmed, path).kind !== 'none'
  const readable = new Set(approvals.flatMap(({ files }) => files.map(({ path }) => path)).filter(isRead))
  // What one profile reads is no evidence for another, but may contradict it.
  const unread = approvals.filter(({ files }) => files.some(({ path }) => !readable.has(path)))
  if (unread.length < NEEDED.visits) return []
  const offers: { readonly offer: Offer; readonly example: string | undefined }[] = []
  const candidates = yield* candidatesIn(approvals, unread, drafts)
  candidates.sort((one, other) => rank(one.tried, one.pattern) - rank(other.tried, other.pattern))
  for (const { pattern, tried } of candidates) {
    yield
    if ([...tried.paths].every((path) => readable.has(path))) continue
    const offer = offerOf(pattern, tried)
    if (disputesAny(offer.profile, confirmed, files)) continue
    const [example] = tried.paths
    offers.push({ offer, example })
    if (isRefused(offer)) continue
    // Those before a correction, too, which the offer does not count.
    for (const path of reproductionOf(pattern, approvals).paths) readable.add(path)
  }
  // Of several that fail for the same visits, one is enough to show it.
  const refused = offers.filter(({ offer }) => isRefused(offer))
  const shown = refused.filter(
    ({ example }, index) =>
      (example === undefined || !readable.has(example)) &&
      refused.findIndex((other) => other.example === example) === index,
  )
  return [...offers.filter(({ offer }) => !isRefused(offer)), ...shown].map(({ offer }) => offer)
}

/**
 * The patterns that enough visits support, each tried on all. One that only corrected visits contradict counts from the
 * last of them, because one slip must not refuse it for ever; but a learnt one must be what the visits since then make
 * alone, because what only earlier names have may be what the person corrected.
 */
function* candidatesIn(
  approvals: readonly Approval[],
  unread: readonly Approval[],
  drafts: readonly Pattern[],
): Steps<Candidate[]> {
  const candidates: Candidate[] = []
  const marked = new Map(drafts.map((draft) => [digestOf(draft), draft]))
  // Of all visits, and of those after a correction.
  const madeAfter = new Map([[-1, yield* patternsIn(unread)]])
  // What the visits after a correction make is added while this is walked.
  const patterns = new Map([...marked, ...(madeAfter.get(-1) ?? [])])
  for (const [digest, pattern] of patterns) {
    yield
    const reproduced = reproductionOf(pattern, unread)
    if (!isEnough(reproduced)) continue
    if (marked.has(digest) && madeAfter.get(-1)?.has(digest) !== true && leavesOut(pattern, unread)) continue
    const { counterExamples, refuses } = reproductionOf(pattern, approvals)
    const last = approvals.findLastIndex((one) => counterExamples.some(({ caseId }) => caseId === one.caseId))
    const later = unread.filter((one) => approvals.indexOf(one) > last)
    const since = reproductionOf(pattern, later)
    const mayOutlive = counterExamples.every(({ corrected }) => corrected) && isEnough(since)
    if (mayOutlive && !madeAfter.has(last)) {
      const made = [...(yield* patternsIn(later))].filter(([, one]) => isEnough(reproductionOf(one, later)))
      madeAfter.set(last, new Map(made))
      for (const [key, one] of made) patterns.set(key, one)
    }
    const isOutlived = mayOutlive && (marked.has(digest) || madeAfter.get(last)?.has(digest) === true)
    const tried = isOutlived
      ? { ...since, counterExamples: [], refuses, outlived: counterExamples }
      : { ...reproduced, counterExamples, refuses, outlived: [] }
    candidates.push({ pattern, tried })
  }
  return candidates
}

/** Does it read no eye, or no day, where nearly all names state what was approved? Confirmed, it would silence them. */
function leavesOut(pattern: Pattern, approvals: readonly Approval[]): boolean {
  const read = approvals.flatMap((approval) =>
    approval.files.flatMap(({ path, eye }) => {
      const result = readConfirmed(pattern, path)
      if (result.kind !== 'one') return []
      const { visitDate, eye: own } = result.reading
      const isDated = cellsOf(splitExtension(path).stem, approval).some(({ role }) => role === 'date')
      const isOfEye = mentionsIn(path).some((mention) => mention.eye === eye)
      return [{ day: visitDate === null && isDated, eye: own === null && isOfEye }]
    }),
  )
  return (['day', 'eye'] as const).some(
    (what) => read.filter((one) => one[what]).length * 4 > read.length * 3,
  )
}

function isRefused({ counterExamples }: Offer): boolean {
  return counterExamples.length > 0
}

/** Sound ones first, then those of more visits, then the stricter. */
function rank({ counterExamples, visits, paths }: Reproduction, { parts }: Pattern): number {
  const wide = parts.filter((part) => part.kind === 'name' && part.joint !== null).length
  return (counterExamples.length > 0 ? 1e9 : 0) - visits.length * 1e4 - paths.size + wide
}

function offerOf(pattern: Pattern, tried: Tried): Offer {
  const { parts, extensions } = pattern
  const key = digestOf(pattern).slice(0, 16)
  const profile = { id: `names-${key}`, parts, extensions, confirmed: null, proposes: false }
  return {
    key,
    pattern: patternTextOf(profile),
    profile,
    evidence: evidenceOf(tried),
    notChecked: notCheckedIn(parts),
    counterExamples: tried.counterExamples,
    refuses: tried.refuses,
    outlived: tried.outlived,
  }
}

/** What a pattern has no part for. */
function notCheckedIn(parts: readonly StrictPart[]): NotChecked[] {
  const names = parts.filter((part) => part.kind === 'name')
  const dates = parts
    .flatMap((part) => (part.kind === 'date' && part.of === 'visit' ? [part.format] : []))
    .join(' ')
  const found: readonly (NotChecked | false)[] = [
    !['Y', 'M', 'D'].every((group) => dates.includes(group)) && 'visitDate',
    !parts.some(({ kind }) => kind === 'eye') && 'eye',
    names.length === 0 && 'name',
    names.length > 0 && names.every(({ of }) => of === 'unchecked') && 'nameUncompared',
  ]
  return found.filter((one) => one !== false)
}

function disputesAny(
  profile: ConfirmedProfile,
  confirmed: readonly ConfirmedProfile[],
  files: readonly string[],
): boolean {
  return files.some(
    (path) =>
      readByConfirmed(confirmed, path).kind === 'proven' &&
      readByConfirmed([...confirmed, profile], path).kind === 'disputed',
  )
}

/** Every pattern that a group of alike paths makes, by its digest; corrected visits help only if there are too few others. */
function* patternsIn(approvals: readonly Approval[]): Steps<ReadonlyMap<string, Pattern>> {
  const found = new Map<string, Pattern>()
  const paths: AlignedPath[] = []
  for (const approval of approvals) {
    yield
    paths.push(...alignedPaths(approval))
  }
  const uncorrected = paths.filter(({ approval }) => !approval.corrected)
  for (const some of uncorrected.length < paths.length ? [uncorrected, paths] : [paths])
    for (const joints of Object.keys(NAME_JOINTS) as NameJoints[]) {
      const joined = some.map((path) => ({ ...path, cells: joinNames(path.cells, joints) }))
      for (const group of Map.groupBy(joined, keyOf).values()) {
        yield
        for (const pattern of patternsOf(group)) found.set(digestOf(pattern), pattern)
      }
    }
  return found
}

/** The paths of the images of an approved visit that hold its number. */
function alignedPaths(approval: Approval): readonly AlignedPath[] {
  return approval.files.flatMap(({ path, eye }) => {
    const { stem, extension } = splitExtension(path.normalize('NFC'))
    const cells = extension === null ? [] : cellsOf(stem, approval)
    const isOfNumber = cells.some(({ role }) => role === 'id')
    return extension !== null && isOfNumber ? [{ approval, eye, extension, cells }] : []
  })
}

/** A pattern that a person has marked, as an offer. It needs no evidence, because it only proposes. */
export function offerOfDraft(pattern: Pattern, approvals: readonly Approval[]): Offer {
  return offerOf(pattern, { ...reproductionOf(pattern, approvals), outlived: [] })
}

/** Enough visits to type the slots; the whole evidence is counted when the pattern is tried. */
const MIN_VISITS = 5

/** The patterns of paths that lie on one another: one of all, or one for each structure. */
export function patternsOf(group: readonly AlignedPath[], fewestVisits = MIN_VISITS): readonly Pattern[] {
  const whole = patternOf(group, fewestVisits)
  if (whole !== null) return [whole]
  return [...Map.groupBy(group, structureOf).values()].flatMap(
    (alike) => patternOf(alike, fewestVisits) ?? [],
  )
}

function patternOf(group: readonly AlignedPath[], fewestVisits: number): Pattern | null {
  if (new Set(group.map(({ approval }) => approval.caseId)).size < fewestVisits) return null
  const parts = partsOf(group)
  if (parts === null) return null
  const extensions = [...new Set(group.map(({ extension }) => extension))].toSorted()
  const parsed = confirmedProfileSchema.safeParse({ id: 'candidate', parts, extensions })
  return parsed.success ? { parts: parsed.data.parts, extensions: parsed.data.extensions } : null
}

type Reproduction = ReturnType<typeof reproductionOf>

/** What a pattern reads as persons approved it, and what otherwise. */
export function reproductionOf(pattern: Pattern, approvals: readonly Approval[]) {
  /** The visits of which it reads at least one path, and all that it reads as approved. */
  const visits: Approval[] = []
  /** The paths that it reads as approved. */
  const paths = new Set<string>()
  const counterExamples: CounterExample[] = []
  /** Paths of corrected visits that it does not read: it does not repeat what was wrong there. */
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
    (isOtherName(lastName, approval.lastName) ||
      isOtherName(firstName, approval.firstName) ||
      isOtherName(name, whole)) &&
      'name',
  ]
  return found.filter((one) => one !== false)
}

/** A name that shares no word, and no initial of one, with the approved name. */
function isOtherName(read: string | null, approved: string | null): boolean {
  if (read === null || approved === null || approved === '') return false
  return !nameTerms(read).some((one) => nameTerms(approved).some((other) => isSameTerm(one, other)))
}

/** What a pattern has to have read as approved before it is offered. */
const NEEDED: Evidence = { visits: 8, patients: 5, days: 2, rightImages: 1, leftImages: 1 }

function evidenceOf({ visits, paths }: Pick<Reproduction, 'visits' | 'paths'>): Evidence {
  const files = visits.flatMap((visit) => visit.files.filter(({ path }) => paths.has(path)))
  return {
    visits: visits.length,
    patients: new Set(visits.map(({ patient }) => patient)).size,
    days: new Set(visits.map(({ visitDay }) => visitDay)).size,
    rightImages: files.filter(({ eye }) => eye === 'right').length,
    leftImages: files.filter(({ eye }) => eye === 'left').length,
  }
}

export function isEnough(reproduced: Pick<Reproduction, 'visits' | 'paths'>): boolean {
  const found = evidenceOf(reproduced)
  return (Object.keys(NEEDED) as (keyof Evidence)[]).every((what) => found[what] >= NEEDED[what])
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
      const { historyNumber, visitDate, eye, name, time } = result.reading
      const now: ReadValues = {
        historyNumber: historyNumber.value,
        visitDate: visitDate?.value ?? null,
        eye: eye?.value ?? null,
        name,
        time,
      }
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
