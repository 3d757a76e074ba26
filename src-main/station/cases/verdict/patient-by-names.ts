/** Whose pictures these are if nothing but their names, and what is no proof, says it. Pure. */
import { bareId, compareIds, digitsIn, foldId, isNearlySame, isTimeOf, shapeOf } from '../meaning/numbers.ts'
import { numbersIn, type NumberInPath } from '../names/numbers.ts'
import { type FolderMemory, hintsOf, type PictureEvidence } from './evidence.ts'
import { doubtOfNumber, isSpellingOf, MIN_SHAPE_DIGITS } from './second-numbers.ts'
import { folderOfVisit } from './together.ts'
import { distinctBy, type Statement, type Verdict } from './verdict.ts'

/** Only names say anything: the number that all of them share, if it is one. */
export function verdictByNames(pictures: readonly PictureEvidence[], memory: FolderMemory): Verdict<string> {
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
        (!isNamed && digitsIn(number.core) >= MIN_SHAPE_DIGITS))
    if (isOther)
      return { kind: 'disputed', statements: [hint, statementOf(number, pictures)], why: 'sourcesDiffer' }
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
  const isSame = (one: string): boolean =>
    core !== undefined && memory.areSamePatient(spelled(all, one), spelled(all, core))
  const others = clear.filter((one) => one !== core && !isSame(one))
  if (core === undefined) return { kind: 'unknown', why: all.length > 0 ? 'weakNumber' : 'nothingStated' }
  if (more.some((one) => !isSame(one)) || (everywhere.length === 0 && others.length > 0))
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

/** `inbox`, a folder that has held two patients, and one that was written over hold the images of many. */
function isInFolderOfMany({ isOverwritten, isInSharedFolder, paths }: PictureEvidence): boolean {
  return isOverwritten || isInSharedFolder || paths.some((path) => folderOfVisit(path) === null)
}

/** The whole spelling of a number. */
function spelled(numbers: readonly NumberInPath[], core: string): string {
  return numbers.find((number) => number.core === core)?.readings[0] ?? core
}

const NO_PICTURE = { paths: [], explained: [], isNamedByRecord: false }

function severalNumbers(
  all: readonly NumberInPath[],
  cores: readonly string[],
  pictures: readonly PictureEvidence[],
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

function statementOf(number: NumberInPath, pictures: readonly PictureEvidence[]): Statement<string> {
  const where = pictures.flatMap(({ paths }) => paths).find((path) => path.includes(number.readings[0] ?? ''))
  return { value: number.readings[0] ?? '', source: number.source, where: where ?? '' }
}
