import type { Fields } from '../../../src-shared/fields.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { Source } from '../../../src-shared/submission.ts'
import { type NameToken, tokensOf } from './names/names.ts'
import { isNameParticle } from './names/vocabulary.ts'

/** Do a path and a sidecar speak of two patients? Pure. */

/** `H-00017` has the shape `A-00000`: names written alike are claims of the same kind. */
function shapeOf(id: string): string {
  return id.replaceAll(/\p{L}/gu, 'A').replaceAll(/\d/g, '0')
}

function plain(id: string): string {
  return id.trim().toUpperCase()
}

/**
 * The ids in a path that claim another patient than the stated one.
 *
 * A folder may be called anything ("case-7"); only a name that is written just like the stated id, and is not
 * it, is a claim of its own.
 */
export function otherPatients(idsInPath: readonly string[], stated: string): string[] {
  return idsInPath.filter(
    (id) => plain(id) !== plain(stated) && shapeOf(plain(id)) === shapeOf(plain(stated)),
  )
}

// What the files of one visit say about it, and where each value came from. Pure decisions answer with these.

/** A value together with where it came from. */
export type Stated<Value> = { readonly value: Value; readonly source: Source }

/** Which submission a file belongs to, as its path says. */
export type Group = {
  /** The same for all files of one patient and visit in one watched folder; never shown, never sent. */
  readonly key: string
  /** The first part of the key: the patient, or, where no id is named, the folder or the file that stands for one. */
  readonly owner: readonly string[]
  readonly historyNumber: Stated<string> | null
  /** `YYYY-MM-DD`; only from an unambiguous spelling (year first), never guessed between day and month. */
  readonly visitDate: Stated<string> | null
  /** A date that cannot be read without guessing, as it is spelled: it parts visits and states none. */
  readonly otherDate: string | null
  /** Folder and file name state the same patient. */
  readonly isIdentityAgreed: boolean
  /** Several ids in one path of which none can be chosen: all of them, for the person who decides. */
  readonly conflict: readonly string[] | null
}

/** The eye of one image: stated, unknown, or stated twice with different words. */
export type EyeFinding =
  | { readonly kind: 'stated'; readonly eye: Exclude<Eye, 'unknown'>; readonly source: Source }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'conflict'; readonly statements: readonly Stated<Exclude<Eye, 'unknown'>>[] }

/**
 * What the content of one image file states, whatever its name says: the attributes of a DICOM file. Kept with the
 * image and never changed; nothing here is guessed.
 */
export type ContentFacts = {
  /** history_number, names, gender, age where the file states one itself, visit_date, and measurements of its eye. */
  readonly fields: Fields
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null
  /** Null where the file is silent, and where it says "both". */
  readonly eye: Exclude<Eye, 'unknown'> | null
  /** `YYYY-MM-DDTHH:MM:SS` by the clock of the camera, no zone. */
  readonly capturedAt: string | null
  /** DICOM's own name for this image (SOP Instance UID): a re-export keeps it, although its bytes may differ. */
  readonly sopUid: string | null
  /** What was photographed and how, in the words of the file: `COLOR`, `Disc`, `INFRARED`. For the screen only. */
  readonly view: string | null
  /** Maker and model of the camera. For the screen only. */
  readonly device: string | null
  /** Statements that could not be used, each with a sentence. */
  readonly rejected: readonly { readonly field: string; readonly message: string }[]
}

/**
 * One visit as a data file beside the images states it: a `case.json`, an XML file, or a row of a CSV file.
 * `rejected` names fields whose value was unusable; the others hold.
 */
export type Sidecar = {
  readonly fields: Fields
  /** `YYYY-MM-DD`; turned into an age at the visit. */
  readonly birthDate: string | null
  /** Files that it names: paths from the data file on, or plain names, with `/`. Empty where it names none. */
  readonly files: readonly string[]
  /** By the name of the image, or its path from the sidecar on, with `/`. */
  readonly eyes: Readonly<Record<string, Eye>>
  readonly rejected: readonly { readonly field: string; readonly message: string }[]
  /** How many of its names are none of the interface's; a misspelled name shows here. */
  readonly ignoredCount: number
}

/** What words in one path say about the eye. Whole words only, so that no surname is read as an eye. Pure. */
export type StatedEye = Extract<EyeFinding, { kind: 'stated' }>['eye']

export type EyeStatement = Stated<StatedEye>

/** The eyes that the words of a path state, each once per source. Single letters are not among them. */
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

/** Folders carry the names of patients more than files do, so a word beside a name is one. */
function countsInFolder(tokens: readonly NameToken[], index: number): boolean {
  const token = tokens[index]
  if (token?.kind !== 'eye') return false
  const isBesideName = [tokens[index - 1], tokens[index + 1]].some((other) => other?.kind === 'text')
  if (!token.isSurname) return !isBesideName
  return tokens.every(({ kind }) => kind === 'eye' || kind === 'word' || kind === 'sequence')
}
