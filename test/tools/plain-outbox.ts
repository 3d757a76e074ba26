/**
 * An outbox of plain values, with one watched folder: no SQLite, no disk, no clock. It stores rows and finds them; what it
 * lacks, no decision asks. `plain-outbox.test.ts` compares it with the real one.
 */
import { transition } from '../../src-shared/states.ts'
import { fieldsColumn, identityColumn } from '../../src-main/station/json-columns.ts'
import {
  candidateFrom,
  digestOf,
  shownDigestOf,
  withoutNotes,
} from '../../src-main/station/outbox/approvals.ts'
import { type ConfirmedNow, wereConfirmedBefore } from '../../src-main/station/outbox/folder-memory.ts'
import type { NewImage } from '../../src-main/station/outbox/images.ts'
import type { Outbox } from '../../src-main/station/outbox/outbox.ts'
import type { ImageRow, SubmissionRow } from '../../src-main/station/outbox/rows.ts'
import { type Content, NO_IDENTITY, submissionFromRow } from '../../src-main/station/outbox/submissions.ts'
import { plainFiles } from './plain-files.ts'
import { plainMemory } from './plain-memory.ts'
import { PlainRows } from './plain-rows.ts'

type Alarm = Parameters<Outbox['raiseAlarm']>[0]

export type PlainOutbox = {
  readonly outbox: Outbox
  readonly alarms: readonly Pick<Alarm, 'submissionId' | 'message'>[]
  /** The cases in the order in which they were made, with their images; both are the same objects until they change. */
  readonly cases: () => readonly (readonly [row: SubmissionRow, images: readonly ImageRow[]])[]
  /** What waits has left, and arrived. */
  readonly deliver: () => void
}

const SENT: readonly SubmissionRow['state'][] = ['sent', 'sending', 'unconfirmed']

