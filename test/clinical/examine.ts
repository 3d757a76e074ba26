/**
 * Lets a station read a clinic and scores every visit. Whenever nothing has arrived for longer than the quiet time, the
 * examiner looks at the cases as a person at the screen would, and does what the clinic's person does.
 */
import { type Fault, faultsOf, isAskedAbout, isNameOf, isNumberOf, truthsOf } from './faults.ts'
import { type Evidence, type Outcome, proposedOutcome, sentOutcome, type VisitScore } from './score.ts'
import type { Corrections, ExaminedCase, ExaminedStation } from './station.ts'
import { type Certainty, type Clinic, type Eye, type PictureTruth, QUIET_MS } from './world.ts'

/** Longer than the quiet time by what settling and sweeping take. */
const PAUSE_MS = QUIET_MS + 20_000
const AT_THE_END_MS = 3_600_000

export type Examination = {
  readonly clinic: Clinic
  readonly station: ExaminedStation
  readonly visits: readonly VisitScore[]
  /** The cases that a person has approved, with the pictures that were in them. */
  readonly approved: Map<string, ReadonlySet<string>>
  /** The last question about a visit that a person had to answer before going on. */
  readonly answered: Map<number, ExaminedCase>
  /** Cases that were scored as they are. */
  readonly scored: Set<ExaminedCase>
  hasProfile: boolean
}

/** Opens a station for a clinic; what it may know of it are the events that arrive. */
export type OpenFor = (clinic: Clinic) => ExaminedStation
/** One that has to read the clinic's files first. */
export type OpenForReader = (clinic: Clinic) => ExaminedStation | Promise<ExaminedStation>

export function beginExamination(clinic: Clinic, station: ExaminedStation): Examination {
  const visits = clinic.visits.map(() => ({
    outcomes: new Set<Outcome>(),
    evidence: new Map<Outcome, Evidence>(),
  }))
  return {
    clinic,
    station,
    visits,
    approved: new Map(),
    answered: new Map(),
    scored: new Set(),
    hasProfile: false,
  }
}

/** Examines a whole clinic; the scores are in the order of its visits. */
export async function examineClinic(
  clinic: Clinic,
  station: ExaminedStation,
): Promise<readonly VisitScore[]> {
  const examination = beginExamination(clinic, station)
  let lastMs = Number.POSITIVE_INFINITY
  for (const event of clinic.events) {
    if (event.atMs - lastMs > PAUSE_MS) {
      station.advance(event.atMs - 1)
      observe(examination)
      await attend(examination)
    } else station.advance(event.atMs)
    await station.arrive(event)
    lastMs = event.atMs
  }
  station.advance(lastMs + AT_THE_END_MS)
  observe(examination)
  conclude(examination)
  return examination.visits
}

/** Scores what the screen shows now. */
export function observe(examination: Examination): void {
  const { clinic, station, scored } = examination
  for (const examined of station.cases()) {
    if (examined.state === 'collecting' || scored.has(examined)) continue
    scored.add(examined)
    const faults = faultsOf(clinic, examined, examination.hasProfile)
    for (const [fault, truth] of faults) note(examination, examined, fault, truth)
  }
}

function note(examination: Examination, examined: ExaminedCase, fault: Fault, truth: PictureTruth): void {
  const outcome = outcomeOf(examination, examined, fault, truth)
  if (outcome === null) return
  const visit = examination.visits[truth.visit]!
  visit.outcomes.add(outcome)
  if (!visit.evidence.has(outcome)) visit.evidence.set(outcome, { examined, truth })
}

function outcomeOf(
  examination: Examination,
  examined: ExaminedCase,
  fault: Fault,
  truth: PictureTruth,
): Outcome | null {
  switch (examined.state) {
    case 'sentUnseen':
      return sentOutcome(fault)
    case 'sentSeen': {
      // What a person approved is the person's; what joined the case afterwards left unseen.
      const seen = examination.approved.get(examined.key)
      return seen?.has(truth.bytes) === true ? null : sentOutcome(fault)
    }
    case 'review':
    case 'incomplete':
      // A wrong value that a question covers is the best that a program can do; one without is a trap for the person.
      if (fault === 'unproven') return null
      return isAskedAbout(examined, fault) ? 'asked, prefilled wrongly' : proposedOutcome(fault)
    case 'collecting':
      return null
  }
}

/** What the clinic's person does at the screen now. */
export async function attend(examination: Examination): Promise<void> {
  const { clinic, station } = examination
  if (clinic.attendance === 'absent') return
  for (const examined of station.cases()) {
    if (examined.state !== 'review' && examined.state !== 'incomplete') continue
    const corrections = correctionsOf(clinic, examined)
    // A person sees that these are two patients, and leaves them for later.
    if (corrections === 'two patients') continue
    if (clinic.attendance === 'approves') await approve(examination, examined, corrections)
    else if (corrections !== null && examined.state === 'incomplete') {
      noteQuestion(examination, examined)
      await station.answer(examined.key, corrections)
    }
  }
}

/** A person approves the case as corrected, and what was in it is the person's from now on. */
export async function approve(
  examination: Examination,
  examined: ExaminedCase,
  corrections: Corrections | null,
): Promise<void> {
  noteQuestion(examination, examined)
  examination.approved.set(examined.key, new Set(examined.pictures.map(({ bytes }) => bytes)))
  await examination.station.approve(examined.key, corrections)
}

