/** On which day the pictures of a case were taken. Pure. */
import { isCalendarDate } from '../../../../src-shared/fields.ts'
import { daysFrom } from '../meaning/dates.ts'
import { partsOfPath, tokensOf } from '../names/tokens.ts'
import {
  distinctBy,
  type PictureEvidence,
  type Pictures,
  type Statement,
  statementOf,
  type Verdict,
  weighed,
} from './evidence.ts'

/** Clocks and time zones are off by hours; a file that comes days later is looked at. */
const MAX_DAYS_TO_ARRIVE = 2

/** A date of more days ago in a name is of a birth more often than of a visit. */
const OLD_VISIT_DAYS = 400

/** Digital exports are rarely older; births mostly are. A wrong clock may be as far ahead. */
const LONG_AGO_DAYS = 15 * 365

/** A date in a name. `days` are all that it may mean: day and month may be in either order. */
type NamedDate = Pick<Statement<string>, 'source' | 'where'> & {
  readonly days: readonly string[]
  readonly isYearFirst: boolean
}

export function verdictOnDay(pictures: Pictures): Verdict<string> {
  return weighed(
    dayStatedIn(pictures),
    pictures.map(({ days }) => days),
  )
}

function dayStatedIn(pictures: Pictures): Verdict<string> {
  const births = new Set(pictures.flatMap((picture) => picture.births))
  const stated = pictures.flatMap(({ days }) => days)
  const hints = pictures.flatMap(({ dayHints }) => dayHints)
  const dates = pictures
    .flatMap((picture) => (picture.isReadByProfile ? [] : datesInNames(picture)))
    .filter(({ days }) => !days.some((day) => births.has(day)))
  const byNames = dates.flatMap(({ days, isYearFirst, source, where }) =>
    isYearFirst ? days.map((value) => statementOf(value, source, where)) : [],
  )
  const strange = stated.length > 0 ? null : strangeIn(hints, byNames, pictures)
  if (strange) return { kind: 'disputed', statements: strange, why: 'sourcesDiffer' }
  const latest = pictures.map(({ seenOn }) => seenOn).reduce((one, day) => (one > day ? one : day), '')
  // Dates of names that lie far from the arrival may be of a birth or an export: they give a day only if nothing else does.
  const giving = [...stated, ...hints, ...byNames.filter(({ value }) => isNear(value, latest))]
  const [first] = giving
  if (first === undefined) return ofFiles(pictures, byNames, latest)
  // What is too weak to give a day may doubt one: a stated day by every date that may be a visit's.
  const isOfOurTime = (day: string): boolean => Math.abs(daysFrom(day, latest)) <= LONG_AGO_DAYS
  const mayDoubt = stated.length > 0 ? isOfOurTime : (day: string) => isNear(day, latest)
  const doubting = dates.flatMap((date) => doubtIn(date, giving, mayDoubt))
  const all = distinctBy([...giving, ...doubting], (day) => day)
  if (all.length > 1) return { kind: 'disputed', statements: all, why: 'sourcesDiffer' }
  const { value } = first
  if (!isNear(value, latest)) {
    // A day that has not come yet is of a wrong clock, and that of a birth is of a slip.
    if (value > latest || births.has(value)) return { kind: 'unknown', why: 'farFromArrival', about: value }
    const late = pictures.filter(({ seenOn }) => !isNear(value, seenOn))
    const isAnnounced = stated.length > 0 && late.every(({ isImported }) => isImported)
    return { kind: 'proposed', value, by: giving, why: isAnnounced ? 'importedBatch' : 'farFromArrival' }
  }
  // A record of another day than its image is of another visit, whatever it is bound to.
  const ofRecords = stated.every(({ source }) => source === 'sidecar') ? stated : []
  const ofOther = strangeIn(ofRecords, byNames, pictures)
  if (ofOther) return { kind: 'disputed', statements: ofOther, why: 'sourcesDiffer' }
  // Tomorrow's day is of a clock of another zone, or of one that is wrong.
  if (stated.length > 0 && value > latest) return { kind: 'proposed', value, by: giving, why: 'otherZone' }
  if (stated.length > 0 && pictures.every((picture) => hasOwnDay(picture, pictures)))
    return { kind: 'proven', value, by: giving }
  const why = hints.length > 0 ? 'folderRecord' : byNames.length > 0 ? 'readFromNames' : 'fileTime'
  return { kind: 'proposed', value, by: giving, why }
}

/** The day of one picture is not that of another, unless both are of one study. */
function hasOwnDay({ days, link }: PictureEvidence, pictures: Pictures): boolean {
  return (
    days.length > 0 ||
    (link !== null && pictures.some((other) => other.link === link && other.days.length > 0))
  )
}

