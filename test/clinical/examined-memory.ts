/** What the examined station learns from the cases that left and that a person approved: patients, shapes, words, offers. */
import type { Approval } from '../../src-main/station/cases/profiles/align.ts'
import { confirm } from '../../src-main/station/cases/profiles/confirmation.ts'
import { learntOffers } from '../tools/learnt-offers.ts'
import { termsIn } from '../../src-main/station/cases/verdict/named-people.ts'
import { isHabitOfBoth } from '../../src-main/station/cases/verdict/together.ts'
import { bareId, shapeOf } from '../../src-main/station/cases/meaning/numbers.ts'
import { nameTerms, type Person } from '../../src-main/station/cases/meaning/persons.ts'
import type { FolderMemory } from '../../src-main/station/cases/verdict/evidence.ts'
import { nameTermsInPath } from '../../src-main/station/cases/verdict/named-people.ts'
import type { PictureEvidence } from '../../src-main/station/cases/verdict/evidence.ts'
import type { ConfirmedProfile } from '../../src-shared/confirmed-profile.ts'
import type { Offer } from '../../src-shared/profile-offers.ts'

/** A word under so many numbers is of the folder, and of no person. */
const CONSTANT_IDS = 3

export class ClinicMemory implements FolderMemory {
  readonly #patients = new Map<string, Set<string>>()
  readonly #open = new Map<string, { number: string; pictures: readonly PictureEvidence[] }>()
  readonly #issuers = new Map<string, Set<string>>()
  readonly #people = new Map<string, readonly Person[]>()
  /** The case that asks: it proves nothing to itself. */
  asking = ''
  readonly #shapes = new Set<string>()
  readonly #idsOfTerm = new Map<string, Set<string>>()
  /** The records that name people under a number; null if they are not asked. */
  records: { peopleOf: FolderMemory['peopleOf'] } | null = null
  #ofBoth = 0
  #ofOne = 0

  isPatient(id: string): boolean {
    return this.#patients.has(bareId(id))
  }

  isShapeOfIds(shape: string): boolean {
    return this.#shapes.has(shape)
  }

