/** The patient and visit that one picture claims to be of, and the verdict on all pictures of a submission. */
import { recordIn } from '../../json-columns.ts'
import type { ImageRow } from '../../outbox/rows.ts'
import type { UnusableRow } from '../../outbox/unusable-files.ts'
import { folderOf, foldPath, nameOf, type Sidecar, type Stated, withFields } from '../meaning/sources.ts'
import { verdictsOnEyes } from '../verdict/eyes.ts'
import { bareId } from '../meaning/numbers.ts'
import { numbersIn } from '../names/numbers.ts'
import { isDivision } from '../names/tokens.ts'
import { type FolderMemory, valueIn, type Verdict } from '../verdict/evidence.ts'
import { verdictOnDay } from '../verdict/day.ts'
import { groupOf, RESERVES, verdictOnVisit, type VisitVerdict, withReserve } from '../verdict/visit.ts'
import { memoryOf } from './memory.ts'
import {
  type CollectedPicture,
  collectPicture,
  type InFolder,
  isSharedFolder,
  unusableImage,
  type ReadContext,
} from './pictures.ts'
import type { ImageFile } from './reads.ts'
import { byName } from './records.ts'

export type VisitIdentity = ReturnType<typeof visitIdentityFor>

/** The identity of one picture, from all current evidence. */
export function visitIdentityFor(context: InFolder, files: readonly ImageFile[]) {
  const picture = collectPicture(context, files)
  const day = statedBy(verdictOnDay([picture]))
  const { kind, of } = groupOf({
    path: picture.paths[0] ?? '',
    ids: picture.ids.map(({ value }) => value),
    study: picture.link,
    isSharedFolder: (directory) => isSharedFolder(context, directory),
    instants: picture.instants,
  })
  const isOfNumber = kind === 'patient' || kind === 'weakNumber'
  const owner = kind === 'folder' || kind === 'loose' ? of.map(foldPath) : of
  return {
    /** Equal for all pictures of one patient and visit in one watched folder; never shown, never sent. */
    key: JSON.stringify([isOfNumber ? 'patient' : kind, ...owner, day?.value ?? '']),
    /** True if nothing but place and time hold its pictures together: only those of one burst join. */
    isLoose: kind === 'loose',
    heldBy: kind,
    /** The number of the patient by which its pictures are held together, folded; null if something else holds them. */
    number: (isOfNumber ? of[0] : null) ?? null,
    eye: [...verdictsOnEyes([picture]).values()].map(valueIn)[0] ?? null,
    /** With the source `fileTime` if nothing states a date. */
    visitDate: day ?? { value: picture.fileDay, source: 'fileTime' as const },
    picture,
  }
}

/** The patient's number that one picture states. */
export function numberOfPicture(context: InFolder, picture: CollectedPicture): Stated<string> | null {
  return statedBy(verdictOnVisit([picture], memoryOf(context)).who)
}

export function statedBy(verdict: Verdict<string>): Stated<string> | null {
  const value = valueIn(verdict)
  if (value === null || (verdict.kind !== 'proven' && verdict.kind !== 'proposed')) return null
  return { value, source: verdict.by[0]?.source ?? 'fileName' }
}

export type SubmissionEvidence = {
  readonly pictures: readonly CollectedPicture[]
  /** Null for a case created by hand: names on a private disk are no export, and a person says all. */
  readonly verdict: VisitVerdict | null
  /** The eye of each picture; of a case created by hand, what its names propose. */
  readonly eyes: VisitVerdict['eyes']
  /** Records of other data files about the patient: facts, never identity. */
  readonly recordsOfPatient: readonly Sidecar[]
}

/** Without any image, the names of the files that cannot be used say what they can. */
function evidenceOfUnusable(
  context: ReadContext,
  [first, ...others]: readonly UnusableRow[],
): SubmissionEvidence {
  if (first === undefined) return { pictures: [], verdict: null, eyes: new Map(), recordsOfPatient: [] }
  const folder = { ...context, folderPath: first.folder_path }
  const pictures = [first, ...others].map((row) => collectPicture(folder, [unusableImage(row)]))
  const verdict = verdictOnVisit(pictures, memoryOf(folder))
  return { pictures, verdict, eyes: verdict.eyes, recordsOfPatient: [] }
}

export function collectEvidence(
  context: ReadContext,
  images: readonly ImageRow[],
  unusable: readonly UnusableRow[] = [],
): SubmissionEvidence {
  if (images.length === 0) return evidenceOfUnusable(context, unusable)
  const all = images
    .filter((image) => image.twin_of === null)
    .map((image) => {
      const rows = [image, ...images.filter((other) => other.twin_of === image.id)]
      const folder = { ...context, folderPath: image.folder_path ?? '' }
      return { image, rows, picture: collectPicture(folder, rows) }
    })
  // Excluded images no longer speak for the visit, unless there are no others.
  const taken = all.filter(({ image }) => image.excluded_because === null)
  const speaking = taken.length > 0 ? taken : all
  const ofSpeaking = speaking.map(({ picture }) => picture)
  const ofFolder = speaking.filter(({ image }) => image.folder_path !== null)
  const folderPath = ofFolder[0]?.image.folder_path ?? null
  if (folderPath === null)
    return { pictures: ofSpeaking, verdict: null, eyes: verdictsOnEyes(ofSpeaking), recordsOfPatient: [] }
  const folder = { ...context, folderPath }
  const memory = memoryOf(folder, images[0]?.submission_id)
  const pictures = ofFolder.map(({ picture }) => picture)
  const verdict = besideConfirmed(folder, verdictOnVisit(pictures, memory), ofFolder, memory)
  const number = valueIn(verdict.who)
  return {
    pictures: ofSpeaking,
    verdict,
    eyes: verdict.eyes,
    recordsOfPatient: number ? recordsOfPatient(folder, pictures, number, valueIn(verdict.day)) : [],
  }
}

