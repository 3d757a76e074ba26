/** Whose pictures these are: decides everything that sources and names state about the patient of a case. Pure. */
import {
  groupsBy,
  namedBy,
  otherNameIn,
  otherPersonFound,
  termsIn,
  twoPeopleAmong,
  unknownTermIn,
  withPeople,
} from './named-people.ts'
import { bareId, compareIds, isLikeNumber, isNearlySame, spellingOfId } from '../meaning/numbers.ts'
import { verdictByNames } from './patient-by-names.ts'
import {
  type FolderMemory,
  hintsOf,
  isPatientNumber,
  type NumberHolder,
  type PictureEvidence,
  statesPatient,
} from './evidence.ts'
import { isAcross, isSameTerm, labelOf, mayBeOneName } from '../meaning/persons.ts'
import { secondNumberIn } from './second-numbers.ts'
import { distinctBy, type Doubt, type Statement, valueIn, type Verdict } from './verdict.ts'

/** Decides the patient of the pictures of one case. */
export function verdictOnPatient(
  pictures: readonly PictureEvidence[],
  memory: FolderMemory,
): Verdict<string> {
  const verdict = shownAnswer(
    besideFound(verdictBySources(pictures, memory), pictures, memory),
    pictures,
    memory,
  )
  const number = valueIn(verdict)
  if (number === null) return verdict
  const otherIssuer = besideIssuers(number, pictures, memory)
  if (otherIssuer) return otherIssuer
  const holder = memory.holderOf(number)
  if (holder === null) return verdict
  const across = acrossHolder(number, pictures, holder)
  if (across) return across
  const now = termsIn(pictures, memory)
  if (now.length === 0) return verdict
  const { terms: before, source, where } = holder
  if (before.length === 0 || memory.areOnePerson(before.join(' '), now.join(' '))) return verdict
  const strange = now.filter((term) => !before.some((known) => isSameTerm(term, known)))
  if (strange.length < now.length) {
    // Girard Ivan under the number of Lopez Ivan: only a part is known.
    return verdict.kind === 'proven' && !mayBeOneName(before, now)
      ? { ...verdict, kind: 'proposed', why: 'unknownTerm', about: strange.join(' ') }
      : verdict
  }
  // The number was not changed at the camera, or it is another clinic's.
  const statements = [{ value: before.join(' '), source, where }, namedBy(pictures, now)]
  return { kind: 'disputed', statements, why: 'sharedNumber', about: number }
}

/** The number was of another birth date or sex before, and never of this one: no answer about names is one about these. */
function acrossHolder(
  number: string,
  pictures: readonly PictureEvidence[],
  { people, source, where }: NumberHolder,
): Verdict<string> | null {
  for (const { value: now, ...by } of pictures.flatMap((picture) => picture.people)) {
    const other = people.find((known) => isAcross(known, now))
    const isKnown = people.some(
      (known) => !isAcross(known, now) && (now.birthDate === null || known.birthDate !== null),
    )
    if (other === undefined || isKnown) continue
    const statements = [
      { value: labelOf(other), source, where },
      { ...by, value: labelOf(now) },
    ]
    return { kind: 'disputed', statements, why: 'sharedNumber', about: number }
  }
  return null
}

function issuersOf(pictures: readonly PictureEvidence[]): readonly Statement<string>[] {
  return pictures.flatMap(({ issuers }) => issuers)
}

function issuedBy(number: string, issuers: readonly Statement<string>[]): readonly Statement<string>[] {
  return issuers.map((issuer) => ({ ...issuer, value: `${number} (${issuer.value})`, attribute: 'issuer' }))
}

/** The number was another issuer's before: of another patient, most likely. One that states no issuer is of the same. */
function besideIssuers(
  number: string,
  pictures: readonly PictureEvidence[],
  memory: FolderMemory,
): Verdict<string> | null {
  const [own] = issuersOf(pictures)
  const before = own ? memory.issuersOf(number) : []
  const [earlier] = before
  if (!own || earlier === undefined || before.some((one) => bareId(one) === bareId(own.value))) return null
  const statements = issuedBy(number, [{ ...own, value: earlier }, own])
  return { kind: 'disputed', statements, why: 'sourcesDiffer' }
}

/** What rests on a person's answer about two names is shown to a person each time. */
function shownAnswer(
  verdict: Verdict<string>,
  pictures: readonly PictureEvidence[],
  memory: FolderMemory,
): Verdict<string> {
  if (verdict.kind !== 'proven') return verdict
  const asked = { isConstant: (term: string) => memory.isConstant(term), areOnePerson: () => false }
  const two =
    twoPeopleAmong(pictures, asked)?.statements ??
    otherPersonFound(pictures, verdict.value, memory.peopleOf(verdict.value), asked) ??
    otherNameIn(pictures, verdict.value, asked)
  const [one, other] = two?.map(({ value }) => value) ?? []
  if (one === undefined || other === undefined) return verdict
  const by = memory.answeredBy(one, other)
  return { ...verdict, kind: 'proposed', why: 'savedAnswer', about: `${one} = ${other}${by && ` (${by})`}` }
}

