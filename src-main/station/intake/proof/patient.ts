/** Whose pictures these are: decides everything that sources and names state about the patient of a case. Pure. */
import { bareId, foldId, isNearlySame, isTimeOf, numbersIn, type NumberInPath, shapeOf } from './numbers.ts'
import { contradictionOf, mayBeOneName, nameTerms, nameTermsInPath, type Person } from './people.ts'
import { folderOfVisit } from './together.ts'
import { partsOfPath, tokensOf } from './tokens.ts'
import { distinctBy, type Doubt, type Statement, valueIn, type Verdict } from './verdict.ts'
import { isPlaceholder } from './vocabulary.ts'

/** One picture with everything that states its patient. */
export type PictureOfPatient = {
  readonly id: string
  /** Of all its files: its own, its twin, its copies. */
  readonly paths: readonly string[]
  /** By DICOM attributes, bound records, confirmed profiles. */
  readonly ids: readonly Statement<string>[]
  readonly people: readonly Statement<Person>[]
  /** By records that are not bound to it: they propose and doubt. */
  readonly hints: readonly Statement<string>[]
  /** Its name, or the record of its folder, was written over before: hints only doubt. */
  readonly isOverwritten: boolean
  /** Pictures of one link are of one patient: a DICOM study. */
  readonly link: string | null
  /** The name of the file was chosen by the program that wrote the record: its digits are no second number. */
  readonly isNamedByRecord: boolean
  /** Ms since 1970, by the camera and by the file: digits of the names that say the same are times. */
  readonly instants: readonly number[]
  /** Two confirmed profiles read these paths differently. */
  readonly doProfilesDiffer: boolean
  /** A confirmed profile reads these paths in whole: no other word or number of them is unexplained. */
  readonly isReadByProfile: boolean
}

/** What the station has learnt about the names in one watched folder, and what persons have answered. */
export type FolderMemory = {
  /** True if this number belongs to a patient whose cases the station knows. */
  readonly isPatient: (id: string) => boolean
  /** True if ids of this shape were approved here. */
  readonly isShapeOfIds: (shape: string) => boolean
  /** True if this word occurs under three or more ids here: a ward, a doctor, a program. */
  readonly isConstant: (term: string) => boolean
  /** The words of the names under which earlier cases of this number came, folded; empty if there are none. */
  readonly termsOf: (id: string) => readonly string[]
  /** A person said that this number, or numbers of this shape, are no patient's. */
  readonly isNoPatientNumber: (number: string) => boolean
  /** A person said that these two numbers are one patient's. */
  readonly areSamePatient: (one: string, other: string) => boolean
  /** A person said that these two names, as a dispute words them, are of one patient. */
  readonly areOnePerson?: (one: string, other: string) => boolean
}

export const NOTHING_LEARNT: FolderMemory = {
  isPatient: () => false,
  isShapeOfIds: () => false,
  isConstant: () => false,
  termsOf: () => [],
  isNoPatientNumber: () => false,
  areSamePatient: () => false,
  areOnePerson: () => false,
}

export type PatientVerdict = Verdict<string> & {
  /** The pictures of each patient, if they may be of two. */
  readonly groups: readonly (readonly string[])[] | null
}

/** Decides the patient of the pictures of one case. */
export function verdictOnPatient(
  pictures: readonly PictureOfPatient[],
  memory: FolderMemory,
): PatientVerdict {
  const verdict = verdictBySources(pictures, memory)
  const number = valueIn(verdict)
  if (number === null) return verdict
  const before = memory.termsOf(number)
  const now = termsIn(pictures, memory)
  const isOther =
    before.length > 0 &&
    now.length > 0 &&
    !now.some((term) => before.some((known) => mayBeOneName([term], [known]))) &&
    !isAnswered(memory, before.join(' '), now.join(' '))
  if (!isOther) return verdict
  // The number was not changed at the camera, or it is another clinic's.
  const statements: Statement<string>[] = [
    { value: before.join(' '), source: 'patientList', where: number },
    { value: now.join(' '), source: 'fileName', where: pictures[0]?.paths[0] ?? '' },
  ]
  return { kind: 'disputed', statements, why: 'twoPeople', groups: null }
}

/** The words of the names that sources and paths state, folded, without constants of the folder. */
export function termsIn(pictures: readonly PictureOfPatient[], memory: FolderMemory): readonly string[] {
  const stated = pictures.flatMap(({ people }) =>
    people.flatMap(({ value }) => nameTerms(value.lastName, value.firstName)),
  )
  const inPaths = pictures
    .flatMap(({ paths }) => paths.flatMap(nameTermsInPath))
    .filter((term) => !memory.isConstant(term))
  return [...new Set([...stated, ...inPaths])]
}

