/** What other numbers in the names do to a number that a source states. Pure. */
import { DAY } from '../../../../src-shared/durations.ts'
import { bareId, digitsIn, isIdle, isNearlySame, isTimeOf, shapeOf } from '../meaning/numbers.ts'
import { everyNumberIn, isTimeOfPicture, type NumberInPath } from '../names/numbers.ts'
import {
  type FolderMemory,
  type PictureEvidence,
  type Pictures,
  type Statement,
  statementOf,
} from './evidence.ts'
import { partsOfPath } from '../names/tokens.ts'
import { isMeasure } from '../meaning/vocabulary.ts'

/** So many digits are the number of a person or a thing, and no counter. */
export const MIN_SHAPE_DIGITS = 4

/** What a number in the names of a picture is compared with. */
type Compared = {
  readonly stated: string
  readonly picture: PictureEvidence
  readonly memory: FolderMemory
  /** See `drawnSlots`. */
  readonly drawn: ReadonlySet<string>
}

export type SecondNumber = { readonly kind: 'disputes' | 'asks'; readonly statement: Statement<string> }

/** The first number in the names that disputes a stated one, else the first that a person is asked about. */
export function secondNumberIn(
  pictures: Pictures,
  stated: string,
  memory: FolderMemory,
): SecondNumber | null {
  const births = new Set(
    pictures.flatMap(({ people }) => people.flatMap(({ value }) => value.birthDate ?? [])),
  )
  const drawn = drawnSlots(pictures.flatMap(({ paths }) => paths))
  const ofPictures = pictures.map((picture) => {
    const compared = { stated, picture, memory, drawn }
    return { compared, numbers: numbersOf(compared).filter((one) => !isDayOf(one, picture, births)) }
  })
  const running = runningNumbers(
    ofPictures.map(({ numbers }) => numbers.filter((one) => !isSpelledBy(one, stated))),
  )
  let asked: SecondNumber | null = null
  for (const { compared, numbers } of ofPictures)
    for (const number of numbers) {
      const doubt = doubtOfNumber(number, compared)
      const isRunning = running.has(number.core)
      const isAnswered = number.readings.some((reading) => memory.isNoPatientNumber(reading))
      const disputes =
        doubt === 'disputes' || (!isRunning && !isAnswered && isOtherPatients(number, numbers, compared))
      const { paths } = compared.picture
      const statement = statementOf(number.readings[0] ?? '', number.source, paths[0] ?? '')
      if (disputes) return { kind: 'disputes', statement }
      if (doubt === 'asks' && !isRunning) asked ??= { kind: 'asks', statement }
    }
  return asked
}

/** Without times of the picture and idle numbers; what is nearly the stated number is neither, whatever it looks like. */
function numbersOf(compared: Compared): readonly NumberInPath[] {
  const { picture, stated } = compared
  const { isReadByProfile, paths, instants } = picture
  if (isReadByProfile) return paths.flatMap((path) => partsBeside(path, compared))
  return paths
    .flatMap(everyNumberIn)
    .filter((number) => isSpelledBy(number, stated) || !isExplained(number, picture))
    .filter(({ readings }) => !readings.some(isMeasure))
    .filter(
      (number) =>
        (number.standing !== 'idle' && !isTimeOfPicture(number, instants)) ||
        number.readings.some((reading) => isNearlySame(reading, stated)),
    )
}

/** The file itself calls this number its accession or study, or it is a part of a UID. */
function isExplained({ readings }: NumberInPath, { explained }: PictureEvidence): boolean {
  return readings.some((reading) =>
    explained.some((text) =>
      /^[\d.]+\.[\d.]+$/.test(text) ? text.split('.').includes(reading) : isSpellingOf(reading, text),
    ),
  )
}

function withoutZeros(id: string): string {
  return bareId(id).replace(/^0+/, '')
}