export function openPlainOutbox(): PlainOutbox {
  const rows = new PlainRows()
  const files = plainFiles(rows)
  const memory = plainMemory(rows)
  const alarms: Alarm[] = []
  let confirmed: ConfirmedNow = {}

  const rowOf = (id: string): SubmissionRow | undefined => rows.cases.get(id)
  const imageRowsOf = (id: string): ImageRow[] => [...rows.imagesOf(id)]
  const candidateOf: Outbox['candidateOf'] = (id) => {
    const row = rowOf(id)
    if (!row) return null
    const images = imageRowsOf(id)
    return candidateFrom(row, images, {
      areConfirmed: ({ profiles }) =>
        wereConfirmedBefore(profiles, confirmed[row.folder_path ?? ''] ?? {}, images),
      isAwaitingFile: () => files.isAwaitingFile(id),
    })
  }
  const imagesOfStems: Outbox['imagesOfStems'] = (_folder, stems) =>
    [...new Set(stems)]
      .flatMap((ofStem) =>
        rows
          .imagesIn([...rows.ofStem.of(ofStem), ...files.stemsOfCopies.of(ofStem)])
          .filter(({ submission_id: id }) => rowOf(id)?.state !== 'discarded')
          .map((image) => ({ ...image, ofStem })),
      )
      .toSorted((one, other) => one.position - other.position)
  const moveSubmission: Outbox['moveSubmission'] = (id, event, patch, options) => {
    const row = rowOf(id)
    const to = row === undefined ? null : transition(row.state, event)
    if (row === undefined || to === null)
      throw new Error(`${event} is not possible in ${row?.state ?? 'no case'}`)
    const candidate = to === 'waiting' ? candidateOf(id) : null
    rows.setCase(id, {
      state: to,
      changed_at: options.at,
      ...(patch.notBefore !== undefined && { not_before: patch.notBefore, planned_at: options.at }),
      ...(patch.quietUntil !== undefined && { quiet_until: patch.quietUntil }),
      ...(candidate !== null && {
        passed_at: options.at,
        passed_digest: candidate.digest,
        identity: withoutNotes(candidate.row.identity),
      }),
    })
    if (candidate === null) return to
    if (event === 'approved') {
      const { joinedAfterEntry: _joined, ...identity } = identityColumn.read(rowOf(id)?.identity ?? '')
      rows.setCase(id, {
        approved_digest: candidate.digest,
        approved_verdict: JSON.stringify(candidate.verdict),
        approved_via: options.via ?? null,
        approved_at: options.at,
        identity: JSON.stringify(identity),
      })
      return to
    }
    return candidate.mayLeave ? to : moveSubmission(id, 'gatheredForReview', {}, { at: options.at })
  }

  const operations = {
    ...files.operations,
    ...memory.operations,
    write: (work) => work(),
    afterCommit: (effect) => effect(),
    isMoveRefused: () => false,
    isCaseUnreadable: () => false,
    appendAudit: () => {},
    listAudit: () => [],
    raiseAlarm: (alarm) => alarms.push(alarm) > 0,
    readFact: () => null,
    noteConfirmed: (now) => {
      confirmed = now
    },

    createSubmission: ({ folderPath, groupKey, addendumTo, centerId, quietUntil, at, ...input }) => {
      const position = rows.cases.size + 1
      const id = `case ${position}`
      rows.addCase({
        ...EMPTY_CASE,
        position,
        id,
        reference: `FC${position}`,
        folder_path: folderPath,
        addendum_to: addendumTo,
        fields: JSON.stringify(input.fields ?? {}),
        sources: JSON.stringify(input.sources ?? {}),
        identity: JSON.stringify(input.identity ?? NO_IDENTITY),
        center_id: centerId,
        quiet_until: quietUntil,
        added_at: at,
        changed_at: at,
      })
      if (groupKey !== null) memory.addGroupKey(id, groupKey)
      return id
    },
    rowOf,
    imageRowsOf,
    caseToRead: (id) => {
      const row = rowOf(id)
      if (!row) return null
      const images = imageRowsOf(id)
      return { row, images, digest: digestOf(row, images) }
    },
    candidateOf,
    shownDigest: (id) => {
      const candidate = candidateOf(id)
      return candidate === null ? '' : shownDigestOf(candidate.row, candidate.images, candidate.verdict)
    },
    submissionOf: (id) => {
      const row = rowOf(id)
      return row ? submissionFromRow(row, imageRowsOf(id), files.operations.unusableOf(id), false) : null
    },
    // No call is answered with one.
    detailsOf: () => null,
    setContent: (id, content, at) => {
      const row = rowOf(id)
      const texts = Object.fromEntries(
        Object.entries(content).map(([name, value]) => [name, JSON.stringify(value)]),
      )
      if (row && Object.entries(texts).some(([name, text]) => row[name as keyof Content] !== text))
        rows.setCase(id, { ...texts, changed_at: at })
    },
    setIdentity: (id, identity) => rows.setCase(id, { identity: JSON.stringify(identity) }),
    setAddendumTo: (id, addendumTo) => rows.setCase(id, { addendum_to: addendumTo }),
    setQuietUntil: (id, quietUntil) => rows.setCase(id, { quiet_until: quietUntil }),
    moveSubmission,
    attemptsOf: () => [],
    hasUnresolvedAttempt: () => false,
    nextQuietAt: () => {
      const ends = [...rows.cases.values()].flatMap(({ state, quiet_until: end }) =>
        state === 'collecting' && end !== null ? [end] : [],
      )
      return ends.length === 0 ? null : Math.min(...ends)
    },
    quietSubmissions: (now) =>
      [...rows.cases.values()]
        .filter(({ state, quiet_until: end }) => state === 'collecting' && end !== null && end <= now)
        .map(({ id }) => id),
    submissionIdsIn: (state) =>
      [...rows.cases.values()].filter((row) => row.state === state).map(({ id }) => id),
    submissionsInFolder: (_folder, directory) =>
      rows.casesIn(rows.imagesBelow(directory).map(({ submission_id: id }) => id)),
    sentBefore: (id, { history_number: number, visit_date: day }) =>
      number === undefined || day === undefined
        ? []
        : rows
            .casesIn(rows.ofNumber.of(number.toLowerCase()))
            .filter((row) => row.id !== id && SENT.includes(row.state))
            .filter(({ fields }) => fieldsColumn.read(fields).visit_date === day)
            .map(({ reference }) => reference),
    approvedOnScreens: (_folder, limit) =>
      [...rows.cases.values()]
        .filter(({ approved_via: via, undo_ms: undoMs }) => via === 'screen' && undoMs === null)
        .toReversed()
        .toSorted((one, other) => (other.approved_at ?? 0) - (one.approved_at ?? 0))
        .slice(0, limit),
    currentReadings: (_folder, limit) =>
      new Map(
        [...rows.images.values()]
          .toReversed()
          .slice(0, limit)
          .map(({ file_name: name, eye, submission_id: id }) => {
            const { history_number: historyNumber = null, visit_date: visitDate = null } =
              fieldsColumn.readOr(rowOf(id)?.fields ?? '{}', {})
            return [name, { historyNumber, visitDate, eye }]
          }),
      ),

    addImage: (image) => {
      const position = rows.images.size + 1
      const row = imageRowOf(image, position)
      rows.addImage(row)
      return row.id
    },
    imageById: (id) => rows.images.get(id),
    imagesAmong: (ids) => ids.flatMap((id) => rows.images.get(id) ?? []),
    imagesOfStem: (folder, stem) => imagesOfStems(folder, [stem]),
    imagesOfStems,
    imageNamesBelow: (_folder, directory, limit) =>
      rows
        .imagesBelow(directory)
        .map(({ file_name: name }) => name)
        .toSorted()
        .slice(0, limit),
    imagesNear: (_folder, directory, [from, to]) =>
      rows
        .imagesBelow(directory)
        .filter(
          ({ mtime_ms: at, submission_id: id }) => at >= from && at <= to && rowOf(id)?.state !== 'discarded',
        ),
    isSharedUid: (sopUid, ids) => {
      const own = ids.flatMap((id) => rows.images.get(id) ?? [])
      return [...rows.images.values()].some(
        (other) =>
          other.sop_uid === sopUid &&
          !ids.includes(other.id) &&
          !own.some((one) => hasSamePixels(one, other)),
      )
    },
    holdersOf: (sha256, pictureSha256 = null) =>
      rows
        .imagesIn([sha256, pictureSha256].flatMap((hash) => (hash === null ? [] : rows.ofHash.of(hash))))
        .filter((image) => image.sha256 === sha256 || image.picture_sha256 === pictureSha256)
        .flatMap(({ id: imageId, submission_id: submissionId, sha256: own }) => {
          const row = rowOf(submissionId)
          if (row === undefined || row.state === 'discarded') return []
          return [
            {
              imageId,
              submissionId,
              reference: row.reference,
              state: row.state,
              erasedAt: null,
              isEqual: own === sha256,
            },
          ]
        })
        .toSorted((one, other) => Number(other.isEqual) - Number(one.isEqual)),
    twinsOf: (id) => {
      const own = rows.imagesOf(id).filter(isIncluded)
      const others = rows.imagesIn(
        own.flatMap((image) =>
          [image.sha256, image.picture_sha256].flatMap((hash) => (hash === null ? [] : rows.ofHash.of(hash))),
        ),
      )
      const cases = others
        .filter((other) => isIncluded(other) && own.some((image) => hasSamePixels(image, other)))
        .map(({ submission_id: caseId }) => caseId)
      return rows
        .casesIn(cases)
        .filter((row) => row.id !== id && row.state !== 'discarded')
        .map(({ reference }) => reference)
    },
    moveImages: (ids, caseId) => {
      for (const id of ids) rows.setImage(id, { submission_id: caseId })
    },
    saveEyes: (images) => {
      for (const { id, eye, eye_source, eye_statements, eye_settled } of images)
        rows.setImage(id, { eye, eye_source, eye_statements, eye_settled })
    },
    setEye: (id, { eye, source, statements, answer = null }) =>
      rows.setImage(id, {
        eye,
        eye_source: source,
        eye_statements: statements && JSON.stringify(statements),
        eye_settled: answer && JSON.stringify(answer),
      }),
    setTwinOf: (id, twinOf) => rows.setImage(id, { twin_of: twinOf }),
    setRecord: (ids, recordId) => {
      for (const id of ids) rows.setImage(id, { record_id: recordId })
    },
  } satisfies Partial<Outbox>

  return {
    outbox: operations as unknown as Outbox,
    alarms,
    cases: () => [...rows.cases.values()].map((row) => [row, rows.imagesOf(row.id)] as const),
    deliver: () => {
      for (const { id, state } of rows.cases.values())
        if (state === 'waiting') rows.setCase(id, { state: 'sent', attempts: 1 })
    },
  }
}

