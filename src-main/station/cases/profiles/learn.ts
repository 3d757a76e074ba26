/** What a station offers to read on its own, from the visits that persons approved on screens. Pure. */
import {
  type ConfirmedProfile,
  confirmedProfileSchema,
  patternTextOf,
  type StrictPart,
} from '../../../../src-shared/confirmed-profile.ts'
import type { NotChecked, Offer } from '../../../../src-shared/profile-offers.ts'
import { type AlignedPath, alignPath, type Approval, keyOf, NAME_JOINTS, type NameJoints } from './align.ts'
import { digestOf } from './confirmation.ts'
import { valuesOf } from './preview.ts'
import { partsOf, structureOf } from './slots.ts'
import { readByConfirmed, readConfirmed } from './strict.ts'
import { evidenceOf, isEnough, type Pattern, type Reproduction, reproductionOf } from './reproduction.ts'

/**
 * The offers for one folder, those that can be confirmed first; one with counter-examples only shows why there is no
 * better one.
 *
 * `approvals`: visits of the folder, such as the last hundred (each takes a few milliseconds); those by scripts are
 * skipped. A visit that a person corrected counts, and refuses what reads it otherwise. `files`: the paths in the
 * folder. `confirmed`: its confirmed profiles; what they read is not offered again. `drafts`: strict profiles of
 * the folder that are not confirmed, such as one that a person has marked; they are offered on the same terms.
 */
export function learnOffers(
  approvals: readonly Approval[],
  files: readonly string[],
  confirmed: readonly ConfirmedProfile[],
  drafts: readonly Pattern[] = [],
): readonly Offer[] {
  return finish(learning(approvals, files, confirmed, drafts))
}

/** Learning in steps of a few milliseconds, between which a station may do something else. */
type Steps<Value> = Generator<undefined, Value>

function finish<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

type Learnt = Required<Parameters<typeof learnOffers>>

function* learning(...[approvals, files, confirmed, drafts]: Learnt): Steps<readonly Offer[]> {
  const seen = approvals.filter(({ isScript }) => !isScript)
  // What one profile reads is no evidence for another, but may contradict it.
  const unread = seen.filter(({ files }) =>
    files.some(({ path }) => readByConfirmed(confirmed, path).kind === 'none'),
  )
  const readable = new Set(pathsReadBy(confirmed, seen))
  const offers: Offer[] = []
  const candidates: { readonly pattern: Pattern; readonly reproduced: Reproduction }[] = []
  for (const pattern of [...drafts, ...(yield* candidatesOf(unread))]) {
    yield
    const reproduced = reproductionOf(pattern, unread)
    if (isEnough(evidenceOf(reproduced))) candidates.push({ pattern, reproduced })
  }
  candidates.sort((one, other) => rank(one.reproduced, one.pattern) - rank(other.reproduced, other.pattern))
  for (const { pattern, reproduced } of candidates) {
    yield
    if ([...reproduced.paths].every((path) => readable.has(path))) continue
    const whole = reproductionOf(pattern, seen)
    const profile = { ...pattern, id: idFor(pattern), confirmed: null, proposes: false }
    if (disputesAny(profile, confirmed, files)) continue
    const { counterExamples, refuses } = whole
    const offered = { ...reproduced, counterExamples, refuses }
    offers.push(offerOf(profile, offered, files))
    if (counterExamples.length === 0) for (const path of reproduced.paths) readable.add(path)
  }
  const confirmable = offers.filter((offer) => !isRefused(offer))
  // Of several that fail for the same visits, one is enough to show it.
  const refused = offers.filter(isRefused).filter(({ examples }, index, all) => {
    const [example] = examples
    const isShown = example !== undefined && readable.has(example.path)
    return !isShown && all.findIndex((other) => other.examples[0]?.path === example?.path) === index
  })
  return [...confirmable, ...refused]
}

/**
 * The offers as `learnOffers` finds them; a pattern that only corrected visits contradict counts from the last of them,
 * because one slip must not refuse it for ever. What a person corrected before is listed with it. `approvals`: oldest
 * first.
 */
