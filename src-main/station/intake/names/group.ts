/** The grouping of files into visits by their paths alone. */
import type { Profile } from '../../../../src-shared/profile.ts'
import type { EyeInPath, Stated } from '../evidence.ts'
import { type ProfileReading, readByProfile } from '../profile/profile.ts'
import { isAlikeId, isContainer, isDivision, isSameId, type NameReading, readName, shapeOf } from './names.ts'

/** The submission that a file belongs to, by its path. */
export type Group = {
  /** The patient, or the folder or file that replaces a missing id; never shown, never sent. */
  readonly owner: readonly string[]
  readonly historyNumber: Stated<string> | null
  /** `YYYY-MM-DD`; only from an unambiguous spelling (year first), never guessed between day and month. */
  readonly visitDate: Stated<string> | null
  /** An ambiguous date as it is spelled: it separates visits but states no day. */
  readonly otherDate: string | null
  /** Several ids in one path without a clear choice: all of them, for a person to decide. */
  readonly conflict: readonly string[] | null
}

/**
 * The patient and the visit that a path states, from the names of its folders and of the file alone.
 *
 * Names are split into words and classified (`names.ts`). An id has at least three digits and may have letters and
 * dashes; dates, camera counters, UUIDs and image numbers are not ids.
 *
 * The patient, by the first rule that applies:
 *  1. The file names an id that a folder also names: that id; a conflict if the path names another id of the same
 *     shape.
 *  2. The file names several ids: a conflict.
 *  3. The file's id differs from a folder's only in dashes: the folder's.
 *  4. The file names an id, no folder does: the file's.
 *  5. The file names a number of up to four digits, shaped unlike the id of the nearest folder with one: it counts
 *     images, and the folders decide.
 *  6. The file names an id, and the nearest folder with one names another: a conflict.
 *  7. The file names none, and the folders name one: that one.
 *  8. The folders name several: the nearest one's if it also names the visit date and no other has the same shape;
 *     else a conflict.
 *
 * In a conflict no patient is chosen, and the image stays apart from the images of all of those ids.
 *
 * The visit date, only with the year first:
 *  1. from the file, if it also names the patient;
 *  2. from the folder that names the patient, or the nearest below it;
 *  3. from the file; 4. from the nearest other folder that does not call itself an export.
 *
 * Without a patient, the owner is the folder of the visit (ignoring folders that only divide it, such as OD or FOP). In
 * the watched folder itself, and in folders that name only a day or a storage location, loose files may be of any
 * patient: there it is the file's own name without eye and sequence.
 */
