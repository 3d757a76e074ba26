/**
 * What comes late and states another patient, day or eye than a case: a record, the other file of a photograph, a copy of
 * an image. If the case was sent, or may have been, it changes nothing, and raises an alarm that names the case. A copy is
 * one only if it states the same patient, day and eye; of an open case it speaks in any event, and a person is asked.
 */
import type { Fields } from '../../../src-shared/fields.ts'
import type { Eye, StatedEye } from '../../../src-shared/measurement-ranges.ts'
import { worded } from '../../../src-shared/wording.ts'
import { factsColumn, fieldsColumn, identityColumn } from '../json-columns.ts'
import type { SidecarMatch } from '../outbox/files.ts'
import type { Holder } from '../outbox/images.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { Arrival } from './spool.ts'
import type { FileMark } from '../../reader/watch-messages.ts'
import { eyeAnswerOf } from './answers.ts'
import { type ContentFacts, foldPath, nameOf, stemKeyOf } from './meaning/sources.ts'
import { noteFor, refreshSubmissions } from './settle.ts'
import { twinsAmong } from './visits/twins.ts'
import { affectedSubmissions } from './late-data.ts'
import { bondOf, eyesIn, type HeldRecord, type NameUse } from './verdict/binding.ts'
import { bareId, compareIds } from './meaning/numbers.ts'
import { otherNameIn } from './verdict/named-people.ts'
import type { FolderMemory, PictureEvidence } from './verdict/evidence.ts'
import { contradictionOf, labelOf, nameTerms, type Person, personIn } from './meaning/persons.ts'
import { collectEvidence, numberOfPicture, visitIdentityFor } from './visits/identity.ts'
import { memoryOf } from './visits/memory.ts'
import type { InFolder, VisitContext } from './visits/pictures.ts'
import type { ImageFile } from './visits/reads.ts'
import { othersBelow, recordsAbout, useOfName } from './visits/records.ts'
import { type AssignContext, type AssignFolder, assignVisits, isOpen } from './visits/visits.ts'

/** What was sent of a case, and what its person knew when they decided. */
type Sent = {
  readonly fields: Fields
  /** The birth dates that its files, and the records that are bound to them, state. */
  readonly births: readonly string[]
  /** The names of the image and its copies, which may say whose it is; null if it was left out. */
  readonly named: Pick<PictureEvidence, 'paths' | 'isReadByProfile'> | null
  /** The numbers that a person saw beside the one that they entered, folded. */
  readonly settled: readonly string[]
  readonly eye: Eye
  /** What stated the eye when a person chose it. */
  readonly eyeSettled: readonly string[]
}

/** What a source states about one image of it. */
type Late = {
  readonly source: 'dicom' | 'sidecar' | 'fileName' | 'folderName'
  readonly fields: { readonly history_number?: string | undefined; readonly visit_date?: string | undefined }
  readonly person: Person
  readonly eyes: readonly StatedEye[]
}

type Contradiction = 'patient' | 'day' | 'eye'

/** In what a late source contradicts what was sent. Pure. */
export function contradictionsIn(
  { fields, births, named, settled, eye, eyeSettled }: Sent,
  late: Late,
  memory: Pick<FolderMemory, 'areSamePatient' | 'areOnePerson' | 'isConstant'>,
): readonly Contradiction[] {
  const [ours, theirs] = [fields.history_number, late.fields.history_number]
  const isOtherNumber =
    ours !== undefined &&
    theirs !== undefined &&
    compareIds(ours, theirs) === 'other' &&
    // The number that was sent speaks for itself, but for no other spelling of it.
    (bareId(ours) === bareId(theirs) || !settled.includes(bareId(theirs))) &&
    !memory.areSamePatient(ours, theirs)
  const birthDate = births.find((birth) => birth === late.person.birthDate) ?? births[0] ?? null
  const person = personIn({ fields, birthDate })
  const isOtherPerson =
    contradictionOf(person, late.person) !== null &&
    !memory.areOnePerson(labelOf(person), labelOf(late.person))
  // A name that was sent was compared with those of the files before.
  const isOtherName =
    ours !== undefined &&
    named !== null &&
    nameTerms(person.lastName, person.firstName).length === 0 &&
    otherNameIn(
      [{ ...named, people: [{ value: late.person, source: late.source, where: '' }] }],
      ours,
      memory,
    ) !== null
  const isOtherDay =
    fields.visit_date !== undefined &&
    late.fields.visit_date !== undefined &&
    fields.visit_date !== late.fields.visit_date
  const isOtherEye =
    eye !== 'unknown' &&
    late.eyes.some((stated) => stated !== eye && !eyeSettled.includes(`${late.source} ${stated}`))
  return [
    ...(isOtherNumber || isOtherPerson || isOtherName ? (['patient'] as const) : []),
    ...(isOtherDay ? (['day'] as const) : []),
    ...(isOtherEye ? (['eye'] as const) : []),
  ]
}

