/** What sources state of a picture, what the station has learnt about the names of its folder, and what all that comes to. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import type { Attribute } from '../../../../src-shared/proof.ts'
import type { Source } from '../../../../src-shared/submission.ts'
import { isDayOrTimeOf, isLikeNumber } from '../meaning/numbers.ts'
import { nameTerms, type Person } from '../meaning/persons.ts'
import { foldTerm } from '../meaning/vocabulary.ts'

export type Statement<Value> = {
  readonly value: Value
  readonly source: Source
  /** A path inside the watched folder, the id of a record, or the reference of a case. */
  readonly where: string
  readonly attribute?: Attribute
  /** Why its source only proposes it, although such a source may prove: it contradicts itself, or is perhaps of another image. */
  readonly doubt?: Doubt
}

export function statementOf<Value>(
  value: Value,
  source: Statement<Value>['source'],
  where = '',
): Statement<Value> {
  return { value, source, where }
}

/** Why something is a proposal, a dispute or unknown; a sentence belongs to each. */
export type Doubt =
  | 'readFromNames'
  | 'folderRecord'
  | 'fileTime'
  | 'farFromArrival'
  | 'importedBatch'
  | 'secondNumber'
  | 'unknownTerm'
  /** A person has said that two names are of one patient; it is shown each time. */
  | 'savedAnswer'
  | 'weakNumber'
  | 'severalNumbers'
  | 'placeholder'
  | 'sourcesDiffer'
  | 'nearlySame'
  | 'twoPeople'
  | 'sharedNumber'
  | 'nothingStated'
  | 'loneLetter'
  | 'ambiguousTerm'
  | 'noLink'
  | 'twoBursts'
  | 'profilesDiffer'
  | 'notConfirmed'
  | 'beforeConfirmation'
  | 'firstReviews'
  | 'notIntact'
  | 'overruled'
  | 'otherZone'
  | 'oneEyeOnly'

/**
 * The verdict on one question.
 *
 * - `proven`    a source that proves states it, and nothing doubts it
 * - `proposed`  the likely answer; `why` says what keeps it from being proof
 * - `disputed`  two sources differ: `statements` holds one of each
 * - `unknown`   nothing states it
 */
export type Verdict<Value> =
  | { readonly kind: 'proven'; readonly value: Value; readonly by: readonly Statement<Value>[] }
  | {
      readonly kind: 'proposed'
      readonly value: Value
      readonly by: readonly Statement<Value>[]
      readonly why: Doubt
      /** The words that it is about: the second number, the unknown word. */
      readonly about?: string
    }
  | {
      readonly kind: 'disputed'
      readonly statements: readonly Statement<Value>[]
      readonly why: Doubt
      /** The number of two people. */
      readonly about?: string
      /** The pictures of each patient, if they may be of two. */
      readonly groups?: readonly (readonly string[])[]
    }
  | { readonly kind: 'unknown'; readonly why: Doubt; readonly about?: string }

/** The value that a form is filled with; null if there is none, or if it is disputed. */
export function valueIn<Value>(verdict: Verdict<Value>): Value | null {
  return verdict.kind === 'proven' || verdict.kind === 'proposed' ? verdict.value : null
}

/** What it rests on; of a dispute, one of each side. */
export function statementsIn<Value>(verdict: Verdict<Value>): readonly Statement<Value>[] {
  if (verdict.kind === 'unknown') return []
  return verdict.kind === 'disputed' ? verdict.statements : verdict.by
}

/** One statement for each value, in the order of first mention. */
export function distinctBy<Value>(
  statements: readonly Statement<Value>[],
  keyOf: (value: Value) => string,
): readonly Statement<Value>[] {
  return [...new Map(statements.toReversed().map((one) => [keyOf(one.value), one])).values()].toReversed()
}

/** What only doubtful statements say of one of the pictures is a proposal. */
export function weighed<Value>(
  verdict: Verdict<Value>,
  ofPictures: readonly (readonly Statement<Value>[])[],
): Verdict<Value> {
  if (verdict.kind !== 'proven') return verdict
  const [first] =
    ofPictures.find((own) => own.length > 0 && own.every(({ doubt }) => doubt !== undefined)) ?? []
  return first?.doubt === undefined ? verdict : { ...verdict, kind: 'proposed', why: first.doubt }
}

/** A picture on the line of time; `takenAt` in ms since 1970. */
export type TimedPicture = { readonly id: string; readonly takenAt: number; readonly eye: StatedEye | null }