/** Beside the people who are found through the number: if one is another, the number may have been mistyped. */
function besideFound(
  verdict: Verdict<string>,
  pictures: readonly PictureEvidence[],
  memory: FolderMemory,
): Verdict<string> {
  const number = valueIn(verdict)
  const found = number === null ? [] : memory.peopleOf(number)
  if (number === null || found.length === 0) return verdict
  const other = otherPersonFound(pictures, number, found, memory)
  if (other !== null) return { kind: 'disputed', statements: other, why: 'twoPeople' }
  if (verdict.kind !== 'proven') return verdict
  const term = unknownTermIn(withPeople(pictures, found), number, memory)
  return term === null ? verdict : { ...verdict, kind: 'proposed', why: 'unknownTerm', about: term }
}

function verdictBySources(pictures: readonly PictureEvidence[], memory: FolderMemory): Verdict<string> {
  if (pictures.some(({ doProfilesDiffer }) => doProfilesDiffer))
    return { kind: 'unknown', why: 'profilesDiffer' }
  const stated = pictures.flatMap(({ ids }) => ids)
  const unreadable = stated.find(({ value }) => value.includes('\uFFFD'))
  if (unreadable) return { kind: 'unknown', why: 'placeholder', about: unreadable.value }
  const usable = pictures.flatMap((picture) =>
    picture.ids.filter(({ value }) => isPatientNumber(value, picture)),
  )
  const isSame = (one: string, other: string): boolean =>
    compareIds(one, other) !== 'other' || memory.areSamePatient(one, other)
  const [first] = usable
  // What looks like a time or a day, or idle beside its neighbour, may be a number by chance: it gives none, and
  // contradicts one.
  const compared = stated.filter(
    (one) =>
      usable.includes(one) ||
      isOfName(one.source) ||
      isLikeNumber(one.value) ||
      (first !== undefined && isNearlySame(one.value, first.value)),
  )
  const rival = first && compared.find(({ value }) => !isSame(value, first.value))
  if (first && rival) {
    const isOtherSpelling = bareId(first.value) === bareId(rival.value)
    const why = isOtherSpelling || isNearlySame(first.value, rival.value) ? 'nearlySame' : 'sourcesDiffer'
    const keyOf = isOtherSpelling ? spellingOfId : bareId
    const groups = groupsBy(pictures, ({ ids }) => ids.map(({ value }) => keyOf(value))[0] ?? null)
    return { kind: 'disputed', statements: distinctBy(compared, keyOf), why, groups }
  }
  const issuers = distinctBy(issuersOf(pictures), bareId)
  if (first && issuers.length > 1) {
    const groups = groupsBy(pictures, ({ issuers: [own] }) => (own ? bareId(own.value) : null))
    return { kind: 'disputed', statements: issuedBy(first.value, issuers), why: 'sourcesDiffer', groups }
  }
  const twoPeople = twoPeopleAmong(pictures, memory)
  if (twoPeople) return { kind: 'disputed', ...twoPeople, why: 'twoPeople' }
  if (!first) {
    if (stated.length > 0) return { kind: 'unknown', why: 'placeholder', about: stated[0]?.value ?? '' }
    return verdictByNames(pictures, memory)
  }
  return verdictOnStated(pictures, first, usable, memory)
}

function isOfName(source: Statement<string>['source']): boolean {
  return source === 'fileName' || source === 'folderName'
}

/** One number is stated: do hints, names and words leave it beyond doubt? */
function verdictOnStated(
  pictures: readonly PictureEvidence[],
  first: Statement<string>,
  by: readonly Statement<string>[],
  memory: FolderMemory,
): Verdict<string> {
  const hints = hintsOf(pictures)
  const otherHint = hints.find(
    (hint) => isOtherHint(hint, first.value) && !memory.areSamePatient(hint.value, first.value),
  )
  if (otherHint) return { kind: 'disputed', statements: [first, otherHint], why: 'sourcesDiffer' }
  const second = secondNumberIn(pictures, first.value, memory)
  if (second?.kind === 'disputes') {
    const why = isNearlySame(first.value, second.statement.value) ? 'nearlySame' : 'sourcesDiffer'
    return { kind: 'disputed', statements: [first, second.statement], why }
  }
  const names = otherNameIn(pictures, first.value, memory)
  if (names !== null) return { kind: 'disputed', statements: names, why: 'twoPeople' }
  let doubt: { readonly why: Doubt; readonly about?: string } | null =
    second === null ? null : { why: 'secondNumber', about: second.statement.value }
  // The names of files hold no slashes, and often no other separators.
  const [spelled, ...others] = by.filter(({ source }) => !isOfName(source))
  const isUnsure = others.some(
    ({ value }) =>
      spelled !== undefined &&
      compareIds(value, spelled.value) === 'unsure' &&
      !memory.areSamePatient(value, spelled.value),
  )
  if (isUnsure) doubt ??= { why: 'nearlySame' }
  const term = unknownTermIn(pictures, first.value, memory)
  if (term !== null) doubt ??= { why: 'unknownTerm', about: term }
  const links = new Set(pictures.flatMap((picture) => (statesPatient(picture) ? (picture.link ?? []) : [])))
  const isCovered = pictures.every(
    (picture) => statesPatient(picture) || (picture.link !== null && links.has(picture.link)),
  )
  if (!isCovered) doubt ??= { why: 'noLink' }
  return doubt === null
    ? { kind: 'proven', value: first.value, by }
    : { kind: 'proposed', value: first.value, by, ...doubt }
}

/** Names separate their parts as they like. */
function isOtherHint({ value, source }: Statement<string>, id: string): boolean {
  return source === 'sidecar' ? compareIds(value, id) === 'other' : bareId(value) !== bareId(id)
}
