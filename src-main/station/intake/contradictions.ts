/**
 * What comes after a case was sent, or may have been, and states another patient, day or eye: it changes nothing, and
 * raises an alarm that names the case.
 */
import type { FieldName, Fields } from '../../../src-shared/fields.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import { worded } from '../../../src-shared/wording.ts'
import { factsColumn, fieldsColumn, identityColumn } from '../json-columns.ts'
import type { SidecarMatch } from '../outbox/files.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { Clock } from '../ports.ts'
import type { FileMark } from '../watch/watch.ts'
import { eyeAnswerOf } from './answers.ts'
import { type ContentFacts, foldPath, type Sidecar, type StatedEye, stemKeyOf } from './evidence.ts'
import { twinsAmong } from './images/twins.ts'
import { affectedSubmissions } from './late-data.ts'
import { bondOf, eyesIn, type HeldRecord } from './proof/binding.ts'
import { bareId, compareIds } from './meaning/numbers.ts'
import { otherNameIn } from './proof/named-people.ts'
import type { FolderMemory, PictureOfPatient } from './proof/patient-evidence.ts'
import { contradictionOf, labelOf, nameTerms, type Person, personIn } from './meaning/persons.ts'
import { collectEvidence } from './visits/identity.ts'
import { memoryOf } from './visits/memory.ts'
import type { CollectedPicture, ImageFile, VisitContext } from './visits/pictures.ts'
import { isReusedName, othersBelow, recordsAbout } from './visits/records.ts'
import { isOpen } from './visits/visits.ts'

type AlarmContext = VisitContext & { readonly clock: Clock }

/** What was sent of a case, and what its person knew when they decided. */
type Sent = {
  readonly fields: Fields
  /** The birth dates that its files, and the records that are bound to them, state. */
  readonly births: readonly string[]
  /** The names of the image and its copies, which may say whose it is; null if it was left out. */
  readonly named: Pick<PictureOfPatient, 'paths' | 'isReadByProfile'> | null
  /** The numbers that a person saw beside the one that they entered, folded. */
  readonly settled: readonly string[]
  readonly eye: Eye
  /** What stated the eye when a person chose it. */
  readonly eyeSettled: readonly string[]
}

/** What a source states about one image of it. */
type Late = {
  readonly source: 'dicom' | 'sidecar'
  readonly fields: Pick<Fields, Extract<FieldName, 'history_number' | 'visit_date'>>
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
  context: AlarmContext,
  { folderPath, relativePath }: Pick<FileMark, 'folderPath' | 'relativePath'>,
  {
    form,
    record,
    matches,
  }: {
    readonly form: HeldRecord['form']
    readonly record: Sidecar
    readonly matches: readonly SidecarMatch[]
  },
): void {
  const { images: outboxImages } = context.outbox
  const held: HeldRecord = { path: relativePath, form, record, hasHeldAnother: false }
  const reached = matches
    .filter(({ kind }) => kind !== 'patient')
    .flatMap((match) => affectedSubmissions(context, folderPath, match))
    .filter((row) => mayHaveLeft(context, row))
  for (const row of new Map(reached.map((one) => [one.id, one])).values()) {
    const images = outboxImages.rows(row.id)
    for (const image of images) {
      const copies = outboxImages.copiesOf(image.id)
      for (const path of [image.file_name, ...copies.map(({ file_name }) => file_name)]) {
        // A name that was used again may be of the new image.
        const isReused = isReusedName(context, folderPath, path, images, copies)
        if (bondOf(held, path, isReused) !== 'bound') continue
        const late: Late = {
          source: 'sidecar',
          fields: record.fields,
          person: personIn(record),
          eyes: eyesIn(held, path),
        }
        raise(context, folderPath, row, image, late)
      }
    }
  }
  for (const { image, path } of formerCopies(context, folderPath, matches))
    for (const late of statedBy(context, folderPath, [held], path, image)) raiseIfLeft(context, image, late)
}

/** The images of closed cases of which copies had names that these matches reach, and those names. */
function formerCopies(
  { outbox }: VisitContext,
  folderPath: string,
  matches: readonly SidecarMatch[],
): readonly { readonly image: ImageRow; readonly path: string }[] {
  const names = matches.flatMap(({ kind, key }) => {
    if (kind === 'patient') return []
    if (kind === 'directory') return outbox.images.formerNamesBelow(folderPath, foldPath(key))
    return [key, stemKeyOf(key)].flatMap((stem) => outbox.images.formerNamesOfStem(folderPath, stem))
  })
  return [...new Map(names.map((one) => [JSON.stringify(one), one])).values()].flatMap(
    ({ imageId, name }) => {
      const image = outbox.images.byId(imageId)
      return image ? [{ image, path: name }] : []
    },
  )
}

function isNameOfOthers(context: VisitContext, folderPath: string, path: string, image: ImageRow): boolean {
  return isReusedName(context, folderPath, path, [image], context.outbox.images.copiesOf(image.id))
}