function verdictBySources(pictures: readonly PictureOfPatient[], memory: FolderMemory): PatientVerdict {
  if (pictures.some(({ doProfilesDiffer }) => doProfilesDiffer))
    return { kind: 'unknown', why: 'profilesDiffer', groups: null }
  const stated = pictures.flatMap(({ ids }) => ids)
  const usable = stated.filter(({ value }) => !isPlaceholder(value))
  const isSame = (one: string, other: string): boolean =>
    bareId(one) === bareId(other) || memory.areSamePatient(one, other)
  const [first] = usable
  const rival = first && usable.find(({ value }) => !isSame(value, first.value))
  if (first && rival) {
    const why = isNearlySame(first.value, rival.value) ? 'nearlySame' : 'sourcesDiffer'
    const groups = groupsBy(pictures, ({ ids }) => ids.map(({ value }) => bareId(value))[0] ?? null)
    return { kind: 'disputed', statements: distinctBy(usable, bareId), why, groups }
  }
  const twoPeople = twoPeopleAmong(pictures, memory)
  if (twoPeople)
    return { kind: 'disputed', statements: twoPeople.statements, why: 'twoPeople', groups: twoPeople.groups }
  if (!first) {
    if (stated.length > 0)
      return { kind: 'unknown', why: 'placeholder', about: stated[0]?.value ?? '', groups: null }
    return { ...verdictByNames(pictures, memory), groups: null }
  }
  return { ...verdictOnStated(pictures, first, usable, memory), groups: null }
}

/** One number is stated: do hints, names and words leave it beyond doubt? */
function verdictOnStated(
  pictures: readonly PictureOfPatient[],
  first: Statement<string>,
  by: readonly Statement<string>[],
  memory: FolderMemory,
): Verdict<string> {
  const hints = pictures.flatMap((picture) => picture.hints).filter(({ value }) => !isPlaceholder(value))
  const otherHint = hints.find(
    ({ value }) => bareId(value) !== bareId(first.value) && !memory.areSamePatient(value, first.value),
  )
  if (otherHint) return { kind: 'disputed', statements: [first, otherHint], why: 'sourcesDiffer' }
  let doubt: { readonly why: Doubt; readonly about?: string } | null = null
  for (const picture of pictures) {
    if (picture.isReadByProfile) continue
    const numbers = picture.paths
      .flatMap(numbersIn)
      .filter(({ readings }) => !readings.some((reading) => isTimeOf(reading, picture.instants)))
    for (const number of numbers) {
      const isOther =
        isOtherPatients(first.value, number, numbers, picture) &&
        !number.readings.some((reading) => memory.isNoPatientNumber(reading))
      const found = isOther ? 'disputes' : doubtOfNumber(first.value, number, picture, memory)
      if (found === 'disputes') {
        const other: Statement<string> = {
          value: number.readings[0] ?? '',
          source: number.source,
          where: picture.paths[0] ?? '',
        }
        const why = isNearlySame(first.value, other.value) ? 'nearlySame' : 'sourcesDiffer'
        return { kind: 'disputed', statements: [first, other], why }
      }
      if (found === 'asks') doubt ??= { why: 'secondNumber', about: number.readings[0] ?? '' }
    }
  }
  const name = otherNameIn(pictures, first.value, memory)
  const [person] = labelledPeople(pictures)
  if (name !== null && !isAnswered(memory, person?.value ?? '', name.value))
    return { kind: 'disputed', statements: [...labelledPeople(pictures), name], why: 'twoPeople' }
  const term = unknownTermIn(pictures, first.value, memory)
  if (term !== null) doubt ??= { why: 'unknownTerm', about: term }
  const links = new Set(pictures.flatMap(({ ids, link }) => (ids.length > 0 && link !== null ? [link] : [])))
  const isCovered = pictures.every(({ ids, link }) => ids.length > 0 || (link !== null && links.has(link)))
  if (!isCovered) doubt ??= { why: 'noLink' }
  return doubt === null
    ? { kind: 'proven', value: first.value, by }
    : { kind: 'proposed', value: first.value, by, ...doubt }
}

/** The only number of a path is the number of its patient: if it is another, the two disagree whatever their length. */
function isOtherPatients(
  stated: string,
  number: NumberInPath,
  numbers: readonly NumberInPath[],
  picture: PictureOfPatient,
): boolean {
  if (number.standing === 'weak' || isDrawnName(number, picture)) return false
  if (number.readings.some((reading) => isSpellingOf(reading, stated))) return false
  const isOnly = numbers.every(({ core }) => core === number.core)
  return isOnly && digitsOf(number.readings[0] ?? '') >= MIN_SHAPE_DIGITS
}

