/**
 * How much a clinic that names its files well need not look at, once it has confirmed the profile that the station
 * offered. A person approves the first visits one by one; two in a hundred approvals correct the proposal, because the
 * photographer had the wrong eye set. Then the offer is taken, and what leaves unseen is counted.
 */
import type { Convention, Kind } from './convention.ts'
import { drawClinic } from './clinic.ts'
import { withDeviations } from './deviations.ts'
import { Draw, seedOf } from './draw.ts'
import {
  approve,
  beginExamination,
  conclude,
  correctionsOf,
  type Examination,
  observe,
  type OpenForReader,
} from './examine.ts'
import type { VisitScore } from './score.ts'
import type { Corrections, ExaminedCase } from './station.ts'
import { type Certainty, type Clinic, type PictureTruth, QUIET_MS } from './world.ts'

/** If no profile is offered within so many visits, the clinic goes on without one. */
const MOST_LEARNT = 40
const MEASURED = 60
export const HANDS_FREE_VISITS = MOST_LEARNT + MEASURED
const CORRECTED = 0.02
const DEVIATING = 0.1
const PAUSE_MS = QUIET_MS + 20_000

export type HandsFreeRow = {
  readonly convention: string
  readonly kind: Kind
  clinics: number
  /** Clinics to which a profile was offered in time. */
  offered: number
  /** Visits up to the confirmation, of the clinics with an offer. */
  learnt: number
  /** Visits after the confirmation, or after the last one by which it should have come. */
  measured: number
  unseen: number
}

export type HandsFreeClinic = {
  readonly clinic: Clinic
  readonly visits: readonly VisitScore[]
  /** The first visit after the confirmation; null if nothing was offered. */
  readonly firstMeasured: number | null
  /** Visits in which something went wrong after the profile was learnt: they may not leave unseen. */
  readonly deviating: ReadonlySet<number>
}

/** Draws a clinic whose visits do not overlap, lets a person teach the station, and scores all visits. */
export async function examineHandsFree(
  convention: Convention,
  runSeed: number,
  number: number,
  openFor: OpenForReader,
): Promise<HandsFreeClinic> {
  const drawn = drawClinic(convention, seedOf(runSeed, 7_919), number, {
    count: HANDS_FREE_VISITS,
  })
  const person = new Draw(seedOf(drawn.seed, 2))
  const {
    clinic: disturbed,
    deviating,
    ofOtherLength,
  } = withDeviations(drawn, person, MOST_LEARNT, DEVIATING)
  const pictures = new Map(disturbed.pictures)
  const clinic: Clinic = { ...disturbed, attendance: 'approves', pictures }
  const examination = beginExamination(clinic, await openFor(clinic))
  let firstMeasured: number | null = null
  let lastMs = Number.POSITIVE_INFINITY
  const pause = async (nowMs: number): Promise<void> => {
    examination.station.advance(nowMs)
    observe(examination)
    await approveAll(examination, pictures, firstMeasured === null ? person : null)
    const begun = clinic.visits.findLastIndex(({ startMs }) => startMs <= lastMs) + 1
    if (firstMeasured === null && begun > MOST_LEARNT) return
    for (const offer of await examination.station.offers()) {
      await examination.station.confirm(offer.key)
      examination.hasProfile = true
      if (firstMeasured !== null) acceptLengths(clinic, pictures, ofOtherLength, begun)
      firstMeasured ??= begun
    }
  }
  for (const event of clinic.events) {
    if (event.atMs - lastMs > PAUSE_MS) await pause(event.atMs - 1)
    else examination.station.advance(event.atMs)
    await examination.station.arrive(event)
    lastMs = event.atMs
  }
  await pause(lastMs + QUIET_MS * 2)
  conclude(examination)
  return { clinic, visits: examination.visits, firstMeasured, deviating }
}

/** So many approved numbers of another length, and the person confirms that the clinic gives such ones, too. */
const MIN_OF_LENGTH = 3

/** With a further confirmation, the lengths of the numbers before it are known; of a mistyped one nothing shows it. */
function acceptLengths(
  { visits }: Clinic,
  pictures: Map<string, PictureTruth>,
  ofOtherLength: ReadonlySet<number>,
  from: number,
): void {
  const lengthOf = (visit: number): number => visits[visit]?.person.id.length ?? 0
  const lengths = [...ofOtherLength].filter((visit) => visit < from).map(lengthOf)
  const accepted = lengths.filter((length) => lengths.filter((one) => one === length).length >= MIN_OF_LENGTH)
  for (const truth of pictures.values()) {
    if (truth.visit < from || !ofOtherLength.has(truth.visit)) continue
    if (accepted.includes(lengthOf(truth.visit)))
      pictures.set(truth.bytes, { ...truth, facts: { ...truth.facts, who: 'read' } })
  }
}

/** `person` errs now and then while the station learns; null does not. */
async function approveAll(
  examination: Examination,
  pictures: Map<string, PictureTruth>,
  person: Draw | null,
): Promise<void> {
  for (const examined of examination.station.cases()) {
    if (examined.state !== 'review' && examined.state !== 'incomplete') continue
    const corrections = correctionsOf(examination.clinic, examined)
    if (corrections === 'two patients') continue
    const isCorrected = person !== null && person.chance(CORRECTED)
    await approve(
      examination,
      examined,
      isCorrected ? otherEye(examined, pictures, corrections) : corrections,
    )
  }
}

/** The photographer says that the camera was set to the wrong eye, and it is so. */
function otherEye(
  { pictures: [shown] }: ExaminedCase,
  pictures: Map<string, PictureTruth>,
  corrections: Corrections | null,
): Corrections | null {
  const truth = shown && pictures.get(shown.bytes)
  if (truth === undefined) return corrections
  const eye = truth.eye === 'right' ? 'left' : 'right'
  pictures.set(truth.bytes, { ...truth, eye })
  return { ...corrections, eyes: { ...corrections?.eyes, [truth.bytes]: eye } }
}

/** With a profile, a letter without its counterpart is read, too. */
const LEGIBLE: readonly Certainty[] = ['proof', 'read', 'alone']

/** Adds a clinic to the row of its convention, which is of this kind. */
export function addHandsFree(
  rows: Map<string, HandsFreeRow>,
  kind: Kind,
  { clinic, visits, firstMeasured, deviating }: HandsFreeClinic,
): void {
  const { convention } = clinic
  const row = rows.get(convention) ?? {
    convention,
    kind,
    clinics: 0,
    offered: 0,
    learnt: 0,
    measured: 0,
    unseen: 0,
  }
  rows.set(convention, row)
  row.clinics += 1
  if (firstMeasured !== null) {
    row.offered += 1
    row.learnt += firstMeasured
  }
  const unreadable = new Set(
    [...clinic.pictures.values()].flatMap(({ visit, facts: { who, day, eye } }) =>
      [who, day, eye].every((fact) => LEGIBLE.includes(fact)) ? [] : [visit],
    ),
  )
  for (const [index, { outcomes }] of visits.entries()) {
    if (index < (firstMeasured ?? MOST_LEARNT) || deviating.has(index) || unreadable.has(index)) continue
    if (outcomes.has('looked at for one eye')) continue
    row.measured += 1
    if (outcomes.has('hands-free')) row.unseen += 1
  }
}