/**
 * Every part of confirmed names that is the number of a known patient, or an idle one as long as the stated one: the parts of
 * these names may have changed places. What differs from the stated number by zeros in front only is its padding.
 */
function partsBeside(path: string, { picture, stated, memory }: Compared): readonly NumberInPath[] {
  const { stem, names } = partsOfPath(path)
  const whole = everyNumberIn(path).flatMap(({ readings }) => readings)
  const runs = names.flatMap((name) => name.match(/\d{3,}/g) ?? [])
  const known = [...new Set([...whole, ...runs])].filter(
    (part) =>
      withoutZeros(part) !== withoutZeros(stated) &&
      !isPartOf(part, stated) &&
      !isTimeOf(part, picture.instants) &&
      (memory.isPatient(part) || (part.length === stated.length && isIdle(part))) &&
      !memory.areSamePatient(part, stated),
  )
  return known.map((part) => ({
    readings: [part],
    core: bareId(part),
    source: stem.includes(part) ? 'fileName' : 'folderName',
    standing: 'clear',
    followsDay: false,
  }))
}

/** 10 of 105-10-0044: a group of the number. */
function isPartOf(part: string, stated: string): boolean {
  return bareId(stated).includes(bareId(part))
}

/** A day of these years may be a visit's, and is compared as such. */
const VISIT_YEARS = 15

/** 2026, 11031954 or 20261120: the birth date of the patient, or a day on which a visit may have been. */
function isDayOf(
  { standing, core: year, days }: NumberInPath,
  { instants }: PictureEvidence,
  births: ReadonlySet<string>,
): boolean {
  if (standing !== 'dated') return false
  if (days === undefined) {
    const isOfVisit = instants.some((instant) => {
      const years = new Date(instant).getFullYear() - Number(year)
      return years >= 0 && years <= VISIT_YEARS
    })
    return isOfVisit || [...births].some((birth) => birth.startsWith(year))
  }
  return days.some((day) => {
    const at = Date.parse(day)
    const isOfVisit = instants.some(
      (instant) => at <= instant + 2 * DAY && at >= instant - VISIT_YEARS * 365 * DAY,
    )
    return isOfVisit || births.has(day)
  })
}

const MAX_RUN = 100

/** 10421.dcm and 10435.dcm under one stated number: numbers that run on from picture to picture count the pictures. */
function runningNumbers(ofPictures: readonly (readonly NumberInPath[])[]): ReadonlySet<string> {
  const own = ofPictures.map((numbers) => [...new Set(numbers.map(({ core }) => core))])
  const cores = own.flat()
  const counts = cores.map(Number)
  const isRun =
    own.length > 1 &&
    own.every(({ length }) => length === 1) &&
    new Set(cores).size === cores.length &&
    cores.every((core) => /^\d+$/.test(core) && core.length === cores[0]?.length) &&
    Math.max(...counts) - Math.min(...counts) < MAX_RUN
  return new Set(isRun ? cores : [])
}

/** The only number of a path is the number of its patient: if it is another, the two disagree whatever their length. */
function isOtherPatients(
  number: NumberInPath,
  numbers: readonly NumberInPath[],
  compared: Compared,
): boolean {
  const { picture } = compared
  if (number.standing !== 'clear' || isSpelledBy(number, compared.stated)) return false
  if (isOfProgram(number, compared)) return false
  if (isWholeName(number, picture) && (picture.isNamedByRecord || digitsIn(number.core) >= MIN_DRAWN_DIGITS))
    return false
  const isOnly = numbers.every(({ core }) => core === number.core)
  return isOnly && digitsIn(number.readings[0] ?? '') >= MIN_SHAPE_DIGITS
}

/** A program that draws names, rather than counting, draws so many digits. */
const MIN_DRAWN_DIGITS = 8

/** S0000001/I0000012, PA1/ST2/IM7: names of a medium (PS3.10 8.2), each level with letters of its own. */
const MEDIUM_NAME = /^(p|pa|pat|s|st|std|stu|se|ser|sr|i|im|img|image|o|obj|d)_?\d{1,8}$/i