/** A record that came or is written over, before it is stored: it speaks of the images that it is bound to. */
export function noteContradictingRecord(
  context: AssignFolder,
  held: HeldRecord,
  matches: readonly SidecarMatch[],
): void {
  const reached = matches
    .filter(({ kind }) => kind !== 'patient')
    .flatMap((match) => affectedSubmissions(context, match))
    .filter((row) => mayHaveLeft(context, row))
  for (const row of new Map(reached.map((one) => [one.id, one])).values()) {
    const images = context.outbox.imageRowsOf(row.id)
    for (const image of images) {
      const copies = context.outbox.copiesOf(image.id)
      for (const path of [image.file_name, ...copies.map(({ file_name }) => file_name)]) {
        // A name that was used again may be of the new image.
        const use = useOfName(context, path, images, copies)
        if (bondOf(held, path, use) === 'bound') raiseIfLeft(context, image, lateOfRecord(held, path))
      }
    }
  }
  for (const { image, path } of formerCopies(context, matches)) {
    const stated = statedBy(context, [held], path, image)
    // With what is known by now it is an image of its own.
    if (stated.filter((late) => raiseIfLeft(context, image, late)).length > 0)
      context.outbox.forgetCopy(context.folderPath, path)
  }
}

/** The images of closed cases of which copies had names that these matches reach, and those names. */
function formerCopies(
  { outbox, folderPath }: InFolder<VisitContext>,
  matches: readonly SidecarMatch[],
): readonly { readonly image: ImageRow; readonly path: string }[] {
  const names = matches.flatMap(({ kind, key }) => {
    if (kind === 'patient') return []
    if (kind === 'directory') return outbox.lateCopiesBelow(folderPath, foldPath(key))
    return [key, stemKeyOf(key)].flatMap((stem) => outbox.lateCopiesOfStem(folderPath, stem))
  })
  return [...new Map(names.map((one) => [JSON.stringify(one), one])).values()].flatMap(
    ({ imageId, name }) => {
      const image = outbox.imageById(imageId)
      return image ? [{ image, path: name }] : []
    },
  )
}

function useOf(context: InFolder, path: string, image: ImageRow): NameUse {
  return useOfName(context, path, [image], context.outbox.copiesOf(image.id))
}

/** What those of these records that are bound to a name of this image state of it. */
function statedBy(
  context: InFolder,
  records: readonly HeldRecord[],
  path: string,
  image: ImageRow,
): readonly Late[] {
  const use = useOf(context, path, image)
  return records
    .filter((held) => bondOf(held, path, use, othersBelow(context, held)) === 'bound')
    .map((held) => lateOfRecord(held, path))
}

function lateOfRecord(held: HeldRecord, path: string): Late {
  const { record } = held
  return { source: 'sidecar', fields: record.fields, person: personIn(record), eyes: eyesIn(held, path) }
}

/**
 * What a file with the pixels of this image states by its name `relativePath`: the records that are bound to it, or of
 * another patient in its folder, and the DICOM file beside it. Names count only if nothing else states a patient, and
 * only for what the name of the image does not say as well. `facts`: its own attributes, if they are not those of the image.
 */