export function* offersSinceCorrection(...[approvals, ...more]: Learnt): Steps<readonly Offer[]> {
  const all = yield* learning(approvals, ...more)
  const last = approvals.findLastIndex(({ corrected, isScript }) => corrected && !isScript)
  if (last === -1 || !all.some(isRefused)) return all
  const before = approvals.slice(0, last + 1).filter(({ isScript }) => !isScript)
  const sound = all.filter((offer) => !isRefused(offer))
  const learntSince = yield* learning(approvals.slice(last + 1), ...more)
  const since = learntSince.flatMap((offer) => {
    const { counterExamples, refuses } = reproductionOf(offer.profile, before)
    const isOutlived = !isRefused(offer) && counterExamples.every(({ corrected }) => corrected)
    const isKnown = sound.some(({ key }) => key === offer.key)
    return isOutlived && !isKnown
      ? [{ ...offer, outlived: counterExamples, refuses: [...offer.refuses, ...refuses] }]
      : []
  })
  const offered = [...sound, ...since]
  const profiles = offered.map(({ profile }) => profile)
  const isOffered = ({ examples }: Offer): boolean =>
    examples.some(({ path }) => readByConfirmed(profiles, path).kind !== 'none')
  return [...offered, ...all.filter((offer) => isRefused(offer) && !isOffered(offer))]
}

function isRefused({ counterExamples }: Offer): boolean {
  return counterExamples.length > 0
}

/** Sound ones first, then those of more visits, then the stricter. */
function rank({ counterExamples, visits, paths }: Reproduction, { parts }: Pattern): number {
  const wide = parts.filter((part) => part.kind === 'name' && part.joint !== null).length
  return (counterExamples.length > 0 ? 1e9 : 0) - visits.length * 1e4 - paths.size + wide
}

function keyFor(pattern: Pattern): string {
  return digestOf(pattern).slice(0, 16)
}

function idFor(pattern: Pattern): string {
  return `names-${keyFor(pattern)}`
}

const MAX_EXAMPLES = 8

function offerOf(profile: ConfirmedProfile, reproduced: Reproduction, files: readonly string[]): Offer {
  return {
    key: keyFor(profile),
    pattern: patternTextOf(profile),
    profile: { ...profile, confirmed: null, proposes: false },
    evidence: evidenceOf(reproduced),
    examples: [...reproduced.paths].slice(0, MAX_EXAMPLES).flatMap((path) => {
      const result = readConfirmed(profile, path)
      return result.kind === 'one' ? [{ path, reading: valuesOf(result.reading) }] : []
    }),
    notChecked: notCheckedIn(profile.parts),
    counterExamples: reproduced.counterExamples,
    refuses: reproduced.refuses,
    outlived: [],
    fileCount: files.filter((path) => readConfirmed(profile, path).kind === 'one').length,
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

function pathsReadBy(
  confirmed: readonly ConfirmedProfile[],
  approvals: readonly Approval[],
): readonly string[] {
  return approvals
    .flatMap(({ files }) => files.map(({ path }) => path))
    .filter((path) => readByConfirmed(confirmed, path).kind !== 'none')
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

/** Every pattern that a group of alike paths makes; corrected visits help only if there are too few others. */
function* candidatesOf(approvals: readonly Approval[]): Steps<readonly Pattern[]> {
  const found = new Map<string, Pattern>()
  const uncorrected = approvals.filter(({ corrected }) => !corrected)
  for (const some of uncorrected.length < approvals.length ? [uncorrected, approvals] : [approvals])
    for (const joints of Object.keys(NAME_JOINTS) as NameJoints[]) {
      const aligned: AlignedPath[] = []
      for (const approval of some) {
        yield
        aligned.push(...approval.files.flatMap((file) => alignPath(approval, file, joints) ?? []))
      }
      for (const group of Map.groupBy(aligned, keyOf).values()) {
        yield
        for (const pattern of patternsOf(group)) found.set(digestOf(pattern), pattern)
      }
    }
  return [...found.values()]
}

/**
 * A pattern that a person has marked, as an offer: it shows what it reads, and what persons approved otherwise. It needs no
 * evidence, because it only proposes.
 */
export function offerOfDraft(
  pattern: Pattern,
  approvals: readonly Approval[],
  files: readonly string[],
): Offer {
  const seen = approvals.filter(({ isScript }) => !isScript)
  const profile = { ...pattern, id: idFor(pattern), confirmed: null, proposes: true }
  return offerOf(profile, reproductionOf(pattern, seen), files)
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