  isConstant(term: string): boolean {
    const isRareBeside = (id: string): boolean =>
      [...this.#idsOfTerm].some(([other, ids]) => other !== term && ids.has(id) && ids.size < CONSTANT_IDS)
    return [...(this.#idsOfTerm.get(term) ?? [])].filter((id) => !isRareBeside(id)).length >= CONSTANT_IDS
  }

  holderOf(id: string): ReturnType<FolderMemory['holderOf']> {
    const sent = this.#patients.get(bareId(id))
    const open = this.#openOf(id)
    if (sent === undefined && open.length === 0) return null
    const terms = [...new Set([...(sent ?? []), ...this.#termsOf(open)])]
    const people = [...(this.#people.get(bareId(id)) ?? []), ...peopleIn(open)]
    return { terms, people, source: 'sentCase', where: '' }
  }

  /** An open case states this number; null if it states none, or is not open any more. */
  noteOpen(caseKey: string, number: string | null, pictures: readonly PictureEvidence[]): void {
    if (number === null) this.#open.delete(caseKey)
    else this.#open.set(caseKey, { number: bareId(number), pictures })
  }

  /** The pictures of the other open cases that state this number. */
  #openOf(id: string): readonly PictureEvidence[] {
    return [...this.#open].flatMap(([key, { number, pictures }]) =>
      key !== this.asking && number === bareId(id) ? pictures : [],
    )
  }

  #termsOf(pictures: readonly PictureEvidence[]): readonly string[] {
    return termsIn(
      pictures.map((picture) => ({ ...picture, hints: [] })),
      this,
    )
  }

  peopleOf(id: string): ReturnType<FolderMemory['peopleOf']> {
    return this.records?.peopleOf(id) ?? []
  }

  issuersOf(id: string): readonly string[] {
    return [...(this.#issuers.get(bareId(id)) ?? []), ...issuersIn(this.#openOf(id))]
  }

  holdsBothEyes(): boolean {
    return isHabitOfBoth({ both: this.#ofBoth, one: this.#ofOne })
  }

  /** Pictures of one number and day are of one case, or come after it. */
  visitsOn(): readonly [] {
    return []
  }

  isNoPatientNumber(): boolean {
    return false
  }

  areSamePatient(): boolean {
    return false
  }

  areOnePerson(): boolean {
    return false
  }

  answeredBy(): string {
    return ''
  }

  /** A case left whose pictures show these eyes. */
  noteEyes(eyes: readonly string[]): void {
    if (eyes.includes('right') && eyes.includes('left')) this.#ofBoth += 1
    else this.#ofOne += 1
  }

  /** A case left under this number. */
  noteSent(number: string, pictures: readonly PictureEvidence[]): void {
    const terms = this.#patients.get(bareId(number)) ?? new Set()
    this.#patients.set(bareId(number), terms)
    for (const term of this.#termsOf(pictures)) terms.add(term)
    this.#people.set(bareId(number), [...(this.#people.get(bareId(number)) ?? []), ...peopleIn(pictures)])
    const issuers = this.#issuers.get(bareId(number)) ?? new Set()
    this.#issuers.set(bareId(number), issuers)
    for (const issuer of issuersIn(pictures)) issuers.add(issuer)
  }

  /** A person approved a case with this number. */
  noteApproved(number: string, pictures: readonly PictureEvidence[]): void {
    this.noteSent(number, pictures)
    this.#shapes.add(shapeOf(number))
    const stated = pictures.flatMap(({ people }) =>
      people.flatMap(({ value }) => nameTerms(value.lastName, value.firstName)),
    )
    const beside = pictures.flatMap(({ paths }) => paths.flatMap(nameTermsInPath))
    for (const term of beside.filter((one) => !stated.includes(one)))
      this.#idsOfTerm.set(term, (this.#idsOfTerm.get(term) ?? new Set()).add(bareId(number)))
  }
}

function peopleIn(pictures: readonly PictureEvidence[]): readonly Person[] {
  return pictures.flatMap(({ people }) => people.map(({ value }) => value))
}

function issuersIn(pictures: readonly PictureEvidence[]): readonly string[] {
  return pictures.flatMap(({ issuers }) => issuers.map(({ value }) => value))
}

/** Nothing is offered from fewer visits, so nothing is learnt from them. */
const MIN_APPROVALS = 8
const GROWTH = 1.15

/** The profiles of the folder: what is offered from approved visits, and what a person has confirmed. */
export class ClinicProfiles {
  readonly #approvals: Approval[] = []
  #confirmed: readonly ConfirmedProfile[] = []
  #offers: readonly Offer[] | null = []
  #learntFrom = 0

  get confirmed(): readonly ConfirmedProfile[] {
    return this.#confirmed
  }

  noteApproved(approval: Approval): void {
    this.#approvals.push(approval)
    if (approval.corrected) this.#learntFrom = 0
    this.#offers = null
  }

  /** `paths`: of all files of the folder. */
  offers(paths: () => readonly string[]): readonly Offer[] {
    // A correction is a counter-example until enough visits after it needed none.
    const lastCorrected = this.#approvals.findLastIndex(({ corrected }) => corrected)
    const approvals = this.#approvals.slice(lastCorrected + 1)
    // Few more approvals show little more, but for what a confirmed profile does not read.
    const isWorthIt =
      this.#confirmed.length > 0 || approvals.length >= Math.max(MIN_APPROVALS, this.#learntFrom * GROWTH)
    if (this.#offers === null && isWorthIt) {
      this.#learntFrom = approvals.length
      this.#offers = learntOffers(approvals, paths(), this.#confirmed).filter(
        ({ counterExamples }) => counterExamples.length === 0,
      )
    }
    return this.#offers ?? []
  }

  confirm({ profile }: Offer, now: number): void {
    const confirmed = confirm(profile, { by: 'AB', now, station: 'this one' })
    this.#confirmed = [...this.#confirmed, confirmed]
    this.#offers = null
  }
}