/** The record of a folder is of the day that its images or their names have, or it is of others: then both, else null. */
function strangeIn(
  hints: readonly Statement<string>[],
  byNames: readonly Statement<string>[],
  pictures: Pictures,
): readonly Statement<string>[] | null {
  const strange = hints.find(
    ({ value }) =>
      !pictures.some((picture) => isDayOf(picture, value)) && !byNames.some((named) => named.value === value),
  )
  const [own] = pictures
  if (strange === undefined || own === undefined) return null
  return [strange, statementOf(own.fileDay, 'fileTime', own.paths[0])]
}

/**
 * True if a record states a day that neither its image, the file, their names nor the arrival have (`own`: the days of its
 * attributes, and one that a person entered): it is of another visit. What a person chose to import came later than any of them.
 */
export function isOfOtherVisit(
  day: string | undefined,
  picture: Pick<PictureEvidence, 'paths' | 'seenOn' | 'fileDay' | 'isImported'>,
  own: readonly (string | undefined)[],
): boolean {
  if (day === undefined || picture.isImported || isDayOf(picture, day) || own.includes(day)) return false
  return !datesInNames({ ...picture, ids: [] }).some(({ days }) => days.includes(day))
}

/** The reading of a date that no other day agrees with: the nearest to them. */
function doubtIn(
  { days, source, where }: NamedDate,
  giving: readonly Statement<string>[],
  mayDoubt: (day: string) => boolean,
): readonly Statement<string>[] {
  if (giving.some(({ value }) => days.includes(value))) return []
  const away = (day: string): number => Math.abs(daysFrom(day, giving[0]?.value ?? ''))
  const [value] = days.filter(mayDoubt).toSorted((one, other) => away(one) - away(other))
  return value === undefined ? [] : [statementOf(value, source, where)]
}

function isDayOf({ seenOn, fileDay }: Pick<PictureEvidence, 'seenOn' | 'fileDay'>, day: string): boolean {
  return day === seenOn || day === fileDay
}

function ofFiles(pictures: Pictures, byNames: readonly Statement<string>[], latest: string): Verdict<string> {
  const [named, ...others] = distinctBy(byNames, (day) => day)
  const isPastWithin = (most: number, { value }: Statement<string>): boolean =>
    value <= latest && daysFrom(value, latest) <= most
  if (named !== undefined && others.length === 0 && isPastWithin(OLD_VISIT_DAYS, named))
    return { kind: 'proposed', value: named.value, by: byNames, why: 'farFromArrival' }
  // A date of some years ago is of a late export, or of a child's birth.
  if (byNames.some((one) => isPastWithin(LONG_AGO_DAYS, one)))
    return { kind: 'unknown', why: 'farFromArrival', about: byNames[0]?.value ?? '' }
  const days = pictures.map(({ fileDay }) => fileDay).toSorted()
  const [day] = days
  if (day === undefined) return { kind: 'unknown', why: 'nothingStated' }
  const by = [statementOf(day, 'fileTime', pictures[0]?.paths[0])]
  return { kind: 'proposed', value: day, by, why: 'fileTime' }
}

function isNear(day: string, seenOn: string): boolean {
  return Math.abs(daysFrom(day, seenOn)) <= MAX_DAYS_TO_ARRIVE
}

function datesInNames({ paths, ids }: Pick<PictureEvidence, 'paths' | 'ids'>): readonly NamedDate[] {
  const numbers = new Set(ids.map(({ value }) => digitsOf(value)))
  return paths.flatMap((path) => {
    const { folders, names } = partsOfPath(path)
    const inNames = names.flatMap((name, depth) =>
      (depth > 0 && isExport(name) ? [] : tokensOf(name)).flatMap((token): NamedDate[] =>
        token.kind === 'date' && !numbers.has(digitsOf(token.text))
          ? [
              {
                days: token.days,
                isYearFirst: token.value !== null,
                source: depth === 0 ? 'fileName' : 'folderName',
                where: path,
              },
            ]
          : [],
      ),
    )
    return [...inNames, ...dayOfFolders(folders, path)]
  })
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}

/** A folder of an export states the day of the export. */
function isExport(name: string): boolean {
  return tokensOf(name).some(({ folded }) => /^(exports?|exported|exportados|backup)$/.test(folded))
}

/** 2026/11/20: a date in three folders. */
function dayOfFolders(folders: readonly string[], where: string): readonly NamedDate[] {
  return folders.flatMap((year, at): NamedDate[] => {
    const day = [year, folders[at + 1], folders[at + 2]].join('-')
    const isDay = /^20\d\d-\d\d-\d\d$/.test(day) && isCalendarDate(day)
    return isDay ? [{ days: [day], isYearFirst: true, source: 'folderName', where }] : []
  })
}