/** What those of these records that are bound to a name of this image state of it. */
function statedBy(
  context: VisitContext,
  folderPath: string,
  records: readonly HeldRecord[],
  path: string,
  image: ImageRow,
): readonly Late[] {
  const isReused = isNameOfOthers(context, folderPath, path, image)
  return records
    .filter((held) => bondOf(held, path, isReused, othersBelow(context, folderPath, held)) === 'bound')
    .map((held) => ({
      source: 'sidecar',
      fields: held.record.fields,
      person: personIn(held.record),
      eyes: eyesIn(held, path),
    }))
}

/**
 * A copy of an image whose case is closed: the records that are bound to its name, and the DICOM file beside it, speak of
 * that image, too. Returns the numbers that the records state.
 */
export function noteContradictingCopy(
  context: AlarmContext,
  { folderPath, relativePath }: Pick<FileMark, 'folderPath' | 'relativePath'>,
  image: ImageRow,
  recordId: number | null,
): readonly string[] {
  const { images } = context.outbox
  const isReused = isNameOfOthers(context, folderPath, relativePath, image)
  const records = recordsAbout(context, folderPath, [relativePath], [{ record_id: recordId }], isReused)
  const stated = statedBy(context, folderPath, records, relativePath, image)
  for (const late of stated) raiseIfLeft(context, image, late)
  const copy = { ...image, file_name: relativePath }
  for (const { facts, ...beside } of images.ofStem(folderPath, stemKeyOf(relativePath)))
    if (facts !== null && beside.id !== image.id && twinsAmong([copy, beside]).size > 0)
      noteContradictingFacts(context, image, factsColumn.read(facts))
  return stated.flatMap(({ fields }) => fields.history_number ?? [])
}

/** The other file of a photograph that was sent. */
export function noteContradictingTwin(
  context: AlarmContext,
  folderPath: string,
  file: ImageFile,
  facts: ContentFacts,
): void {
  const key = stemKeyOf(file.file_name)
  // A name that was used again may be of the new image.
  const copies = formerCopies(context, folderPath, [{ kind: 'file', key }]).filter(
    ({ image, path }) => !isNameOfOthers(context, folderPath, path, image),
  )
  const sent = context.outbox.images.ofStem(folderPath, key)
  for (const image of [...sent, ...copies.map((copy) => copy.image)])
    if (twinsAmong([image, file]).size > 0) noteContradictingFacts(context, image, facts)
}

/** Attributes of a DICOM file that is the photograph of this image, exported again or beside it. */
export function noteContradictingFacts(context: AlarmContext, image: ImageRow, facts: ContentFacts): void {
  raiseIfLeft(context, image, {
    source: 'dicom',
    fields: facts.fields,
    person: personIn(facts),
    eyes: facts.eye === null ? [] : [facts.eye],
  })
}

function raiseIfLeft(context: AlarmContext, image: ImageRow, late: Late): void {
  const row = context.outbox.submissions.row(image.submission_id)
  if (!row || image.folder_path === null || !mayHaveLeft(context, row)) return
  // The eye that was sent is that of the file that was.
  const shown = image.twin_of === null ? image : (context.outbox.images.byId(image.twin_of) ?? image)
  raise(context, image.folder_path, row, shown, late)
}

/** Sending has begun: nothing that comes now changes the case. Of one that failed, it is read before it goes. */
function mayHaveLeft({ outbox }: VisitContext, row: SubmissionRow): boolean {
  const { id, attempts, state } = row
  if (attempts === 0 || state === 'refused' || isOpen(row)) return false
  return state !== 'discarded' || outbox.attempts.hasUnresolved(id)
}

function birthsIn(pictures: readonly CollectedPicture[]): readonly string[] {
  return pictures.flatMap(({ facts, records, folderRecords }) => {
    const bound = records.filter((record) => !folderRecords.includes(record))
    return [...facts, ...bound].flatMap(({ birthDate }) => birthDate ?? [])
  })
}

function raise(
  context: AlarmContext,
  folderPath: string,
  row: SubmissionRow,
  image: ImageRow,
  late: Late,
): void {
  const { outbox, clock } = context
  const { pictures } = collectEvidence(context, outbox.images.rows(row.id))
  const sent: Sent = {
    fields: fieldsColumn.read(row.fields),
    births: birthsIn(pictures),
    named: pictures.find(({ id }) => id === (image.twin_of ?? image.id)) ?? null,
    settled: identityColumn.read(row.identity).settled?.patient?.statements ?? [],
    eye: image.excluded_because === null && image.twin_of === null ? image.eye : 'unknown',
    eyeSettled: eyeAnswerOf(image)?.statements ?? [],
  }
  for (const what of contradictionsIn(sent, late, memoryOf(context, folderPath, row.id)))
    outbox.alarms.raise({
      kind: 'contradicted',
      submissionId: row.id,
      caseIds: row.case_id === null ? [] : [row.case_id],
      ...worded(`intake:contradicted.${what}`, { reference: row.reference }),
      at: clock.now(),
    })
}
