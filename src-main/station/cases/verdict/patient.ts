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
import {
  bareId,
  compareIds,
  digitsIn,
  foldId,
  isLikeNumber,
  isNearlySame,
  shapeOf,
  spellingOfId,
} from '../meaning/numbers.ts'
import { isTimeOfPicture, numbersIn, type NumberInPath } from '../names/numbers.ts'
import {
  distinctBy,
  type Doubt,
  type FolderMemory,
  hintsOf,
  isPatientNumber,
  type NumberHolder,
  type PictureEvidence,
  type Pictures,
  type Statement,
  statementOf,
  statesPatient,
  valueIn,
  type Verdict,
} from './evidence.ts'
import { isAcross, isSameTerm, labelOf, mayBeOneName } from '../meaning/persons.ts'
import { folderOfVisit } from '../names/tokens.ts'
import { doubtOfNumber, isSpellingOf, MIN_SHAPE_DIGITS, secondNumberIn } from './second-numbers.ts'

export function verdictOnPatient(pictures: Pictures, memory: FolderMemory): Verdict<string> {
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
  const statements = [statementOf(before.join(' '), source, where), namedBy(pictures, now)]
  return { kind: 'disputed', statements, why: 'sharedNumber', about: number }
}

/** The number was of another birth date or sex before, and never of this one: no answer about names is one about these. */
function acrossHolder(
  number: string,
  pictures: Pictures,
  { people, source, where }: NumberHolder,
): Verdict<string> | null {
  for (const { value: now, ...by } of pictures.flatMap((picture) => picture.people)) {
    const other = people.find((known) => isAcross(known, now))
    const isKnown = people.some(
      (known) => !isAcross(known, now) && (now.birthDate === null || known.birthDate !== null),
    )
    if (other === undefined || isKnown) continue
    const statements = [statementOf(labelOf(other), source, where), { ...by, value: labelOf(now) }]
    return { kind: 'disputed', statements, why: 'sharedNumber', about: number }
  }
  return null
}

function issuersOf(pictures: Pictures): readonly Statement<string>[] {
  return pictures.flatMap(({ issuers }) => issuers)
}

function issuedBy(number: string, issuers: readonly Statement<string>[]): readonly Statement<string>[] {
  return issuers.map((issuer) => ({ ...issuer, value: `${number} (${issuer.value})`, attribute: 'issuer' }))
}

/** The number was another issuer's before: of another patient, most likely. One that states no issuer is of the same. */
function besideIssuers(number: string, pictures: Pictures, memory: FolderMemory): Verdict<string> | null {
  const [own] = issuersOf(pictures)
  const before = own ? memory.issuersOf(number) : []
  const [earlier] = before
  if (!own || earlier === undefined || before.some((one) => bareId(one) === bareId(own.value))) return null
  const statements = issuedBy(number, [{ ...own, value: earlier }, own])
  return { kind: 'disputed', statements, why: 'sourcesDiffer' }
}

