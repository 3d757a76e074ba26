/** What the data files beside images state: `case.json`, and the JSON, XML and CSV of cameras and clinics. Pure. */
import { hash } from 'node:crypto'
import { isFieldName } from '../../../../src-shared/fields.ts'
import type { FolderReading } from '../../../../src-shared/folder-settings.ts'
import { type Message, type NameIn, worded, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import type { SidecarForm } from '../../outbox/files.ts'
import {
  type DataBlock,
  type DataContent,
  type DataForm,
  type DataValue,
  MAX_DATA_BYTES,
  MAX_ROWS,
  type Table,
} from '../../../reader/messages.ts'
import { foldPath, isFileName, type Sidecar } from '../meaning/sources.ts'
import { readEye } from '../meaning/vocabulary.ts'
import { documentStatements } from './documents.ts'
import {
  buildDraft,
  type DataFileLabel,
  doubtBeside,
  Draft,
  rulesOf,
  safeRelativePath,
  numberOf,
  PeopleByNumber,
} from './drafts.ts'
import { mappedMeaning, namesBy, type Names, type Statements, termsIn, termsOf } from './headings.ts'
import { areAboutCases, tableMeaning } from './tables.ts'

/** Records in their order, as an array has them; those of a large file are parsed one by one. */
export type SidecarList<One = Sidecar> = {
  readonly length: number
  readonly at: (index: number) => One | undefined
}

export type DataFileReading<Records extends SidecarList = readonly Sidecar[]> =
  | {
      readonly ok: true
      readonly records: Records
      readonly form: SidecarForm
      /** What could not be used: rows that do not fit the headings. */
      readonly trouble: Message | null
    }
  /** `isForeign`: the file belongs to another program and is not about cases. */
  | ({ readonly ok: false; readonly isForeign: boolean } & Message)

export type DataFileOptions = Pick<FolderReading, 'columns' | 'dateOrder' | 'nameOrder'>

/** A list of more visits is no record of the images beside it: it speaks of those that it names, as a table does. */
const MOST_IN_DOCUMENT = 50

/** What a data file states. The messages are for a photographer and contain no content. */
export function recordsIn(
  content: DataContent,
  where: Exclude<DataForm, 'list'>,
  options: DataFileOptions,
): DataFileReading {
  if (where === 'case') return recordOfCase(content)
  const names = namesBy(options.columns)
  if (content.kind === 'unread') return whyUnread(content, where, names)
  const found =
    content.kind === 'table' ? findInTable(content.table, names) : findInDocument(content.root, names)
  // What was read until it was too much is of cases.
  if (typeof found === 'string') return unread(where, found)
  const { visits, misfits, capture } = found
  if (!found.isAboutCases) return foreign(where)
  if (visits.length > MAX_ROWS.csv) return unread(where, 'tooManyRows')
  if (visits.length === 0 && misfits === 0) return unread(where, 'headingsOnly')
  const { dateOrder, nameOrder } = options
  const rules = rulesOf(visits, { where, dateOrder, nameOrder })
  const records = mergeDrafts(visits.map((visit) => buildDraft(visit, rules))).map((draft) => ({
    ...draft.record(),
    ...(capture !== null && { capture }),
  }))
  const trouble = misfits === 0 ? null : worded('intake:dataFile.misfits', { rows: misfits })
  if (where === 'csv') return { ok: true, ...ofStemIfOne(records), trouble }
  return { ok: true, records, form: records.length > MOST_IN_DOCUMENT ? 'table' : 'document', trouble }
}

/** What a record may state of the person, beside names in other forms. */
const OF_PERSON = ['history_number', 'last_name', 'first_name', 'birth_date', 'gender'] as const

/** More people under one number say nothing more. */
const MANY_PEOPLE = 8

/**
 * One draft for each patient and day. Parts without a patient join only if they name nothing but files and eyes. If two
 * people have one number, the owner of an image is unknown: files keep that message and their eye, people the number.
 */
function mergeDrafts(drafts: readonly Draft[]): readonly Draft[] {
  const { shared } = new PeopleByNumber(drafts)
  const merged = new Map<string, Draft>()
  const persons = new Map<string, Map<string, Draft>>()
  const add = (key: string, draft: Draft): void => {
    const into = merged.get(key) ?? new Draft(draft.where)
    into.merge(draft)
    merged.set(key, into)
  }
  for (const [index, draft] of drafts.entries()) {
    const number = numberOf(draft)
    if (number === null || !shared.has(number)) {
      add(keyOf(draft, number) ?? `part ${index}`, draft)
      continue
    }
    const people = persons.get(number) ?? new Map<string, Draft>()
    persons.set(number, people)
    const person = personOf(draft)
    if (people.size < MANY_PEOPLE) people.set(JSON.stringify([...person.values]), person)
    for (const file of draft.files.size > 0 ? draft.files : [null]) {
      const part = new Draft(draft.where)
      part.reject('history_number', { key: 'onePatient' })
      if (file !== null) part.files.set(...file)
      add(JSON.stringify(['shared', number, ...part.files.keys()]), part)
    }
  }
  return [...merged.values(), ...[...persons.values()].flatMap((people) => [...people.values()])]
}

function keyOf({ values, rejected, doubts }: Draft, number: string | null): string | null {
  if (number !== null) return JSON.stringify([number, values.get('visit_date') ?? null])
  return values.size + rejected.size + doubts.size === 0 ? 'files' : null
}

function personOf({ where, values }: Draft): Draft {
  const person = new Draft(where)
  for (const slot of OF_PERSON) {
    const value = values.get(slot) ?? null
    if (value !== null) person.values.set(slot, value)
  }
  return person
}

const MAX_IMAGES = 1_000

/**
 * A `case.json`: fields by the interface's names, and `images` with the eye of each file. UTF-8, or UTF-16 with a mark.
 * What else it says, under other names, may doubt only.
 */
function recordOfCase(content: DataContent): DataFileReading {
  if (content.kind === 'unread' && (content.why === 'tooLarge' || content.why === 'encoding'))
    return unread('case', content.why)
  if (content.kind !== 'document' || content.root.isList) return unread('case', 'noJson')
  const tree = content.root
  const { values, blocks } = tree
  if (![...values, ...blocks].some(({ name }) => isOfCase(name) || name === 'images'))
    return unread('case', 'noCase')
  const stated = [...values, ...blocks].flatMap((one): Statements => {
    const meaning = isOfCase(one.name) ? mappedMeaning(one.name) : null
    const isBlock = 'blocks' in one
    if (meaning === null || (isBlock && one.name === 'birth_date')) return []
    // A block or a list is no value of a field.
    const value = isBlock || (one.isListed && isFieldName(one.name)) ? {} : one.value
    return [{ ...meaning, plainName: one.name, value }]
  })
  const root = { ...tree, blocks: blocks.filter(({ name }) => name !== 'images') }
  const beside = documentStatements(root, namesBy({}), 'aside')?.flat() ?? []
  const draft = buildDraft(stated, OF_CASE)
  addImages(draft, tree)
  doubtBeside(draft, beside, OF_CASE)
  const record = draft.record()
  // Its images are its own: the same names in another folder are of other files.
  const records = [record.files.length === 0 ? record : { ...record, capture: digestOf([root]) }]
  return { ok: true, records, form: 'case', trouble: null }
}

function isOfCase(name: string): boolean {
  return isFieldName(name) || name === 'birth_date'
}

const OF_CASE = {
  where: 'case',
  isCase: true,
  dateOrder: 'ymd',
  nameOrder: 'lastFirst',
  sexLetters: new Map(),
  speaksInterface: true,
} as const

/** Only files with an eye, each in the first of its spellings. A single R or L is clear here, D and I are not. */
function addImages(draft: Draft, { values, blocks }: DataBlock): void {
  const images = blocks.filter(({ name }) => name === 'images')
  const entries = images.flatMap((one) => [
    ...one.values,
    ...one.blocks.map(({ name }) => ({ name, value: {} })),
  ])
  const isOther = values.some(({ name, value }) => name === 'images' && value !== null)
  if (isOther || images.some(({ isListed }) => isListed) || entries.length > MAX_IMAGES)
    return draft.reject('images', { key: 'images' })
  const spellings = new Map<string, string>()
  for (const { name, value } of entries) {
    const path = safeRelativePath(name)
    const eye = readEye(value)
    const about = `images ${name}`
    const nameOfEye = wordingOf('intake:dataFile.name.eyeOf', { file: name })
    if (path === null) draft.rejectOutside('images', about)
    else if (eye === 'right' || eye === 'left') {
      const spelling = spellings.get(foldPath(path)) ?? path
      spellings.set(foldPath(path), spelling)
      const isContradiction = (draft.files.get(spelling) ?? eye) !== eye
      draft.files.set(spelling, isContradiction ? 'contradicted' : eye)
      if (isContradiction) draft.reject('images', { key: 'oneEye' }, nameOfEye, about)
    } else if (eye !== 'none') draft.reject('images', { key: 'eye' }, nameOfEye, about)
  }
}

type ForeignLabel = Extract<DataFileLabel, 'csv' | 'xml' | 'json'>

export type Problem = NameIn<'intake:problem'>

/** Why nothing of a file is used, with the limit that it exceeds. */
export function problemIn(form: DataForm, problem: Problem): Wording {
  const limits: Partial<Record<Problem, Wording['values']>> = {
    tooLarge: { megabytes: MAX_DATA_BYTES[form] / (1_024 * 1_024) },
    tooManyRows: { rows: MAX_ROWS[form === 'list' ? 'list' : 'csv'].toLocaleString('en') },
  }
  return wordingOf(`intake:problem.${problem}`, limits[problem])
}

function unread(where: ForeignLabel | 'case', problem: Problem): DataFileReading {
  const message = worded('intake:dataFile.unread', {
    file: wordingOf(`intake:dataFile.file.${where}`),
    problem: problemIn(where, problem),
  })
  return { ok: false, isForeign: false, ...message }
}

function foreign(where: ForeignLabel): DataFileReading {
  const file = wordingOf(`intake:dataFile.file.${where}`)
  return { ok: false, isForeign: true, ...worded('intake:dataFile.foreign', { file }) }
}

/** An unreadable file is reported only if it uses names of cases; those of other programs are ignored. */
function whyUnread(
  { why, names: used }: Extract<DataContent, { kind: 'unread' }>,
  where: ForeignLabel,
  names: Names,
): DataFileReading {
  if (why === 'tooLarge') return unread(where, why)
  if (why === 'encoding') return where === 'csv' ? foreign(where) : unread(where, why)
  if (!areAboutCases(used.flatMap((one) => names(one) ?? []))) return foreign(where)
  return unread(where, why === 'broken' ? (where === 'xml' ? 'noXml' : 'noJson') : why)
}

/** What a file states, and what kept it from being understood. */
type Found =
  | 'tooMuch'
  | 'repeatedHeadings'
  | {
      readonly visits: readonly Statements[]
      readonly isAboutCases: boolean
      /** How many rows do not fit the headings. */
      readonly misfits: number
      readonly capture: string | null
    }

function findInTable(table: Table, names: Names): Found {
  const found = tableMeaning(table, names)
  if (found === null) return 'repeatedHeadings'
  const visits = table.rows
    .map(found.statementsOf)
    // A row that does not fit, and names no file, is of no image, unless it is the only one.
    .filter(
      ([first, ...others], _, all) =>
        first && (all.length === 1 || others.length > 0 || first.meaning !== 'misfit'),
    )
  return { visits, isAboutCases: found.isAboutCases, misfits: table.misfits.size, capture: null }
}

function findInDocument(root: DataBlock, names: Names): Found {
  const visits = documentStatements(root, names)
  if (visits === null) return 'tooMuch'
  return { visits, isAboutCases: areAboutCases(visits.flat()), misfits: 0, capture: captureIn(root) }
}

/** A table of one visit that names no file is of the image of its stem, as any document is. */
function ofStemIfOne(records: readonly Sidecar[]): {
  readonly form: SidecarForm
  readonly records: readonly Sidecar[]
} {
  const [record, ...others] = records
  const isOne = record !== undefined && others.length === 0
  if (!isOne || record.files.length > 0 || Object.keys(record.eyes).length > 0)
    return { form: 'table', records }
  // Rows of both eyes are of two images, and no one knows which this is.
  const isOfTwo = (record.ownEyes ?? []).length > 1
  return { form: 'document', records: [isOfTwo ? { ...record, ownEyes: [] } : record] }
}

const ONE_SHOT = new Set(
  termsIn(`
  image img capture photo photograph picture shot frame instance sop acquisition exposure scan imagen imagem captura
  foto toma bild aufnahme cliche`),
)

/** Terms of what only one exposure has: its number and its time. */
const SINGLE = new Set(
  termsIn(`
  id uid uuid guid number no nr num key time timestamp datetime instant hash numero nummer hora zeit uhrzeit heure`),
)

/** A digest of a document that numbers or times one exposure, but for its files; null for one that may be of several. */
function captureIn(root: DataBlock): string | null {
  const values = valuesOf(root).filter(({ value }) => value !== null && value !== '' && !isFileName(value))
  const isOfOneShot = values.some(({ name }) => {
    const terms = termsOf(name)
    return terms.some((term) => ONE_SHOT.has(term)) && SINGLE.has(terms.at(-1) ?? '')
  })
  return isOfOneShot ? digestOf(values) : null
}

function valuesOf({ values, blocks }: DataBlock): readonly DataValue[] {
  return [...values, ...blocks.flatMap(valuesOf)]
}

function digestOf(stated: unknown): string {
  return hash('sha256', JSON.stringify(stated))
}