function statedByCopy(
  context: AssignFolder,
  { folderPath, relativePath, mtimeMs }: FileMark,
  image: ImageRow,
  { facts, recordId }: { readonly facts: ContentFacts | null; readonly recordId: number | null },
): readonly Late[] {
  const isReused = useOf(context, relativePath, image) === 'reused'
  const records = recordsAbout(context, [relativePath], [{ record_id: recordId }], isReused)
  const bound = statedBy(context, records, relativePath, image)
  const ofFolder = records.filter(
    (held) => !held.onlyDoubts && held.form === 'case' && bondOf(held, relativePath, 'once') === 'hint',
  )
  const copy = { ...image, file_name: relativePath }
  const beside = context.outbox
    .imagesOfStem(folderPath, stemKeyOf(relativePath))
    .filter((one) => one.id !== image.id && one.facts !== null && twinsAmong([copy, one]).size > 0)
  const stated = [
    ...bound,
    ...ofFolder.map(({ record }) => lateOf('sidecar', { history_number: record.fields.history_number })),
    ...[facts, ...beside.map((one) => factsIn(one))].flatMap((one) =>
      one === null ? [] : [lateOfFacts(one)],
    ),
  ]
  const own = factsIn(image)?.fields.history_number
  if ([own, ...stated.map(({ fields }) => fields.history_number)].some((number) => number !== undefined))
    return stated
  const named = { ...copy, id: '', mtime_ms: mtimeMs, facts: null, record_id: null }
  const { heldBy, picture, visitDate, eye } = visitIdentityFor(context, [named])
  const isOtherName = foldPath(nameOf(relativePath)) !== foldPath(nameOf(image.file_name))
  const number = heldBy === 'patient' ? numberOfPicture(context, picture) : null
  const day = isOtherName && visitDate?.source === 'fileName' ? visitDate.value : undefined
  return [
    ...stated,
    lateOf(
      number?.source === 'folderName' ? 'folderName' : 'fileName',
      { history_number: number?.value, visit_date: day },
      isOtherName && eye !== null ? [eye] : [],
    ),
  ]
}

function lateOf(source: Late['source'], fields: Late['fields'], eyes: Late['eyes'] = []): Late {
  return { source, fields, person: personIn({ fields: {}, birthDate: null }), eyes }
}

function factsIn({ facts }: Pick<ImageRow, 'facts'>): ContentFacts | null {
  return facts === null ? null : factsColumn.read(facts)
}

/** The other file of a photograph that was sent. */
export function noteContradictingTwin(context: AssignFolder, file: ImageFile, facts: ContentFacts): void {
  const key = stemKeyOf(file.file_name)
  // A name that was used again may be of the new image.
  const copies = formerCopies(context, [{ kind: 'file', key }]).filter(
    ({ image, path }) => useOf(context, path, image) !== 'reused',
  )
  const sent = context.outbox.imagesOfStem(context.folderPath, key)
  for (const image of [...sent, ...copies.map((copy) => copy.image)])
    if (twinsAmong([image, file]).size > 0) raiseIfLeft(context, image, lateOfFacts(facts))
}

/** Attributes of a DICOM file that is the photograph of an image, exported again or beside it. */
function lateOfFacts(facts: ContentFacts): Late {
  const { fields, eye } = facts
  return { source: 'dicom', fields, person: personIn(facts), eyes: eye === null ? [] : [eye] }
}

/** Raises what contradicts a case that was sent, or may have been. */
function raiseIfLeft(context: AssignContext, image: ImageRow, late: Late): boolean {
  const row = context.outbox.rowOf(image.submission_id)
  if (row === undefined || image.folder_path === null || !mayHaveLeft(context, row)) return false
  return doesContradict(context, image, row, late)
}

/** Does this contradict the case of an image, as it is now? If that was sent, or may have been, an alarm says so. */
function doesContradict(context: AssignContext, image: ImageRow, row: SubmissionRow, late: Late): boolean {
  const { outbox } = context
  // The eye that was sent is that of the file that was.
  const shown = image.twin_of === null ? image : (outbox.imageById(image.twin_of) ?? image)
  const { pictures } = collectEvidence(context, outbox.imageRowsOf(row.id))
  const sent: Sent = {
    fields: fieldsColumn.read(row.fields),
    births: pictures.flatMap(({ facts, boundRecords }) =>
      [...facts, ...boundRecords].flatMap(({ birthDate }) => birthDate ?? []),
    ),
    named: pictures.find(({ id }) => id === shown.id) ?? null,
    settled: identityColumn.read(row.identity).settled?.patient?.statements ?? [],
    eye: shown.excluded_because === null && shown.twin_of === null ? shown.eye : 'unknown',
    eyeSettled: eyeAnswerOf(shown)?.statements ?? [],
  }
  const found = contradictionsIn(
    sent,
    late,
    memoryOf({ ...context, folderPath: image.folder_path ?? '' }, row.id),
  )
  const isRaised = image.folder_path !== null && mayHaveLeft(context, row)
  for (const what of isRaised ? found : [])
    outbox.raiseAlarm({
      kind: 'contradicted',
      submissionId: row.id,
      caseIds: row.case_id === null ? [] : [row.case_id],
      ...worded(`intake:contradicted.${what}`, { reference: row.reference }),
      at: context.clock.now(),
    })
  return found.length > 0
}