/** What rests on a person's answer about two names is shown to a person each time. */
function shownAnswer(verdict: Verdict<string>, pictures: Pictures, memory: FolderMemory): Verdict<string> {
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
function besideFound(verdict: Verdict<string>, pictures: Pictures, memory: FolderMemory): Verdict<string> {
  const number = valueIn(verdict)
  const found = number === null ? [] : memory.peopleOf(number)
  if (number === null || found.length === 0) return verdict
  const other = otherPersonFound(pictures, number, found, memory)
  if (other !== null) return { kind: 'disputed', statements: other, why: 'twoPeople' }
  if (verdict.kind !== 'proven') return verdict
  const term = unknownTermIn(withPeople(pictures, found), number, memory)
  return term === null ? verdict : { ...verdict, kind: 'proposed', why: 'unknownTerm', about: term }
}

function verdictBySources(pictures: Pictures, memory: FolderMemory): Verdict<string> {
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
  if (twoPeople)
    return { kind: 'disputed', statements: twoPeople.statements, why: 'twoPeople', groups: twoPeople.groups }
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
  pictures: Pictures,
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

/** Only names say anything: the number that all of them share, if it is one. */
function verdictByNames(pictures: Pictures, memory: FolderMemory): Verdict<string> {
  const hinted = hintsOf(pictures)
  const hints = distinctBy(hinted, bareId)
  if (hints.length > 1) return { kind: 'disputed', statements: hints, why: 'sourcesDiffer' }
  const [hint] = hints
  const [record, ...records] = hinted.filter(({ source }) => source === 'sidecar')
  const other = record && records.find(({ value }) => compareIds(value, record.value) === 'other')
  if (other) return { kind: 'disputed', statements: [record, other], why: 'nearlySame' }
  const ofPictures = pictures.map(({ paths, instants }) =>
    paths
      .flatMap(numbersIn)
      .filter(({ readings }) => !readings.some((reading) => memory.isNoPatientNumber(reading)))
      .filter((number) => !isTimeOfPicture(number, instants)),
  )
  const named = [...Map.groupBy(ofPictures.flat(), ({ core }) => core)].flatMap(([core, spelled]) => {
    const [first] = spelled
    const inPictures = ofPictures.map((own) => own.filter((number) => number.core === core))
    return first ? [{ core, first, spelled, inPictures }] : []
  })
  const clear = named.filter(isEstablished)
  const [picture] = pictures
  if (hint && picture) {
    const isNamed = clear.some(({ core }) => isSpellingOf(core, hint.value))
    const number = clear.find(({ core }) => !isSpellingOf(core, hint.value))?.first
    const isOther =
      number !== undefined &&
      (doubtOfNumber(number, { stated: hint.value, picture, memory, drawn: new Set() }) === 'disputes' ||
        (!isNamed && digitsIn(number.core) >= MIN_SHAPE_DIGITS))
    if (isOther)
      return { kind: 'disputed', statements: [hint, statementIn(number, pictures)], why: 'sourcesDiffer' }
    // `inbox` and a folder that was written over hold the images of many: their record is of one of them.
    const isRecord = hint.source === 'sidecar'
    const isNamedByAll = ofPictures.every((own) =>
      own.some(({ readings }) => readings.some((reading) => isSpellingOf(reading, hint.value))),
    )
    if (isRecord && !isNamedByAll && pictures.some(isInFolderOfMany))
      return { kind: 'unknown', why: 'folderRecord', about: hint.value }
    return {
      kind: 'proposed',
      value: hint.value,
      by: [hint],
      why: isRecord ? 'folderRecord' : 'readFromNames',
    }
  }
  const everywhere = clear.filter(({ inPictures }) => inPictures.every((own) => own.length > 0))
  // What file and folder say alike is the patient's; another number counts something.
  const agreed = everywhere.filter(({ inPictures }) => inPictures.every(isInBoth))
  const [own, ...more] = agreed.length > 0 ? agreed : everywhere.length > 0 ? everywhere : clear
  if (own === undefined) return { kind: 'unknown', why: named.length > 0 ? 'weakNumber' : 'nothingStated' }
  const isSame = (one: NamedNumber): boolean => memory.areSamePatient(wholeOf(one), wholeOf(own))
  const severalNumbers = (numbers: readonly NamedNumber[]): Verdict<string> => ({
    kind: 'disputed',
    statements: numbers.map(({ first }) => statementIn(first, pictures)),
    why: 'severalNumbers',
  })
  const others = clear.filter((one) => one !== own && !isSame(one))
  if (more.some((one) => !isSame(one)) || (everywhere.length === 0 && others.length > 0))
    return severalNumbers(clear)
  // Another number that is not everywhere counts, or is a second patient's.
  const rival = others.find(
    ({ core }) =>
      isNearlySame(core, own.core) || memory.isPatient(core) || shapeOf(core) === shapeOf(own.core),
  )
  if (rival !== undefined) return severalNumbers([own, rival])
  const reading = commonReading(own.spelled)
  if (reading === null)
    return { kind: 'unknown', why: 'severalNumbers', about: own.first.readings.join(', ') }
  const by = [{ ...statementIn(own.first, pictures), value: reading }]
  const [second] = others
  if (second === undefined) return { kind: 'proposed', value: reading, by, why: 'readFromNames' }
  return { kind: 'proposed', value: reading, by, why: 'secondNumber', about: second.core }
}

/** A number that names spell, and what spells it in each picture. */
type NamedNumber = {
  readonly core: string
  readonly first: NumberInPath
  readonly spelled: readonly NumberInPath[]
  readonly inPictures: readonly (readonly NumberInPath[])[]
}

/** `inbox`, a folder that has held two patients, and one that was written over hold the images of many. */
function isInFolderOfMany({ isOverwritten, isInSharedFolder, paths }: PictureEvidence): boolean {
  return isOverwritten || isInSharedFolder || paths.some((path) => folderOfVisit(path) === null)
}

function wholeOf({ first: { readings, core } }: NamedNumber): string {
  return readings[0] ?? core
}

/** A weak number needs a second picture, or a folder, that says the same. */
function isEstablished({ spelled, inPictures }: NamedNumber): boolean {
  if (spelled.some(({ standing }) => standing === 'clear')) return true
  return inPictures.some(isInBoth) || inPictures.filter((own) => own.length > 0).length > 1
}

/** In a folder and in a file. */
function isInBoth(numbers: readonly NumberInPath[]): boolean {
  return new Set(numbers.map(({ source }) => source)).size > 1
}

/** The spelling that all names share: the whole one if nothing of it varies, else the one without the counter. */
function commonReading(numbers: readonly NumberInPath[]): string | null {
  const [first] = numbers
  if (first === undefined) return null
  const shared = first.readings.filter((reading) =>
    numbers.every((number) => number.readings.some((other) => foldId(other) === foldId(reading))),
  )
  // Alone, a name does not show whether its end counts.
  if (numbers.length === 1 && first.readings.length > 1) return null
  return shared[0] ?? null
}

function statementIn(
  { readings: [reading = ''], source }: NumberInPath,
  pictures: Pictures,
): Statement<string> {
  const where = pictures.flatMap(({ paths }) => paths).find((path) => path.includes(reading))
  return statementOf(reading, source, where)
}