function isIncluded({ excluded_because: because }: ImageRow): boolean {
  return because === null
}

function hasSamePixels(one: ImageRow, other: ImageRow): boolean {
  return (
    one.sha256 === other.sha256 ||
    (one.picture_sha256 !== null && one.picture_sha256 === other.picture_sha256)
  )
}

const EMPTY_CASE = {
  state: 'collecting',
  reasons: '[]',
  oddities: '[]',
  verdict: null,
  no_image_because: '{}',
  passed_digest: null,
  passed_at: null,
  approved_digest: null,
  approved_verdict: null,
  approved_by: null,
  approved_via: null,
  approved_at: null,
  undo_ms: null,
  undo_to: null,
  held_from: null,
  grouped_by: 'program',
  is_urgent: 0,
  attempts: 0,
  looks: 0,
  case_id: null,
  failure: null,
  not_before: null,
  planned_at: null,
  sent_at: null,
  confirmed_at: null,
  images_shown: null,
  sent_wrongly: null,
  replaces: null,
  erased_at: null,
} as const

function imageRowOf(image: NewImage, position: number): ImageRow {
  const { picture = null } = image
  return {
    position,
    id: `image ${position}`,
    submission_id: image.submissionId,
    folder_path: image.folderPath,
    file_name: image.fileName,
    stem_key: image.stemKey ?? '',
    eye: image.eye,
    eye_source: image.eyeSource,
    eye_statements: null,
    eye_settled: null,
    size_bytes: image.sizeBytes,
    sha256: image.sha256,
    spool_name: image.spoolName,
    content_type: image.contentType,
    mtime_ms: image.mtimeMs ?? 0,
    facts: image.facts ?? null,
    oddities: image.oddities ?? '[]',
    sop_uid: image.sopUid ?? null,
    grey: image.grey ?? null,
    picture_spool_name: picture?.spoolName ?? null,
    picture_content_type: picture?.contentType ?? null,
    picture_size_bytes: picture?.sizeBytes ?? null,
    picture_sha256: picture?.sha256 ?? null,
    sends: image.sends ?? 'original',
    twin_of: null,
    record_id: image.recordId ?? null,
    excluded_because: null,
    added_at: image.at,
    imported_at: image.importedAt ?? null,
    removed_at: null,
  }
}
