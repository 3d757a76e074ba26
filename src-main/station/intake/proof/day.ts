/** On which day the pictures of a case were taken. Pure. */
import { DAY } from '../../../../src-shared/durations.ts'
import { partsOfPath, tokensOf } from './tokens.ts'
import { distinctBy, type Statement, type Verdict } from './verdict.ts'

export type PictureOfDay = {
  readonly paths: readonly string[]
  /** `YYYY-MM-DD`, by DICOM attributes, bound records, confirmed profiles. */
  readonly days: readonly Statement<string>[]
  /** By records that are not bound to it. */
  readonly hints: readonly Statement<string>[]
  /** Birth dates that any source states: never the day of a visit. */
  readonly births: readonly string[]
  /** The day on which the station first saw the file, `YYYY-MM-DD`, local. */
  readonly seenOn: string
  /** The day of the file's own time, the last resort. */
  readonly fileDay: string
  /** A confirmed profile reads these paths in whole. */
  readonly isReadByProfile: boolean
}

/** Clocks and time zones are off by hours; a file that comes days later is looked at. */
const MAX_DAYS_TO_ARRIVE = 2

/** Decides the day of the visit. */
export function verdictOnDay(pictures: readonly PictureOfDay[]): Verdict<string> {
  const births = new Set(pictures.flatMap((picture) => picture.births))
  const stated = pictures.flatMap(({ days }) => days)
  const hints = pictures.flatMap((picture) => picture.hints)
  const byNames = pictures.flatMap((picture) => (picture.isReadByProfile ? [] : daysInNames(picture, births)))
  // The record of a folder is of the day of its images, or it is of others.
  const strange =
    stated.length > 0
      ? undefined
      : hints.find(({ value }) => !pictures.some((picture) => isDayOf(picture, value)))
  if (strange) {
    const [own] = pictures
    const ofFile: Statement<string> = {
      value: own?.fileDay ?? '',
      source: 'fileTime',
      where: own?.paths[0] ?? '',
    }
    return { kind: 'disputed', statements: [strange, ofFile], why: 'sourcesDiffer' }
  }
  const latest =
    pictures
      .map(({ seenOn }) => seenOn)
      .toSorted()
      .at(-1) ?? ''
  // Dates of names that lie far from the arrival may be of a birth or an export: they give a day only if nothing else does.
  const near = byNames.filter(({ value }) => isNear(value, latest))
  // A stated day is doubted by every date in the names that may be a visit's.
  const doubting =
    stated.length > 0 ? byNames.filter(({ value }) => value <= latest && !isLongAgo(value, latest)) : []
  const giving = [...stated, ...hints, ...near, ...doubting]
  const [first] = giving
  if (first === undefined) return ofFiles(pictures, byNames, latest)
  const all = distinctBy(giving, (day) => day)
  if (all.length > 1) return { kind: 'disputed', statements: all, why: 'sourcesDiffer' }
  const why =
    stated.length > 0 ? null : hints.length > 0 ? ('folderRecord' as const) : ('readFromNames' as const)
  // A day that has not come yet is of a wrong clock.
  if (first.value > latest && !isNear(first.value, latest))
    return { kind: 'unknown', why: 'farFromArrival', about: first.value }
  if (!isNear(first.value, latest))
    return { kind: 'proposed', value: first.value, by: giving, why: 'farFromArrival' }
  return why === null
    ? { kind: 'proven', value: first.value, by: giving }
    : { kind: 'proposed', value: first.value, by: giving, why }
}

function isDayOf({ seenOn, fileDay }: PictureOfDay, day: string): boolean {
  return day === seenOn || day === fileDay
}

function ofFiles(
  pictures: readonly PictureOfDay[],
  byNames: readonly Statement<string>[],
  latest: string,
): Verdict<string> {
  const [named, ...others] = distinctBy(byNames, (day) => day)
  const isPlausible =
    named !== undefined && others.length === 0 && named.value <= latest && isRecent(named.value, latest)
  if (isPlausible) return { kind: 'proposed', value: named.value, by: byNames, why: 'farFromArrival' }
  // A date of some years ago is of a late export, or of a child's birth.
  if (byNames.some(({ value }) => value <= latest && !isLongAgo(value, latest)))
    return { kind: 'unknown', why: 'farFromArrival', about: byNames[0]?.value ?? '' }
  const days = pictures.map(({ fileDay }) => fileDay).toSorted()
  const [day] = days
  if (day === undefined) return { kind: 'unknown', why: 'nothingStated' }
  const by: Statement<string> = { value: day, source: 'fileTime', where: pictures[0]?.paths[0] ?? '' }
  return { kind: 'proposed', value: day, by: [by], why: 'fileTime' }
}

function isNear(day: string, seenOn: string): boolean {
  return Math.abs(Date.parse(day) - Date.parse(seenOn)) <= MAX_DAYS_TO_ARRIVE * DAY
}

const OLD_VISIT_DAYS = 400

const LONG_AGO_DAYS = 15 * 365

/** Digital exports are rarely older; births mostly are. */
function isLongAgo(day: string, seenOn: string): boolean {
  return Date.parse(seenOn) - Date.parse(day) > LONG_AGO_DAYS * DAY
}

/** A date of years ago in a name is of a birth more often than of a visit. */
function isRecent(day: string, seenOn: string): boolean {
  return Date.parse(seenOn) - Date.parse(day) <= OLD_VISIT_DAYS * DAY
}

function daysInNames({ paths }: PictureOfDay, births: ReadonlySet<string>): readonly Statement<string>[] {
  return paths.flatMap((path) => {
    const { folders, stem } = partsOfPath(path)
    const inNames = [stem, ...folders.toReversed()].flatMap((name, depth) =>
      (depth > 0 && isExport(name) ? [] : tokensOf(name)).flatMap((token): Statement<string>[] =>
        token.kind === 'date' && token.value !== null && !births.has(token.value)
          ? [{ value: token.value, source: depth === 0 ? 'fileName' : 'folderName', where: path }]
          : [],
      ),
    )
    return [...inNames, ...dayOfFolders(folders, path)]
  })
}

/** A folder of an export states the day of the export. */
function isExport(name: string): boolean {
  return tokensOf(name).some(({ folded }) => /^(exports?|exported|exportados|backup)$/.test(folded))
}

/** 2026/11/20: a date in three folders. */
function dayOfFolders(folders: readonly string[], where: string): readonly Statement<string>[] {
  return folders.flatMap((year, at): Statement<string>[] => {
    const value = [year, folders[at + 1], folders[at + 2]].join('-')
    const isDay = /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    return isDay ? [{ value, source: 'folderName', where }] : []
  })
}