/** 46382209.jpg: a name that is only a number, and that a record states, was drawn by a program. */
function isDrawnName({ readings }: NumberInPath, { isNamedByRecord, paths }: PictureOfPatient): boolean {
  return isNamedByRecord && paths.some((path) => partsOfPath(path).stem === readings[0])
}

function digitsOf(text: string): number {
  return text.replaceAll(/\D/g, '').length
}

const MIN_SHAPE_DIGITS = 4

/** What another number in the names does to a stated one. */
function doubtOfNumber(
  stated: string,
  number: NumberInPath,
  picture: PictureOfPatient,
  memory: FolderMemory,
): 'nothing' | 'asks' | 'disputes' {
  const { readings } = number
  if (readings.some((reading) => isSpellingOf(reading, stated))) return 'nothing'
  if (readings.some((reading) => memory.areSamePatient(reading, stated))) return 'nothing'
  if (readings.some((reading) => isNearlySame(reading, stated) || memory.isPatient(reading)))
    return 'disputes'
  if (readings.some((reading) => memory.isNoPatientNumber(reading))) return 'nothing'
  if (isDrawnName(number, picture)) return 'nothing'
  const isOfShape = readings.some((reading) => {
    const shape = shapeOf(reading)
    const isLong = digitsOf(reading) >= MIN_SHAPE_DIGITS
    return memory.isShapeOfIds(shape) || (isLong && shape === shapeOf(stated))
  })
  if (isOfShape) return number.standing === 'weak' ? 'asks' : 'disputes'
  return number.standing === 'weak' ? 'nothing' : 'asks'
}

/** The same letters and digits; a name may leave out the clinic's letters in front. */
function isSpellingOf(reading: string, stated: string): boolean {
  const [one, other] = [bareId(reading), bareId(stated)]
  return (
    one === other ||
    one === other.replace(/^[a-z]{1,8}(?=\d)/, '') ||
    one.replace(/^[a-z]{1,8}(?=\d)/, '') === other
  )
}

/** A word of a name that shares nothing with the stated name, and is no constant of the folder. */
function unknownTermIn(
  pictures: readonly PictureOfPatient[],
  stated: string,
  memory: FolderMemory,
): string | null {
  const known = pictures.flatMap(({ people }) =>
    people.flatMap(({ value }) => nameTerms(value.lastName, value.firstName)),
  )
  if (known.length === 0) return null
  for (const { paths, isReadByProfile } of pictures) {
    if (isReadByProfile) continue
    const isExplained = (term: string): boolean => memory.isConstant(term) || bareId(stated).includes(term)
    const terms = paths.flatMap(nameTermsInPath).filter((term) => !isExplained(term))
    // `O'DELL-RAY` is spelled ODELL or O DELL elsewhere: joined spellings count, too.
    const joined = known.join('')
    const strange = terms.find(
      (term) => !joined.includes(term) && !known.some((name) => mayBeOneName([term], [name])),
    )
    if (strange !== undefined) return strange
  }
  return null
}

/** A name beside the number that shares nothing with the stated one: `2712894_Fischer` is not of Hans Salazar. */
function otherNameIn(
  pictures: readonly PictureOfPatient[],
  stated: string,
  memory: FolderMemory,
): Statement<string> | null {
  const known = pictures.flatMap(({ people }) =>
    people.flatMap(({ value }) => nameTerms(value.lastName, value.firstName)),
  )
  if (known.length === 0) return null
  const joined = known.join('')
  for (const { paths, isReadByProfile } of pictures)
    for (const path of isReadByProfile ? [] : paths) {
      const { folders, stem } = partsOfPath(path)
      for (const name of [stem, ...folders]) {
        const tokens = tokensOf(name)
        const beside = tokens.filter((token, at) => {
          const isBeside = [tokens[at - 1], tokens[at + 1], tokens[at + 2]].some(
            (other) => other?.kind === 'number' && isSpellingOf(other.text, stated),
          )
          return (
            isBeside &&
            token.kind === 'text' &&
            token.folded.length >= MIN_NAME_LETTERS &&
            !bareId(stated).includes(token.folded)
          )
        })
        const terms = beside.flatMap(({ text }) => nameTerms(text)).filter((term) => !memory.isConstant(term))
        const isStrange =
          terms.length > 0 &&
          terms.every((term) => !joined.includes(term) && !known.some((one) => mayBeOneName([term], [one])))
        if (isStrange)
          return { value: terms.join(' '), source: name === stem ? 'fileName' : 'folderName', where: path }
      }
    }
  return null
}