function noteQuestion({ clinic, answered }: Examination, examined: ExaminedCase): void {
  if (examined.state !== 'incomplete') return
  for (const { visit } of truthsOf(clinic, examined)) answered.set(visit, examined)
}

/** What a person who was there would correct; null if all is right and complete. */
export function correctionsOf(clinic: Clinic, examined: ExaminedCase): Corrections | null | 'two patients' {
  const truths = truthsOf(clinic, examined)
  const [first] = truths
  if (first === undefined) return null
  const { person, day } = clinic.visits[first.visit]!
  if (
    truths.some(({ visit }) => clinic.visits[visit]!.person !== person || clinic.visits[visit]!.day !== day)
  )
    return 'two patients'
  const eyes: Record<string, Eye> = {}
  for (const [index, truth] of truths.entries())
    if (examined.pictures[index]!.eye !== truth.eye) eyes[truth.bytes] = truth.eye
  const isNumbered = examined.historyNumber !== null && isNumberOf(person, examined.historyNumber)
  const corrections: Corrections = {
    ...(!isNumbered && { historyNumber: person.id }),
    ...(!isNameOf(person, examined.lastName) && { lastName: person.last }),
    ...(!isNameOf(person, examined.firstName) && { firstName: person.first }),
    ...(examined.visitDate !== null && examined.visitDate !== day && { visitDate: day }),
    ...(Object.keys(eyes).length > 0 && { eyes }),
  }
  return Object.keys(corrections).length === 0 ? null : corrections
}

/** Scores how each visit ended: where its pictures are, and what was asked although any reader knows. */
export function conclude({ clinic, station, visits, answered }: Examination): void {
  const whereabouts = new Map<string, ExaminedCase>()
  for (const examined of station.cases())
    for (const { bytes } of examined.pictures) {
      whereabouts.set(bytes, examined)
      whereabouts.set(clinic.pictures.get(bytes)?.photograph ?? bytes, examined)
    }
  const noted = new Set<string>()
  const raised = new Set<string | null>()
  for (const { bytes, path, caseKey } of station.notes()) {
    noted.add(bytes ?? path ?? '')
    raised.add(caseKey)
  }
  const cases = clinic.visits.map(() => new Set<ExaminedCase>())
  const unreadable = new Map<number, Evidence>()
  for (const truth of clinic.pictures.values()) {
    const { visit, bytes, photograph, path, facts } = truth
    const examined = whereabouts.get(bytes) ?? whereabouts.get(photograph) ?? null
    if (examined !== null) cases[visit]!.add(examined)
    // A note is enough for a file that cannot be used, and never for a sound photograph.
    else if (!(truth.isDamaged && (noted.has(bytes) || noted.has(path))) && !isReplaced(clinic, truth)) {
      visits[visit]!.outcomes.add('lost')
      visits[visit]!.evidence.set('lost', { examined: null, truth })
    }
    if (truth.isDamaged || !isRead(facts.who) || !isRead(facts.eye) || facts.day === 'disputed')
      unreadable.set(visit, { examined, truth })
    if (facts.who === 'hidden' || facts.eye === 'hidden') visits[visit]!.outcomes.add('unknowable')
  }
  for (const [index, visit] of visits.entries()) {
    const states = [...cases[index]!]
    const has = (state: ExaminedCase['state']): ExaminedCase | undefined =>
      states.find((examined) => examined.state === state)
    const incomplete = has('incomplete') ?? answered.get(index)
    if (states.length > 1) visit.outcomes.add('split')
    // If it comes before anything has left, the picture itself is asked about.
    const contradicted = whereabouts.get(anyOf(clinic, index).bytes)
    const hasLeft = contradicted?.state === 'sentUnseen' || contradicted?.state === 'sentSeen'
    const isRaised = answered.has(index) || raised.has(contradicted?.key ?? null)
    if (clinic.contradicted.has(index) && hasLeft && !isRaised) {
      visit.outcomes.add('contradiction not raised')
      visit.evidence.set('contradiction not raised', { examined: contradicted, truth: anyOf(clinic, index) })
    }
    if (incomplete !== undefined) {
      visit.outcomes.add('asked')
      if (!unreadable.has(index) && clinic.visits[index]!.isOfToday) {
        visit.outcomes.add('asked though read')
        visit.evidence.set('asked though read', { examined: incomplete, truth: anyOf(clinic, index) })
      }
    } else if (has('review') !== undefined || has('sentSeen') !== undefined) {
      const { isOneEyed, shots } = clinic.visits[index]!
      visit.outcomes.add(isOneEyed && shots.length > 1 ? 'looked at for one eye' : 'reviewed')
    } else if (has('sentUnseen') !== undefined) {
      visit.outcomes.add('hands-free')
      if (clinic.visits[index]!.isOfToday) visit.outcomes.add('hands-free today')
    }
  }
}

/** Whether a damaged picture was written over by a sound one of its name: then nothing of it is missing. */
function isReplaced({ pictures }: Clinic, { isDamaged, path, bytes }: PictureTruth): boolean {
  return isDamaged && [...pictures.values()].some((other) => other.path === path && other.bytes !== bytes)
}

/** A picture of the visit, for its example. */
function anyOf({ pictures }: Clinic, visit: number): PictureTruth {
  return [...pictures.values()].find((picture) => picture.visit === visit)!
}

const isRead = (certainty: Certainty): boolean => certainty === 'proof' || certainty === 'read'
