/** The statements of files about their visit, and the eyes and values that they make together. Pure. */
import { FIELD_NAMES, type FieldName, type Fields, isCalendarDate } from '../../../src-shared/fields.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { Source, Submission } from '../../../src-shared/submission.ts'
import type { Message } from '../../../src-shared/wording.ts'
import { isNameParticle, type NameToken, tokensOf } from './names/names.ts'

/** Folder and stem of a path, folded: files of one photograph share it. */
export function stemKeyOf(relativePath: string): string {
  return foldPath(relativePath).replace(/\.[^./]*$/, '')
}

/** A path normalised for comparison: cameras and people vary case and Unicode form. */
export function foldPath(relativePath: string): string {
  return relativePath.normalize('NFC').toLowerCase()
}

type RejectedValue = Message & { readonly field: string }

/** A value with its source. */
export type Stated<Value> = { readonly value: Value; readonly source: Source }

/** The eye of one image: stated, unknown, or contradictory. */
export type EyeFinding =
  | { readonly kind: 'stated'; readonly eye: Exclude<Eye, 'unknown'>; readonly source: Source }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'conflict'; readonly statements: readonly Stated<Exclude<Eye, 'unknown'>>[] }

/** The attributes of a DICOM file. Stored with the image and never changed; nothing is guessed. */
export type ContentFacts = {
  /** history_number, names, gender, age if the file states one itself, visit_date, and measurements of its eye. */
  readonly fields: Fields
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null
  /** Null if the file states none, or both. */
  readonly eye: Exclude<Eye, 'unknown'> | null
  /** `YYYY-MM-DDTHH:MM:SS` on the camera's clock, without a zone. */
  readonly capturedAt: string | null
  /** The SOP Instance UID of the image: a re-export keeps it, although its bytes may differ. */
  readonly sopUid: string | null
  /** What was photographed and how, as the file words it: `COLOR`, `Disc`, `INFRARED`. For the screen only. */
  readonly view: string | null
  /** Maker and model of the camera. For the screen only. */
  readonly device: string | null
  readonly rejected: readonly RejectedValue[]
}

/**
 * One visit as stated by a data file beside the images: a `case.json`, an XML file, or a row of a CSV file.
 * `rejected` names fields with unusable values; the others are valid.
 */
export type Sidecar = {
  readonly fields: Fields
  /** `YYYY-MM-DD`; converted to the age at the visit. */
  readonly birthDate: string | null
  /** The files that it names: paths relative to the data file, or plain names, with `/`. Possibly empty. */
  readonly files: readonly string[]
  /** By the name of the image, or its path relative to the sidecar, with `/`. */
  readonly eyes: Readonly<Record<string, Eye>>
  readonly rejected: readonly RejectedValue[]
  /** The number of names unknown to the interface; a misspelled name shows here. */
  readonly ignoredCount: number
}

/** The eye that whole words of a path state; only whole words, so that no surname is read as an eye. Pure. */
export type StatedEye = Extract<EyeFinding, { kind: 'stated' }>['eye']

export type EyeStatement = Stated<StatedEye>

/** The eyes that the words of a path state, each once per source. Single letters are not included. */
function eyeStatementsOf(relativePath: string): readonly EyeStatement[] {
  const { folders, stem } = splitPath(relativePath)
  const inFile = termsOf(stem, countsInFile)
  const inFolders = folders.flatMap((name) => termsOf(name, countsInFolder))
  return [
    ...[...new Set(inFile)].map((value): EyeStatement => ({ value, source: 'fileName' })),
    ...[...new Set(inFolders)].map((value): EyeStatement => ({ value, source: 'folderName' })),
  ]
}

function splitPath(relativePath: string): {
  readonly folders: readonly string[]
  readonly stem: string
} {
  const parts = relativePath.normalize('NFC').split('/')
  return { folders: parts.slice(0, -1), stem: (parts.at(-1) ?? '').replace(/\.[^.]*$/, '') }
}

type EyeToken = Extract<NameToken, { readonly kind: 'eye' }>

function termsOf(
  name: string,
  counts: (token: EyeToken, tokens: readonly NameToken[], index: number) => boolean,
): StatedEye[] {
  const tokens = tokensOf(name)
  return tokens.flatMap((token, index) =>
    token.kind === 'eye' && counts(token, tokens, index) ? [token.eye] : [],
  )
}