/** Everything that is known of one picture, before any of it is weighed. */
export type PictureEvidence = {
  readonly id: string
  /** Of all its files: its own, its twin, its copies. */
  readonly paths: readonly string[]
  /** By DICOM attributes, bound records, confirmed profiles; so are `days` and `eyes`. */
  readonly ids: readonly Statement<string>[]
  /** By records that are not bound to it: they propose and doubt. */
  readonly idHints: readonly Statement<string>[]
  /** Whose numbers its ids are, if a source says so: the same number of another issuer is another patient's. */
  readonly issuers: readonly Statement<string>[]
  readonly people: readonly Statement<Person>[]
  /** Birth dates that any source states: never the day of a visit. */
  readonly births: readonly string[]
  /** `YYYY-MM-DD`. */
  readonly days: readonly Statement<string>[]
  readonly dayHints: readonly Statement<string>[]
  readonly eyes: readonly Statement<StatedEye>[]
  readonly eyeHints: readonly Statement<StatedEye>[]
  /** Of descriptions in its attributes: they only doubt. */
  readonly eyeDoubts: readonly Statement<StatedEye>[]
  /** Its own attributes contradict one another about the eye: no other source settles that. */
  readonly isEyeDisputed: boolean
  /** What its own attributes call something else, such as the accession: no number of a patient, no strange word. */
  readonly explained: readonly string[]
  /** Pictures of one link are of one patient and visit: a DICOM study. */
  readonly link: string | null
  /** Ms since 1970, by the camera and by the file: digits of the names that say the same are times. */
  readonly instants: readonly number[]
  /** Ms since 1970, by the camera if it says so, else by the file. */
  readonly takenAt: number
  /** The day on which the station first saw the file, `YYYY-MM-DD`, local. */
  readonly seenOn: string
  /** The day of the file's own time, the last resort. */
  readonly fileDay: string
  /** It was there at set-up, and a person chose to import it: it comes late, and many others with it. */
  readonly isImported: boolean
  /** The name of the file was chosen by the program that wrote the record: its digits are no second number. */
  readonly isNamedByRecord: boolean
  /** Its name, or the record of its folder, was written over before: hints only doubt. */
  readonly isOverwritten: boolean
  /** The folder has held two patients: its record is of one of them. */
  readonly isInSharedFolder: boolean
  /** A confirmed profile reads these paths in whole: no other word or number of them counts for anything. */
  readonly isReadByProfile: boolean
  readonly profiles: readonly string[]
  /** Two confirmed profiles read these paths differently. */
  readonly doProfilesDiffer: boolean
}

/** Those of one case, or of what may be one. */
export type Pictures = readonly PictureEvidence[]

/** May this be the number of the patient of a picture? It looks like one, and is no day, time, birth date or name of it. */
export function isPatientNumber(
  id: string,
  { instants, days, people }: Pick<PictureEvidence, 'instants' | 'days' | 'people'>,
): boolean {
  if (!isLikeNumber(id)) return false
  const births = people.flatMap(({ value }) => value.birthDate ?? [])
  const stated = days.map(({ value }) => value)
  if (isDayOrTimeOf(id, instants, stated, births)) return false
  const terms = foldTerm(id).match(/\p{L}{3,}/gu) ?? []
  const names = people.flatMap(({ value }) => nameTerms(value.lastName, value.firstName))
  return terms.length === 0 || !terms.every((term) => names.includes(term))
}

/** Does a source other than names state whose picture it is? UNKNOWN and 0000 state no one. */
export function statesPatient(
  picture: Pick<PictureEvidence, 'ids' | 'instants' | 'days' | 'people'>,
): boolean {
  return picture.ids.some(({ value }) => isPatientNumber(value, picture))
}

/** What is no proof says of the numbers of these pictures. */
export function hintsOf(pictures: Pictures): readonly Statement<string>[] {
  return pictures.flatMap((picture) => picture.idHints.filter(({ value }) => isPatientNumber(value, picture)))
}

/** `terms`: the words of the names under which the cases of a number came, folded. */
export type NumberHolder = Pick<Statement<string>, 'where'> & {
  readonly terms: readonly string[]
  /** As their own attributes state them. */
  readonly people: readonly Person[]
  readonly source: 'sentCase' | 'openCase'
}

/** What the station has learnt about the names in one watched folder, and what persons have answered. */
export type FolderMemory = {
  /** True if this number belongs to a patient whose cases the station knows. */
  readonly isPatient: (id: string) => boolean
  /** True if ids of this shape were approved here. */
  readonly isShapeOfIds: (shape: string) => boolean
  /** True if this word occurs under three or more ids here, of people who differ in nothing else: a ward, a doctor. */
  readonly isConstant: (term: string) => boolean
  /** Who has this number in cases that leave or left, and in open ones that state it; null if none has. */
  readonly holderOf: (id: string) => NumberHolder | null
  /** The people whom data files and the clinic's list name under this number: they doubt, and give nothing. */
  readonly peopleOf: (id: string) => readonly Statement<Person>[]
  /** Whose numbers earlier cases of this number stated; empty if none did. */
  readonly issuersOf: (id: string) => readonly string[]
  readonly holdsBothEyes: () => boolean
  /** The pictures of other cases of this number on this day. */
  readonly visitsOn: (id: string, day: string) => readonly (readonly TimedPicture[])[]
  /** A person said that this number, or numbers of this shape, are no patient's. */
  readonly isNoPatientNumber: (number: string) => boolean
  /** A person said that these two numbers are one patient's. */
  readonly areSamePatient: (one: string, other: string) => boolean
  /** A person said that these two names, as a dispute words them, are of one patient. */
  readonly areOnePerson: (one: string, other: string) => boolean
  /** The initials of the person who said so; empty if they were not given. */
  readonly answeredBy: (one: string, other: string) => string
}
