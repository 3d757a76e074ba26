/** Counts the outcomes of visits, per convention and kind, with one example of each. */
import type { Fault } from './faults.ts'
import type { Convention, HandsFree, Kind } from './convention.ts'
import type { ExaminedCase } from './station.ts'
import type { Clinic, PictureTruth } from './world.ts'

/** What can happen to a visit; several may. */
export const OUTCOMES = [
  'sent unseen: wrong eye',
  'sent unseen: wrong patient',
  'sent unseen: mixed patients',
  'sent unseen: wrong day',
  'sent unseen: unproven',
  'proposed: wrong eye',
  'proposed: wrong patient',
  'proposed: mixed patients',
  'proposed: wrong day',
  'asked, prefilled wrongly',
  'lost',
  'contradiction not raised',
  'asked though read',
  'asked',
  'reviewed',
  // Several images of one eye, where both are normal: looking is right, so no measure of convenience counts it.
  'looked at for one eye',
  'hands-free',
  'hands-free today',
  'unknowable',
  'split',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export const sentOutcome = (fault: Fault): Outcome => `sent unseen: ${fault}`
export const proposedOutcome = (fault: Exclude<Fault, 'unproven'>): Outcome => `proposed: ${fault}`

/** What must never happen, in no convention. */
export const HARD: readonly Outcome[] = OUTCOMES.filter(
  (outcome) =>
    outcome.startsWith('sent unseen') || outcome === 'lost' || outcome === 'contradiction not raised',
)
export const PROPOSED: readonly Outcome[] = OUTCOMES.filter((outcome) => outcome.startsWith('proposed'))

export type Example = {
  readonly outcome: Outcome
  readonly convention: string
  readonly seed: number
  /** The visit's number in the run: with the seed it makes the visit again. */
  readonly visit: number
  readonly paths: readonly string[]
  readonly station: string
  readonly truth: string
}

export type Row = {
  readonly convention: string
  readonly kind: Kind
  readonly handsFree: HandsFree
  visits: number
  /** Visits of the day on which their files arrived: only these have to leave unseen, and must not be asked about. */
  ofToday: number
  /** Visits with any wrong proposal, each once. */
  proposedWrongly: number
  readonly counts: Record<Outcome, number>
  /** The first of each outcome that needs one. */
  readonly examples: Map<Outcome, Example>
}

/** What one visit came to. */
export type VisitScore = { readonly outcomes: Set<Outcome>; readonly evidence: Map<Outcome, Evidence> }

export type Evidence = { readonly examined: ExaminedCase | null; readonly truth: PictureTruth }

export class Scores {
  readonly rows = new Map<string, Row>()
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  /** `firstVisit` is the run's number of the clinic's first visit. */
  add(convention: Convention, clinic: Clinic, firstVisit: number, visits: readonly VisitScore[]): void {
    const row = this.#rowOf(convention)
    for (const [index, { outcomes, evidence }] of visits.entries()) {
      row.visits += 1
      if (clinic.visits[index]?.isOfToday === true) row.ofToday += 1
      if (PROPOSED.some((outcome) => outcomes.has(outcome))) row.proposedWrongly += 1
      for (const outcome of outcomes) {
        row.counts[outcome] += 1
        const found = evidence.get(outcome)
        if (found !== undefined && !row.examples.has(outcome))
          row.examples.set(outcome, exampleOf(outcome, clinic, this.#seed, firstVisit + index, found))
      }
    }
  }

  /** A clinic of the hands-free measurement: only what left unseen and what was lost counts here. */
  addUnseen(convention: Convention, clinic: Clinic, firstVisit: number, visits: readonly VisitScore[]): void {
    const row = this.#rowOf(convention)
    for (const [index, { outcomes, evidence }] of visits.entries())
      for (const outcome of HARD) {
        if (!outcomes.has(outcome)) continue
        row.counts[outcome] += 1
        const found = evidence.get(outcome)
        if (found !== undefined && !row.examples.has(outcome))
          row.examples.set(outcome, exampleOf(outcome, clinic, this.#seed, firstVisit + index, found))
      }
  }

  /** Of all conventions, or of some. */
  total(
    isIncluded: (row: Row) => boolean = () => true,
  ): Pick<Row, 'visits' | 'ofToday' | 'proposedWrongly' | 'counts'> {
    const sum = { visits: 0, ofToday: 0, proposedWrongly: 0, counts: noCounts() }
    for (const row of this.rows.values())
      if (isIncluded(row)) {
        sum.visits += row.visits
        sum.ofToday += row.ofToday
        sum.proposedWrongly += row.proposedWrongly
        for (const outcome of OUTCOMES) sum.counts[outcome] += row.counts[outcome]
      }
    return sum
  }

  #rowOf({ name, kind, handsFree }: Convention): Row {
    const known = this.rows.get(name)
    if (known !== undefined) return known
    const row: Row = {
      convention: name,
      kind,
      handsFree,
      visits: 0,
      ofToday: 0,
      proposedWrongly: 0,
      counts: noCounts(),
      examples: new Map(),
    }
    this.rows.set(name, row)
    return row
  }
}

function noCounts(): Record<Outcome, number> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>
}

const MOST_PATHS = 8

function exampleOf(
  outcome: Outcome,
  clinic: Clinic,
  seed: number,
  visit: number,
  { examined, truth }: Evidence,
): Example {
  const { person, day } = clinic.visits[truth.visit]!
  const { who, day: dayFact, eye } = truth.facts
  const paths =
    examined?.pictures.map(({ path, eye }) => `${path} as ${eye}`) ??
    clinic.events.filter(({ path }) => path === truth.path).map(({ path }) => path)
  return {
    outcome,
    convention: clinic.convention,
    seed,
    visit,
    paths: paths.slice(0, MOST_PATHS),
    station: examined === null ? 'in no case and no note' : describeCase(examined),
    truth: `${truth.path} is the ${truth.eye} eye (${eye}) of ${person.id} ${person.last} ${person.first} (${who}) on ${day} (${dayFact})`,
  }
}

function describeCase(examined: ExaminedCase): string {
  const { state, historyNumber, lastName, firstName, visitDate, reasons } = examined
  const asked = reasons.map(({ kind, text }) => (text === '' ? kind : `${kind} (${text})`)).join(', ')
  const fields = [historyNumber, lastName, firstName, visitDate].map((field) => field ?? '-').join(' ')
  return `${state}: ${fields}${asked === '' ? '' : `; asks ${asked}`}`
}