/** The verdict with what the confirmed profiles of the folder say of names that they do not prove. */
function besideConfirmed(
  folder: InFolder,
  verdict: VisitVerdict,
  speaking: readonly { readonly rows: readonly ImageRow[]; readonly picture: CollectedPicture }[],
  memory: FolderMemory,
): VisitVerdict {
  const reserves = new Set(speaking.map(({ picture }) => picture.reserve))
  const why = RESERVES.find((one) => reserves.has(one))
  if (why === undefined) return verdict
  if (why === 'notConfirmed') return withReserve(verdict, verdict, why)
  const pictures = speaking.map(({ rows }) => collectPicture(folder, rows, 'all'))
  return withReserve(verdict, verdictOnVisit(pictures, memory), why)
}

/** Records found through the number: of the day of the visit, or of the patient alone, without measurements. */
export function recordsOfPatient(
  { outbox, folderPath }: InFolder,
  pictures: readonly CollectedPicture[],
  number: string,
  day: string | null,
): readonly Sidecar[] {
  if (!outbox.hasSidecarRecords(folderPath)) return []
  const own = new Set(pictures.flatMap(({ records }) => records.map((record) => JSON.stringify(record))))
  const rows = outbox.recordsMatching(folderPath, { kind: 'patient', key: foldPath(number) })
  const cameAt = Math.min(...pictures.map((picture) => picture.cameAt))
  return rows
    .filter(({ withdrawn_at: until }) => until === null || until > cameAt)
    .toSorted(byName)
    .flatMap((row) => {
      const [record] = recordIn(row.content)
      if (!record || own.has(JSON.stringify(record))) return []
      const { visit_date: visited } = record.fields
      if (visited !== undefined && day !== null && visited !== day) return []
      const isOfVisit =
        visited !== undefined ||
        pictures.some(({ paths }) => paths.some((path) => liesBeside(row.relative_path, path)))
      return [isOfVisit ? record : { ...withFields(record, OF_PATIENT), eyes: {} }]
    })
}

function liesBeside(dataFile: string, path: string): boolean {
  const folder = visitFolderOf(dataFile)
  return folder === '' || visitFolderOf(path) === folder
}

/** What a record of no day still states about the patient: who, but no measurements. */
const OF_PATIENT = ['history_number', 'last_name', 'first_name', 'gender'] as const

/** Everything that speaks of the patient of these pictures, folded: an answer settles it. */
export function voicesOnPatient(pictures: readonly CollectedPicture[]): readonly string[] {
  const ids = pictures.flatMap(({ ids: own, idHints, issuers, paths }) => [
    ...[...own, ...idHints, ...issuers].map(({ value }) => bareId(value)),
    ...paths.flatMap((path) => numbersIn(path).map(({ core }) => core)),
  ])
  const people = pictures.flatMap((picture) =>
    picture.people.map(({ value }) =>
      foldPath(`${value.lastName ?? ''} ${value.firstName ?? ''} ${value.birthDate ?? ''}`),
    ),
  )
  return [...new Set([...ids, ...people])].filter((voice) => voice.trim() !== '').toSorted()
}

export function voicesOnDay(pictures: readonly CollectedPicture[]): readonly string[] {
  const days = pictures.flatMap((picture) => [...picture.days, ...picture.dayHints])
  return [...new Set(days.map(({ value }) => value))].toSorted()
}

/** The folder of the visit of a file; folders that only divide it by eye or kind (`OD`, `FOP`) are skipped. */
export function visitFolderOf(relativePath: string): string {
  let folder = folderOf(relativePath)
  while (folder !== '' && isDivision(nameOf(folder))) folder = folderOf(folder)
  return folder
}

/** The unusable files of a case with their eyes, as far as names and data files state them. */
export function withEyesOfUnusable(
  context: ReadContext,
  files: readonly UnusableRow[],
  images: readonly CollectedPicture[],
): readonly UnusableRow[] {
  if (files.length === 0) return files
  const own = files.map((row) =>
    collectPicture({ ...context, folderPath: row.folder_path }, [unusableImage(row)]),
  )
  const ownIds = new Set(own.map(({ id }) => id))
  const pictures = [...images.filter(({ id }) => !ownIds.has(id)), ...own]
  const verdicts = verdictsOnEyes(pictures)
  return files.map((row) => {
    const verdict = verdicts.get(row.id)
    return { ...row, eye: (verdict && valueIn(verdict)) ?? 'unknown' }
  })
}
