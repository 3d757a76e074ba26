import { dateOf, momentOf, timeOf } from './dicom-dates.ts'
import { readCode, readCodes, readItems } from './read-value.ts'
import { readText, type FactsSource, type Rejection } from './stated-facts.ts'
import type { DataSet } from './walk-data-set.ts'

const STUDY_DATE = 0x00080020
const ACQUISITION_DATE = 0x00080022
const CONTENT_DATE = 0x00080023
const ACQUISITION_MOMENT = 0x0008002a
const ACQUISITION_TIME = 0x00080032
const CONTENT_TIME = 0x00080033
const IMAGE_TYPE = 0x00080008
const SERIES_DESCRIPTION = 0x0008103e
const ANATOMIC_REGION = 0x00082218
const CODE_MEANING = 0x00080104
const MAKER = 0x00080070
const MODEL = 0x00081090

/** For a line on a screen. */
const MOST_LETTERS = 100

const NO_DATE =
  'A date in the DICOM file is no day of the calendar, so it was not taken. Check the clock of the camera and the visit date of the case.'

/**
 * `visitDate` is the day of the study, else of the picture; `capturedAt` the moment of the picture by the clock of the
 * camera. Null where the file does not say.
 */
export async function readOccasion(source: FactsSource): Promise<{
  readonly visitDate: string | null
  readonly capturedAt: string | null
  readonly rejected: readonly Rejection[]
}> {
  const code = (tag: number): Promise<string | null> => readCode(source.window, source.dataSet, tag)
  const moment = await code(ACQUISITION_MOMENT)
  const acquired = { date: await code(ACQUISITION_DATE), time: await code(ACQUISITION_TIME) }
  const content = { date: await code(CONTENT_DATE), time: await code(CONTENT_TIME) }
  const days = [await code(STUDY_DATE), moment?.slice(0, 8) ?? null, acquired.date, content.date]
  const stated = days.filter((day) => day !== null)
  const dates = stated.map(dateOf)
  const capturedAt = (moment === null ? null : momentOf(moment)) ?? joined(acquired) ?? joined(content)
  return {
    visitDate: dates.find((date) => date !== null) ?? null,
    capturedAt,
    rejected: dates.includes(null) ? [{ field: 'visit_date', message: NO_DATE }] : [],
  }
}

function joined(at: { readonly date: string | null; readonly time: string | null }): string | null {
  const date = at.date === null ? null : dateOf(at.date)
  const time = at.time === null ? null : timeOf(at.time)
  return date !== null && time !== null ? `${date}T${time}` : null
}

/** What was photographed and how, in the words of the file; the third and fourth value of Image Type say it shortest. */
export async function readView(source: FactsSource): Promise<string | null> {
  const { window, dataSet } = source
  const [, , flavour = '', light = ''] = await readCodes(window, dataSet, IMAGE_TYPE)
  return line(
    [light, flavour, await textOf(source, dataSet, SERIES_DESCRIPTION), await readRegion(source)],
    ', ',
  )
}

/** Some writers swap a code and its meaning; a number says nothing to a person. */
async function readRegion(source: FactsSource): Promise<string> {
  const [region] = await readItems(source.window, source.dataSet, ANATOMIC_REGION)
  const meaning = region ? await textOf(source, region, CODE_MEANING) : ''
  return /^[\d-]+$/.test(meaning) ? '' : meaning
}

/** Maker and model, the maker only once. */
export async function readDevice(source: FactsSource): Promise<string | null> {
  const maker = await textOf(source, source.dataSet, MAKER)
  const model = await textOf(source, source.dataSet, MODEL)
  const isNamedTwice = model.toLowerCase().startsWith(maker.toLowerCase())
  return line([isNamedTwice ? '' : maker, model], ' ')
}

async function textOf(source: FactsSource, dataSet: DataSet, tag: number): Promise<string> {
  const found = await readText(source, dataSet, tag)
  return found?.kind === 'text' ? found.text : ''
}

function line(parts: readonly string[], between: string): string | null {
  const text = [...new Set(parts)].filter((part) => part !== '').join(between)
  return text === '' ? null : text.slice(0, MOST_LETTERS)
}