/** Sending has begun: nothing that comes now changes the case. Of one that failed, it is read before it goes. */
function mayHaveLeft({ outbox }: VisitContext, row: SubmissionRow): boolean {
  const { id, attempts, state } = row
  if (attempts === 0 || state === 'refused' || isOpen(row)) return false
  return state !== 'discarded' || outbox.hasUnresolvedAttempt(id)
}

/** An image with the pixels of a file, its case, and whether the file states something else than the case. */
type Known = {
  readonly holder: Holder
  readonly image: ImageRow
  readonly row: SubmissionRow
  readonly isContradicted: boolean
}

/**
 * - `itself`    the file of an image, unchanged, or one of which nothing can be read
 * - `copy`      it says nothing else than the case of the image, or that case is open and asks
 * - `another`   every case that has its pixels is closed and says something else: it may correct the first of them
 */
export type Copy =
  | { readonly kind: 'itself'; readonly holder: Holder }
  | ({ readonly kind: 'copy' } & Known)
  | { readonly kind: 'another'; readonly holder: Holder }

/** What this file is to the images that have its pixels; null if there is none. Alarms are raised for what it contradicts. */
export function copyOf({ context, mark, stored }: Arrival, recordId: number | null): Copy | null {
  const { bytes, picture, facts } = stored
  const holders = context.outbox.holdersOf(bytes.sha256, picture?.sha256)
  const [first] = holders
  if (first === undefined) return null
  const known: Known[] = []
  for (const holder of holders) {
    const image = context.outbox.imageById(holder.imageId)
    const row = context.outbox.rowOf(holder.submissionId)
    const isSameFile = image?.folder_path === mark.folderPath && image.file_name === mark.relativePath
    if (!image || !row || (isSameFile && image.sha256 === bytes.sha256)) return { kind: 'itself', holder }
    const stated = statedByCopy(context, mark, image, {
      facts: factsBeside(image, bytes.sha256, facts),
      recordId,
    })
    const contradicting = stated.filter((late) => doesContradict(context, image, row, late))
    known.push({ holder, image, row, isContradicted: contradicting.length > 0 })
  }
  const isOpenHere = ({ image, row }: Known): boolean => image.folder_path === mark.folderPath && isOpen(row)
  const copied = known.find(({ isContradicted }) => !isContradicted) ?? known.find(isOpenHere)
  return copied === undefined ? { kind: 'another', holder: first } : { kind: 'copy', ...copied }
}

/** Equal bytes state nothing new. */
function factsBeside(image: ImageRow, sha256: string, facts: ContentFacts | null): ContentFacts | null {
  return image.sha256 === sha256 ? null : facts
}

/** A copy is marked as seen. While its case is open, what this name or export states counts too. */
export function addCopy(
  { context, mark, stored: { bytes, picture, facts } }: Arrival,
  { holder, image, row }: Extract<Copy, { kind: 'copy' }>,
  recordId: number | null,
): void {
  const { outbox, clock } = context
  const { folderPath, relativePath } = mark
  if (image.sha256 !== bytes.sha256 || image.removed_at !== null)
    for (const stored of [bytes, picture]) if (stored) outbox.addLeftover(stored.spoolName)
  const named = { stemKey: stemKeyOf(relativePath), imageId: image.id }
  if (image.folder_path === folderPath && isOpen(row)) {
    const own = factsBeside(image, bytes.sha256, facts)
    outbox.markSeen(mark, 'copy', clock.now(), {
      ...named,
      facts: own && JSON.stringify(own),
      recordId,
    })
    refreshSubmissions(context, new Set([row.id, ...assignVisits(context, [image.id])]))
  } else outbox.markSeen(mark, 'lateCopy', clock.now(), named)
  noteFor(context, mark)('duplicate', worded('intake:ingest.duplicate', { reference: holder.reference }))
}
