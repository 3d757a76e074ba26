/**
 * The statements of files about their visit and their sources, and whether a path and a sidecar name two patients.
 * Pure.
 */
import type { Fields } from '../../../src-shared/fields.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { Source } from '../../../src-shared/submission.ts'
import type { Message } from '../../../src-shared/wording.ts'
import { type NameToken, tokensOf } from './names/names.ts'
import { isNameParticle } from './names/vocabulary.ts'

/** `H-00017` has the shape `A-00000`: ids of one shape are of one kind. */
function shapeOf(id: string): string {
  return id.replaceAll(/\p{L}/gu, 'A').replaceAll(/\d/g, '0')
}

function plain(id: string): string {
  return id.trim().toUpperCase()
}

/**
 * The ids in a path that name another patient than the stated one.
 *
 * A folder may have any name ("case-7"); only a different id of exactly the same shape contradicts the stated one.
 */
export function otherPatients(idsInPath: readonly string[], stated: string): string[] {
  return idsInPath.filter(
    (id) => plain(id) !== plain(stated) && shapeOf(plain(id)) === shapeOf(plain(stated)),
  )
}

/** An unusable statement of a file: the field, and what is wrong. */
export type RejectedValue = Message & { readonly field: string }

/** A value with its source. */
export type Stated<Value> = { readonly value: Value; readonly source: Source }

/** The submission that a file belongs to, by its path. */
export type Group = {
  /** Equal for all files of one patient and visit in one watched folder; never shown, never sent. */
  readonly key: string
  /** The first part of the key: the patient, or the folder or file that replaces a missing id. */
  readonly owner: readonly string[]
  readonly historyNumber: Stated<string> | null
  /** `YYYY-MM-DD`; only from an unambiguous spelling (year first), never guessed between day and month. */
  readonly visitDate: Stated<string> | null
  /** An ambiguous date as it is spelled: it separates visits but states no day. */
  readonly otherDate: string | null
  /** Folder and file name state the same patient. */
  readonly isIdentityAgreed: boolean
  /** Several ids in one path without a clear choice: all of them, for a person to decide. */
  readonly conflict: readonly string[] | null
}

/** The eye of one image: stated, unknown, or contradictory. */
export type EyeFinding =
  | { readonly kind: 'stated'; readonly eye: Exclude<Eye, 'unknown'>; readonly source: Source }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'conflict'; readonly statements: readonly Stated<Exclude<Eye, 'unknown'>>[] }

/**
 * Facts from the content of an image file, whatever its name: the attributes of a DICOM file. Stored with the image
 * and never changed; nothing is guessed.
 */
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
export function eyeStatementsOf(relativePath: string): readonly EyeStatement[] {
  const { folders, stem } = splitPath(relativePath)
  const inFile = termsOf(stem, (tokens, index) => countsInFile(tokens, index))
  const inFolders = folders.flatMap((name) => termsOf(name, (tokens, index) => countsInFolder(tokens, index)))
  return [
    ...[...new Set(inFile)].map((value): EyeStatement => ({ value, source: 'fileName' })),
    ...[...new Set(inFolders)].map((value): EyeStatement => ({ value, source: 'folderName' })),
  ]
}

export function splitPath(relativePath: string): {
  readonly folders: readonly string[]
  readonly stem: string
} {
  const parts = relativePath.normalize('NFC').split('/')
  return { folders: parts.slice(0, -1), stem: (parts.at(-1) ?? '').replace(/\.[^.]*$/, '') }
}

function termsOf(
  name: string,
  counts: (tokens: readonly NameToken[], index: number) => boolean,
): StatedEye[] {
  const tokens = tokensOf(name)
  return tokens.flatMap((token, index) => (token.kind === 'eye' && counts(tokens, index) ? [token.eye] : []))
}

function countsInFile(tokens: readonly NameToken[], index: number): boolean {
  const token = tokens[index]
  if (token?.kind !== 'eye') return false
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
function countsInFolder(tokens: readonly NameToken[], index: number): boolean {
  const token = tokens[index]
  if (token?.kind !== 'eye') return false
  const isBesideName = [tokens[index - 1], tokens[index + 1]].some((other) => other?.kind === 'text')
  if (!token.isSurname) return !isBesideName
  return tokens.every(({ kind }) => kind === 'eye' || kind === 'word' || kind === 'sequence')
}