function countsInFile(token: EyeToken, tokens: readonly NameToken[], index: number): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]]
  // Van Os, and a name between names.
  if (before?.kind === 'text' && isNameParticle(before.text)) return false
  if (before?.kind === 'text' && after?.kind === 'text') return false
  if (!token.isSurname) return true
  // Le Anh, Izquierdo_004512
  const isBesideName = before?.kind === 'text' || after?.kind === 'text'
  return !isBesideName && !tokens.slice(index + 1).some(({ kind }) => kind === 'number')
}

/** Folders carry patients' names more often than files do, so a word beside a name is part of it. */
function countsInFolder(token: EyeToken, tokens: readonly NameToken[], index: number): boolean {
  if (token.isSurname)
    return tokens.every(({ kind }) => kind === 'eye' || kind === 'word' || kind === 'sequence')
  return ![tokens[index - 1], tokens[index + 1]].some((other) => other?.kind === 'text')
}

type Letter = { readonly position: string; readonly statement: EyeStatement }

/**
 * The statements of the letters R and L (also r1, l2) for each file of one visit. A single one proves nothing: it may
 * be an initial or a series. If files of one visit show both at the same position of their names, that position
 * states the eye.
 */
function letterStatementsOf(fileNames: readonly string[]): ReadonlyMap<string, readonly EyeStatement[]> {
  const lettersOf = new Map(fileNames.map((fileName) => [fileName, lettersIn(fileName)]))
  const eyesAt = new Map<string, Set<string>>()
  for (const { position, statement } of [...lettersOf.values()].flat()) {
    eyesAt.set(position, (eyesAt.get(position) ?? new Set()).add(statement.value))
  }
  const isBothSided = ({ position }: Letter): boolean => eyesAt.get(position)?.size === 2
  return new Map(
    [...lettersOf].map(([fileName, letters]) => [
      fileName,
      letters.filter(isBothSided).map((letter) => letter.statement),
    ]),
  )
}

function lettersIn(fileName: string): Letter[] {
  const { folders, stem } = splitPath(fileName)
  const tokens = tokensOf(stem)
  // In a stereo pair, the letters are the two views of one eye.
  if (tokens.some((token) => token.text.toLowerCase() === 'stereo')) return []
  const inFile = tokens.flatMap((token, index): Letter[] =>
    token.kind === 'letter'
      ? [{ position: `file ${index}`, statement: { value: token.eye, source: 'fileName' } }]
      : [],
  )
  const inFolders = folders.flatMap((name, depth): Letter[] => {
    const [token, ...others] = tokensOf(name)
    if (token?.kind !== 'letter' || others.length > 0) return []
    return [{ position: `folder ${depth}`, statement: { value: token.eye, source: 'folderName' } }]
  })
  return [...inFile, ...inFolders]
}

/** `byWords`: no pattern locates the eye, so whole words are searched. */
export type EyeInPath =
  | { readonly kind: 'byPattern'; readonly eye: Stated<StatedEye> | null }
  | { readonly kind: 'byWords' }

/** One picture and the evidence of its eye. `names` are the paths of its files inside the watched folder. */
export type EyeEvidence = {
  readonly id: string
  readonly names: readonly string[]
  readonly paths: readonly { readonly eye: EyeInPath }[]
  readonly facts: readonly Pick<ContentFacts, 'eye'>[]
}

type SidecarEyes = Readonly<Record<string, Eye>>

/**
 * The eye of each picture of one visit, by its id.
 *
 * `sidecarEyes` are the statements of the visit's data files, by file name or path relative to the data file. The
 * sources are data files, the image's attributes, whole words in the names of files and folders (or the position that
 * a pattern assigns to the eye), and, if no name of the visit has such a word, the letters R and L under the rule
 * above. Disagreeing sources are a conflict. Nothing else determines an eye: not the order, number or other eye.
 */