const MIN_NAME_LETTERS = 3

function labelledPeople(pictures: readonly PictureOfPatient[]): readonly Statement<string>[] {
  return pictures.flatMap(({ people }) => people.slice(0, 1).map(labelled)).slice(0, 1)
}

/** Two people under one number: by the sources that name a person, or by the names of the files. */
function twoPeopleAmong(
  pictures: readonly PictureOfPatient[],
  memory: FolderMemory,
): {
  readonly statements: readonly Statement<string>[]
  readonly groups: readonly (readonly string[])[]
} | null {
  const people = pictures.flatMap((picture) => picture.people)
  for (const [index, one] of people.entries()) {
    const other = people
      .slice(index + 1)
      .find(
        (each) =>
          contradictionOf(one.value, each.value) !== null &&
          !isAnswered(memory, labelled(one).value, labelled(each).value),
      )
    if (other) {
      const keyOf = (picture: PictureOfPatient): string | null => {
        const [own] = picture.people
        return own ? (contradictionOf(one.value, own.value) === null ? 'one' : 'other') : null
      }
      return { statements: [labelled(one), labelled(other)], groups: groupsBy(pictures, keyOf) }
    }
  }
  const named = pictures.map((picture) => ({
    picture,
    terms: picture.isReadByProfile
      ? []
      : picture.paths.flatMap(nameTermsInPath).filter((term) => !memory.isConstant(term)),
  }))
  const shared = named.reduce<readonly string[] | null>(
    (common, { terms }) => (common === null ? terms : common.filter((term) => terms.includes(term))),
    null,
  )
  // What all names share is no sign of two people; what is left must not name two.
  const own = named.map(({ picture, terms }) => ({
    picture,
    terms: terms.filter((term) => !shared?.includes(term)),
  }))
  const [first, ...others] = own.filter(({ terms }) => terms.length > 0)
  const other =
    first &&
    others.find(
      ({ terms }) =>
        !mayBeOneName(first.terms, terms) && !isAnswered(memory, first.terms.join(' '), terms.join(' ')),
    )
  if (!first || !other) return null
  const groups = groupsBy(pictures, ({ id }) => {
    const terms = own.find((each) => each.picture.id === id)?.terms ?? []
    return terms.length === 0 ? null : mayBeOneName(first.terms, terms) ? 'one' : 'other'
  })
  return { statements: [inNames(first), inNames(other)], groups }
}

function isAnswered({ areOnePerson }: FolderMemory, one: string, other: string): boolean {
  return areOnePerson?.(one, other) === true
}

function labelled({ value, source, where }: Statement<Person>): Statement<string> {
  const { lastName, firstName, birthDate, sex } = value
  return {
    value: [lastName, firstName, birthDate, sex].filter((part) => part !== null).join(' '),
    source,
    where,
  }
}

function inNames({
  picture,
  terms,
}: {
  readonly picture: PictureOfPatient
  readonly terms: readonly string[]
}): Statement<string> {
  return { value: terms.join(' '), source: 'fileName', where: picture.paths[0] ?? '' }
}

function groupsBy(
  pictures: readonly PictureOfPatient[],
  keyOf: (picture: PictureOfPatient) => string | null,
): readonly (readonly string[])[] {
  const groups = Map.groupBy(pictures, (picture) => keyOf(picture) ?? '')
  return [...groups.values()].map((group) => group.map(({ id }) => id))
}