/** Hexadecimal digits with a letter behind a digit, as numbers of patients mostly have none: a3f91c, x0019a3f2, 37474e6b3x. */
const DRAWN = /^(?=.*\d[a-f])[g-z]?[0-9a-f]{6,16}[g-z]?$/i

/** The positions of names, with their lengths, in which a program draws names: then a drawn one may as well be digits alone. */
function drawnSlots(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) =>
      partsOfPath(path).names.flatMap((name, at) => (DRAWN.test(name) ? [slotOf(name, at)] : [])),
    ),
  )
}

function slotOf(name: string, at: number): string {
  return `${at} ${name.length} ${name.replace(/[0-9a-f]+/i, '-')}`
}

/** A name that the program chose which wrote the files: of a DICOM medium, or drawn. Not if patients' numbers look so. */
function isOfProgram(
  { readings: [reading = ''] }: NumberInPath,
  { stated, picture: { paths, explained }, drawn }: Compared,
): boolean {
  if (shapeOf(reading) === shapeOf(stated) || DRAWN.test(stated)) return false
  return paths.some((path) => {
    const { names } = partsOfPath(path)
    const [stem = ''] = names
    const at = names.indexOf(reading)
    if (at === -1) return false
    const letters = names.flatMap((name) => MEDIUM_NAME.exec(name)?.[1]?.toLowerCase() ?? [])
    const isOfMedium = MEDIUM_NAME.test(stem) && new Set(letters).size > 1 && MEDIUM_NAME.test(reading)
    return (explained.length > 0 && isOfMedium) || drawn.has(slotOf(reading, at))
  })
}

/** 46382209.jpg: a name that is only a number. */
function isWholeName({ readings }: NumberInPath, { paths }: Pick<PictureEvidence, 'paths'>): boolean {
  return paths.some((path) => partsOfPath(path).stem === readings[0])
}

/** What another number in the names does to a stated one. */
export function doubtOfNumber(number: NumberInPath, compared: Compared): 'nothing' | 'asks' | 'disputes' {
  const { stated, picture, memory } = compared
  const { readings, standing } = number
  if (isSpelledBy(number, stated)) return 'nothing'
  if (readings.some((reading) => memory.areSamePatient(reading, stated))) return 'nothing'
  if (readings.some((reading) => isNearlySame(reading, stated) || memory.isPatient(reading)))
    return 'disputes'
  if (readings.some((reading) => memory.isNoPatientNumber(reading))) return 'nothing'
  if (picture.isNamedByRecord && isWholeName(number, picture)) return 'nothing'
  const isLearnt = readings.some((reading) => memory.isShapeOfIds(shapeOf(reading)))
  if (!isLearnt && isOfProgram(number, compared)) return 'nothing'
  const isOfShape =
    isLearnt ||
    readings.some((reading) => digitsIn(reading) >= MIN_SHAPE_DIGITS && shapeOf(reading) === shapeOf(stated))
  switch (standing) {
    case 'clear':
      return isOfShape ? 'disputes' : 'asks'
    case 'counted':
    case 'dated':
      return isLearnt ? 'disputes' : 'asks'
    case 'weak':
      return isOfShape ? 'asks' : 'nothing'
    case 'time':
    case 'idle':
      return 'nothing'
  }
}

export function isSpelledBy({ readings }: NumberInPath, id: string): boolean {
  return readings.some((reading) => isSpellingOf(reading, id))
}

/** The same letters and digits; a name may leave out the clinic's letters in front. */
export function isSpellingOf(reading: string, stated: string): boolean {
  const [one, other] = [bareId(reading), bareId(stated)]
  return one === other || one === withoutPrefix(other) || withoutPrefix(one) === other
}

function withoutPrefix(bare: string): string {
  return bare.replace(/^[a-z]{1,8}(?=\d)/, '')
}