export function groupOf(relativePath: string): Group {
  // An archive counts as a folder named without its extension.
  const parts = relativePath
    .normalize('NFC')
    .replaceAll(/\.zip\//gi, '/')
    .split('/')
  const fileName = parts.at(-1) ?? ''
  const path: ReadPath = {
    folderNames: parts.slice(0, -1),
    stem: fileName.replace(/\.[^.]*$/, ''),
    folders: readFolders(parts.slice(0, -1)),
    file: readFileName(parts, fileName.replace(/\.[^.]*$/, '')),
  }
  const patient = patientOf(path)
  return {
    ...patient,
    owner: ownerOf(path, patient),
    visitDate: visitDateOf(path, patient),
    otherDate: otherDateOf(path),
  }
}

type ReadPath = {
  readonly folderNames: readonly string[]
  /** From the outermost to the one that contains the file. */
  readonly folders: readonly NameReading[]
  readonly stem: string
  readonly file: NameReading
}

type Patient = Pick<Group, 'historyNumber' | 'conflict'>

/** 2026/11/20 is a date in three folders; 2026 and 11 alone only sort. */
function readFolders(names: readonly string[]): readonly NameReading[] {
  return names.map((name, index) => {
    const three = names.slice(Math.max(index - 2, 0), index + 1).join('-')
    if (/^20\d\d-\d\d-\d\d$/.test(three)) return readName(three)
    const year = names[index - 1] ?? ''
    return readName(/^20\d\d$/.test(year) && /^\d\d$/.test(name) ? year : name)
  })
}

/** In camera folders and DICOM file sets, file names are counters. */
function readFileName(parts: readonly string[], stem: string): NameReading {
  const reading = readName(stem)
  const isInFileSet = parts.slice(0, -1).some((name) => /^(dcim|dicom|\d{3}[a-z]{5})$/i.test(name))
  // DCF: one letter and exactly seven digits is a counter, too.
  const isDcfName = /^[a-z]\d{7}$/i.test(stem)
  const isOnlyNumber = reading.tokens.every((token) => token.kind === 'number')
  return (isInFileSet && isOnlyNumber) || isDcfName ? { ...reading, ids: [] } : reading
}

const NO_PATIENT: Patient = { historyNumber: null, conflict: null }

function patientOf({ folders, file }: ReadPath): Patient {
  const foldersWithId = folders.filter((folder) => folder.ids.length > 0).toReversed()
  const folderIds = foldersWithId.flatMap((folder) => folder.ids)
  const agreed = folderIds.find((id) => file.ids.some((other) => isSameId(id, other)))
  if (agreed !== undefined) {
    const others = [...folderIds, ...file.ids].filter(
      (id) => !isAlikeId(id, agreed) && shapeOf(id) === shapeOf(agreed),
    )
    return others.length > 0 ? inConflict([agreed, ...others]) : fromFolder(agreed)
  }
  const [fileId] = file.ids
  if (fileId === undefined) return patientOfFolders(foldersWithId)
  const [nearest] = foldersWithId
  if (file.ids.length > 1) return inConflict([...(nearest?.ids ?? []), ...file.ids])
  const alike = folderIds.find((id) => isAlikeId(id, fileId))
  if (alike !== undefined) return fromFolder(alike)
  if (nearest === undefined) return { ...NO_PATIENT, historyNumber: { value: fileId, source: 'fileName' } }
  const isWrittenAlike = nearest.ids.some((id) => shapeOf(id) === shapeOf(fileId))
  if (/^\d{1,4}$/.test(fileId) && !isWrittenAlike) return patientOfFolders(foldersWithId)
  return inConflict([...nearest.ids, fileId])
}

function patientOfFolders(foldersWithId: readonly NameReading[]): Patient {
  const [nearest, ...outer] = foldersWithId
  const [id, ...others] = nearest?.ids ?? []
  if (nearest === undefined || id === undefined) return NO_PATIENT
  const rivals = [...others, ...outer.flatMap((folder) => folder.ids)].filter(
    (other) => !isAlikeId(id, other),
  )
  const namesVisit = others.length === 0 && nearest.date !== null
  const isRivalled =
    rivals.length > 0 && (!namesVisit || rivals.some((rival) => shapeOf(rival) === shapeOf(id)))
  return isRivalled ? inConflict([id, ...rivals]) : fromFolder(id)
}

function fromFolder(id: string): Patient {
  return { ...NO_PATIENT, historyNumber: { value: id, source: 'folderName' } }
}

function inConflict(ids: readonly string[]): Patient {
  return { ...NO_PATIENT, conflict: [...new Set(ids)] }
}

function visitDateOf({ folders, file }: ReadPath, { historyNumber }: Patient): Stated<string> | null {
  const fromFile: Stated<string> | null = file.date === null ? null : { value: file.date, source: 'fileName' }
  if (file.ids.length > 0 && fromFile !== null) return fromFile
  const ofPatient = folders.findIndex((folder) => folder.ids.some((id) => id === historyNumber?.value))
  const inside = ofPatient === -1 ? null : nearestDate(folders.slice(ofPatient))
  return inside ?? fromFile ?? nearestDate(folders.filter((folder) => !folder.isExport))
}

function nearestDate(folders: readonly NameReading[]): Stated<string> | null {
  const value = folders.findLast((folder) => folder.date !== null)?.date
  return value === null || value === undefined ? null : { value, source: 'folderName' }
}

function otherDateOf({ folders, file }: ReadPath): string | null {
  return file.otherDate ?? folders.findLast((folder) => folder.otherDate !== null)?.otherDate ?? null
}

function ownerOf(path: ReadPath, patient: Patient): string[] {
  const ids = patient.historyNumber ? [patient.historyNumber.value] : (patient.conflict ?? [])
  const owner = ids.length > 0 ? ['patient', ...ids] : ownerWithoutId(path)
  return owner.map((part) => part.toLowerCase())
}

/** The owner of a file without an id: its folder, or the file itself. */
function ownerWithoutId({ folderNames, folders, stem, file }: ReadPath): string[] {
  const end = folders.findLastIndex((folder) => !isDivision(folder)) + 1
  const isLoose = folders.slice(0, end).every(isContainer)
  const folder = folderNames.slice(0, end).join('/')
  return isLoose ? ['file', folder, ownName(stem, file)] : ['folder', folder]
}

/** The name of a file without eye, sequence and imaging terms; the whole name if nothing else is left. */
function ownName(stem: string, { tokens }: NameReading): string {
  const own = tokens.filter((token, index) => {
    if (token.kind === 'sequence') return index === 0
    if (token.kind === 'date') return token.hasTime
    return !['eye', 'letter', 'word', 'counting'].includes(token.kind)
  })
  return own.length === 0 ? stem : own.map((token) => token.text).join(' ')
}

/** The statements of a path about its image, by the folder's profile and by the general rules. */
export type PathReading = Group &
  Pick<ProfileReading, 'lastName' | 'firstName' | 'time' | 'unclear'> & { readonly eye: EyeInPath }

/** Reads a path inside the watched folder, by the profile first; `profile` is null for `auto`. */
export function readPath(profile: Profile | null, relativePath: string): PathReading {
  const found = profile === null ? null : readByProfile(profile, relativePath)
  const group = groupOf(relativePath)
  if (found === null)
    return { ...group, lastName: null, firstName: null, time: null, eye: { kind: 'byWords' }, unclear: [] }
  const { historyNumber, visitDate, lastName, firstName, time, unclear } = found
  return {
    ...group,
    ...(historyNumber && {
      owner: ['patient', historyNumber.value.toLowerCase()],
      historyNumber,
      conflict: null,
    }),
    visitDate: visitDate ?? group.visitDate,
    otherDate: visitDate === null ? group.otherDate : null,
    lastName,
    firstName,
    time,
    eye: found.isEyePlaced ? { kind: 'byPattern', eye: found.eye } : { kind: 'byWords' },
    unclear,
  }
}