/** Only names say anything: the number that all of them share, if it is one. */
function verdictByNames(pictures: readonly PictureOfPatient[], memory: FolderMemory): Verdict<string> {
  const hints = distinctBy(
    pictures.flatMap((picture) => picture.hints).filter(({ value }) => !isPlaceholder(value)),
    bareId,
  )
  if (hints.length > 1) return { kind: 'disputed', statements: hints, why: 'sourcesDiffer' }
  const [hint] = hints
  const ofPictures = pictures.map(({ paths, instants }) =>
    paths
      .flatMap(numbersIn)
      .filter(({ readings }) => !readings.some((reading) => memory.isNoPatientNumber(reading)))
      .filter(({ readings }) => !readings.some((reading) => isTimeOf(reading, instants))),
  )
  const all = ofPictures.flat()
  const cores = [...new Set(all.map(({ core }) => core))]
  const clear = cores.filter((core) => isEstablished(core, ofPictures))
  if (hint) {
    const isNamed = clear.some((core) => isSpellingOf(core, hint.value))
    const number = all.find(({ core }) => clear.includes(core) && !isSpellingOf(core, hint.value))
    const isOther =
      number !== undefined &&
      (doubtOfNumber(hint.value, number, pictures[0] ?? NO_PICTURE, memory) === 'disputes' ||
        (!isNamed && digitsOf(number.core) >= MIN_SHAPE_DIGITS))
    if (isOther)
      return { kind: 'disputed', statements: [hint, statementOf(number, pictures)], why: 'sourcesDiffer' }
    // `inbox` and a folder that was written over hold the images of many: their record is of one of them.
    const isOfMany = pictures.some(
      ({ isOverwritten, paths }) => isOverwritten || folderOfVisit(paths[0] ?? '') === null,
    )
    if (isOfMany) return { kind: 'unknown', why: 'folderRecord', about: hint.value }
    return { kind: 'proposed', value: hint.value, by: [hint], why: 'folderRecord' }
  }
  const everywhere = clear.filter((core) =>
    ofPictures.every((own) => own.some((number) => number.core === core)),
  )
  // What file and folder say alike is the patient's; another number counts something.
  const agreed = everywhere.filter((one) =>
    ofPictures.every(
      (own) => new Set(own.filter((number) => number.core === one).map(({ source }) => source)).size > 1,
    ),
  )
  const [core, ...more] = agreed.length > 0 ? agreed : everywhere.length > 0 ? everywhere : clear
  const others = clear.filter((one) => one !== core)
  if (core === undefined) return { kind: 'unknown', why: all.length > 0 ? 'weakNumber' : 'nothingStated' }
  if (more.length > 0 || (everywhere.length === 0 && others.length > 0))
    return severalNumbers(all, clear, pictures)
  // Another number that is not everywhere counts, or is a second patient's.
  const rival = others.find(
    (one) => isNearlySame(one, core) || memory.isPatient(one) || shapeOf(one) === shapeOf(core),
  )
  if (rival !== undefined) return severalNumbers(all, [core, rival], pictures)
  const own = all.filter((number) => number.core === core)
  const reading = commonReading(own)
  const [sample] = own
  if (reading === null || sample === undefined)
    return { kind: 'unknown', why: 'severalNumbers', about: own[0]?.readings.join(', ') ?? '' }
  const by = [{ ...statementOf(sample, pictures), value: reading }]
  const [second] = others
  if (second === undefined) return { kind: 'proposed', value: reading, by, why: 'readFromNames' }
  return { kind: 'proposed', value: reading, by, why: 'secondNumber', about: second }
}

const NO_PICTURE: PictureOfPatient = {
  id: '',
  paths: [],
  ids: [],
  people: [],
  hints: [],
  isOverwritten: false,
  link: null,
  isNamedByRecord: false,
  instants: [],
  doProfilesDiffer: false,
  isReadByProfile: false,
}

function severalNumbers(
  all: readonly NumberInPath[],
  cores: readonly string[],
  pictures: readonly PictureOfPatient[],
): Verdict<string> {
  const statements = cores.flatMap((core) => {
    const number = all.find((one) => one.core === core)
    return number ? [statementOf(number, pictures)] : []
  })
  return { kind: 'disputed', statements, why: 'severalNumbers' }
}

/** A weak number needs a second picture, or a folder, that says the same. */
function isEstablished(core: string, ofPictures: readonly (readonly NumberInPath[])[]): boolean {
  const own = ofPictures.map((numbers) => numbers.filter((number) => number.core === core))
  if (own.flat().some(({ standing }) => standing === 'clear')) return true
  const isInBoth = own.some((numbers) => new Set(numbers.map(({ source }) => source)).size > 1)
  return isInBoth || own.filter((numbers) => numbers.length > 0).length > 1
}

/** The spelling that all names share: the whole one if nothing of it varies, else the one without the counter. */
function commonReading(numbers: readonly NumberInPath[]): string | null {
  const [first] = numbers
  if (first === undefined) return null
  const shared = first.readings.filter((reading) =>
    numbers.every((number) => number.readings.some((other) => foldId(other) === foldId(reading))),
  )
  const isAlone = numbers.length === 1
  // Alone, a name does not show whether its end counts.
  if (isAlone && first.readings.length > 1) return null
  return shared[0] ?? null
}

function statementOf(number: NumberInPath, pictures: readonly PictureOfPatient[]): Statement<string> {
  const where = pictures.flatMap(({ paths }) => paths).find((path) => path.includes(number.readings[0] ?? ''))
  return { value: number.readings[0] ?? '', source: number.source, where: where ?? '' }
}