export function eyesOf(
  pictures: readonly EyeEvidence[],
  sidecarEyes: readonly SidecarEyes[],
): ReadonlyMap<string, EyeFinding> {
  const fileNames = pictures.flatMap((picture) => picture.names)
  const wholeTerms = new Map(fileNames.map((fileName) => [fileName, eyeStatementsOf(fileName)]))
  const hasStatements = [...wholeTerms.values()].some((statements) => statements.length > 0)
  const letters = hasStatements ? new Map<string, readonly EyeStatement[]>() : letterStatementsOf(fileNames)
  const sidecars = sidecarEyes.map((eyes) => sidecarStatementsOf(fileNames, eyes))
  return new Map(
    pictures.map((picture) => {
      const byName = picture.names.flatMap((fileName, index): readonly EyeStatement[] => {
        const inPath = picture.paths[index]?.eye
        if (inPath?.kind === 'byPattern') return inPath.eye === null ? [] : [inPath.eye]
        return [wholeTerms, letters].flatMap((source) => source.get(fileName) ?? [])
      })
      const bySidecar = picture.names.flatMap((fileName) =>
        sidecars.flatMap((statements) => statements.get(fileName) ?? []),
      )
      const byImage = picture.facts.flatMap(({ eye }): EyeStatement[] =>
        eye === null ? [] : [{ value: eye, source: 'dicom' }],
      )
      return [picture.id, findingOf([...bySidecar, ...byImage, ...byName])]
    }),
  )
}

/** The first statement gives the source if all agree. */
function findingOf(all: readonly EyeStatement[]): EyeFinding {
  const statements = all.filter(
    (one, index) =>
      all.findIndex((other) => other.value === one.value && other.source === one.source) === index,
  )
  const [first] = statements
  if (first === undefined) return { kind: 'unknown' }
  if (statements.some((other) => other.value !== first.value)) return { kind: 'conflict', statements }
  return { kind: 'stated', eye: first.value, source: first.source }
}

/** The statements of a data file for each image file. A plain name that several files share states nothing. */
export function sidecarStatementsOf(
  fileNames: readonly string[],
  sidecarEyes: SidecarEyes,
): ReadonlyMap<string, readonly EyeStatement[]> {
  const statements = new Map<string, EyeStatement[]>()
  for (const [name, eye] of Object.entries(sidecarEyes)) {
    if (eye === 'unknown') continue
    const meant = filesMeantBy(name, fileNames)
    const [fileName] = meant
    if (fileName === undefined || meant.length > 1) continue
    statements.set(fileName, [...(statements.get(fileName) ?? []), { value: eye, source: 'sidecar' }])
  }
  return statements
}

/** Names typed by a person: exact matches first, then ignoring case and Unicode form. */
function filesMeantBy(name: string, fileNames: readonly string[]): readonly string[] {
  const exact = fileNames.filter((fileName) => endsInPath(fileName, name))
  if (exact.length > 0) return exact
  return fileNames.filter((fileName) => endsInPath(foldPath(fileName), foldPath(name)))
}

function endsInPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`)
}

/** Every stated value of a visit with its source. Pure. */
export type FieldStatement = { readonly source: Source; readonly value: NonNullable<Fields[FieldName]> }

export type Statements = Readonly<Partial<Record<FieldName, readonly FieldStatement[]>>>

/** A person's age in whole years on a day; null if the days give no age. Days are `YYYY-MM-DD`. */
function ageOn(birthDate: string, day: string): number | null {
  if (!isCalendarDate(birthDate) || !isCalendarDate(day) || birthDate > day) return null
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

type VisitStatement = {
  readonly historyNumber: Stated<string> | null
  readonly visitDate: Stated<string> | null
}

type NameStatement = { readonly lastName: Stated<string> | null; readonly firstName: Stated<string> | null }

type StatementInput = {
  readonly identities: readonly (VisitStatement & { readonly records: readonly Sidecar[] })[]
  readonly paths: readonly (NameStatement & Pick<VisitStatement, 'visitDate'>)[]
  readonly facts: readonly ContentFacts[]
  readonly listed: Sidecar | null
}

type StatementSource = { readonly source: Source; readonly fields: Fields; readonly birthDate: string | null }

function nameSource({ lastName, firstName }: NameStatement): StatementSource[] {
  const source = lastName?.source ?? firstName?.source
  if (source === undefined) return []
  const fields = {
    ...(lastName && { last_name: lastName.value }),
    ...(firstName && { first_name: firstName.value }),
  }
  return [{ source, fields, birthDate: null }]
}

/** In the order of trust: data files of the visit, the images themselves, the clinic's list, file names. */
function sourcesOf(input: StatementInput): readonly StatementSource[] {
  const records = [...new Set(input.identities.flatMap((visit) => visit.records))]
  return [
    ...records.map((record): StatementSource => ({ ...record, source: 'sidecar' })),
    ...input.facts.map((facts): StatementSource => ({ ...facts, source: 'dicom' })),
    ...(input.listed ? [{ ...input.listed, source: 'patientList' as const }] : []),
    ...input.paths.flatMap(nameSource),
  ]
}

/** The statements about each field, the most trusted source first. An age follows from birth date and visit. */
export function statementsOf(input: StatementInput): Statements {
  const statements: Partial<Record<FieldName, FieldStatement[]>> = {}
  const add = (name: FieldName, source: Source, value: Fields[FieldName]): void => {
    if (value === undefined || value === '') return
    const list = (statements[name] ??= [])
    if (!list.some((one) => one.source === source && one.value === value)) list.push({ source, value })
  }
  const sources = sourcesOf(input)
  for (const { source, fields } of sources) for (const name of FIELD_NAMES) add(name, source, fields[name])
  for (const { historyNumber, visitDate } of input.identities) {
    if (historyNumber) add('history_number', historyNumber.source, historyNumber.value)
    if (visitDate && visitDate.source !== 'fileTime') add('visit_date', visitDate.source, visitDate.value)
  }
  for (const { visitDate } of input.paths) if (visitDate) add('visit_date', visitDate.source, visitDate.value)
  const day = statements.visit_date?.[0]?.value
  for (const { source, birthDate } of sources) {
    const age = birthDate !== null && typeof day === 'string' ? ageOn(birthDate, day) : null
    if (age !== null) add('age', source, age)
  }
  return statements
}

type Disagreement = { readonly field: FieldName; readonly statements: readonly FieldStatement[] }

export type ComposedContent = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly disagreements: readonly Disagreement[]
}

export type ContentInput = {
  /** The current content of the submission. A value that a person stated, even an empty one, is never overwritten. */
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly statements: Statements
  /** The day of the oldest file, used if nothing states the day of the visit. */
  readonly dayOfFiles: string | null
}

/** Free text: two sources rarely agree, and neither is wrong. */
const NEVER_DISAGREE: readonly FieldName[] = [
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
  // Ids are compared elsewhere, by their shapes.
  'history_number',
]

/** The value of the first source wins; it is shown with the others until a person has decided. */
export function composeContent(input: ContentInput): ComposedContent {
  const fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const sources: Submission['sources'] = {}
  const disagreements: Disagreement[] = []
  for (const name of FIELD_NAMES) {
    const found = valueOf(name, input)
    if (!found) continue
    sources[name] = found.source
    if (found.value !== undefined) fields[name] = found.value
    const statements = input.statements[name] ?? []
    const [first] = statements
    const isDisputed =
      first !== undefined && statements.some(({ value }) => !isAlike(name, value, first.value))
    if (isDisputed && found.source !== 'person' && !NEVER_DISAGREE.includes(name))
      disagreements.push({ field: name, statements })
  }
  return { fields: fields as Fields, sources, disagreements }
}

function isAlike(name: FieldName, one: FieldStatement['value'], other: FieldStatement['value']): boolean {
  // Stated ages are rounded in either direction, and a birthday may lie in between.
  if (name === 'age') return Math.abs(Number(one) - Number(other)) <= 1
  if (typeof one === 'string' && typeof other === 'string' && name !== 'visit_date')
    return normalizedName(one) === normalizedName(other)
  return one === other
}

/** `Ana-María` and `ANA MARIA` are one name. */
function normalizedName(text: string): string {
  const terms = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return terms
    .filter((term) => term !== '')
    .toSorted()
    .join(' ')
}

function valueOf(
  name: FieldName,
  input: ContentInput,
): { readonly value: Fields[FieldName]; readonly source: Source } | null {
  if (input.sources[name] === 'person') return { value: input.fields[name], source: 'person' }
  const [first] = input.statements[name] ?? []
  if (first) return first
  if (name === 'visit_date' && input.dayOfFiles !== null)
    return { value: input.dayOfFiles, source: 'fileTime' }
  return null
}
