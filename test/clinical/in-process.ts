/**
 * The station that `npm run clinical` examines: the station's own intake, decisions and calls over an outbox of plain
 * values. It says what arrives and when, and leaves everything else to `src-main/station`.
 */
import { settingsSchema } from '../../src-shared/settings.ts'
import { worded } from '../../src-shared/wording.ts'
import type { StationParts } from '../../src-main/station/api.ts'
import { decisionCalls } from '../../src-main/station/calls/decisions.ts'
import { submissionCalls } from '../../src-main/station/calls/submissions.ts'
import { assignImage } from '../../src-main/station/cases/ingest.ts'
import { takeDataFile } from '../../src-main/station/cases/ingest-data-file.ts'
import type { ContentFacts } from '../../src-main/station/cases/meaning/sources.ts'
import { openProfileOffers } from '../../src-main/station/cases/profiles/offers.ts'
import {
  type IngestContext,
  noteLeaving,
  refreshSubmission,
  refreshSubmissions,
  settle,
} from '../../src-main/station/cases/settle.ts'
import { recordUnusable } from '../../src-main/station/cases/unusable.ts'
import { submissionFromRow } from '../../src-main/station/outbox/submissions.ts'
import { readDataFile } from '../../src-main/station/readers/read-data.ts'
import { factsIn } from '../../src-main/station/cases/meaning/dicom/facts.ts'
import { openDicom } from '../../src-main/reader/dicom/dicom.ts'
import { readElements } from '../../src-main/reader/dicom/data-set.ts'
import { readAtOfBytes } from '../../src-main/reader/formats/bytes.ts'
import type { StoredImage } from '../../src-main/station/cases/spool.ts'
import { openPlainOutbox } from '../tools/plain-outbox.ts'
import { dicomBytes } from './dicom-bytes.ts'
import { Draw, seedOf } from './draw.ts'
import { alarmNote, fieldsOf, shownCase } from './shown-case.ts'
import type { Corrections, ExaminedCase, ExaminedNote, ExaminedStation } from './station.ts'
import { type Clinic, type FileEvent, type Picture, QUIET_MS } from './world.ts'

const FOLDER = '/clinic'
const PERSON = 'AB'

const SETTINGS = settingsSchema.parse({
  centerId: '101',
  folders: [{ path: FOLDER, quietSeconds: QUIET_MS / 1_000, sendWithoutReview: true }],
})

/** Opens a station for a clinic, whose DICOM files the station's reader has read before. */
export async function openInProcess(
  { events }: Clinic,
  { outbox, alarms, cases, deliver } = openPlainOutbox(),
): Promise<ExaminedStation> {
  const facts = await readHeaders(events)
  let settings = SETTINGS
  let now = 0
  const notes: ExaminedNote[] = []
  const clock = { now: () => now, monotonicMs: () => 0, after: () => () => {} }
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  /** Cases that have not been read since something came: as the station does, they are read before others close. */
  const stale = new Set<string>()
  const readStale = (): void => {
    const { readLater: _later, ...atOnce } = context
    const ids = new Set(stale)
    stale.clear()
    refreshSubmissions(atOnce, ids)
  }
  const context = {
    outbox,
    folderPath: FOLDER,
    readLater: (id) => void stale.add(id),
    clock,
    settings: () => settings,
    readDataFile: (...file: Parameters<typeof readDataFile>) => Promise.resolve(readDataFile(...file)),
    note: ({ fileName: path, message: text }) => void notes.push({ text, path, bytes: null, caseKey: null }),
  } as Partial<IngestContext> as IngestContext
  const names = openProfileOffers({
    outbox,
    clock,
    logger,
    settings: context.settings,
    async *listFiles() {},
    onFirstReviewsDone: () => {},
  })
  const parts = {
    outbox,
    ports: { clock, logger },
    settings: { current: context.settings },
    cases: {
      settle: (id, cause, how) => settle(context, id, cause, how),
      refresh: (id) => refreshSubmission(context, id),
      reread: (ids) => refreshSubmissions(context, new Set(ids)),
      noteApproved: (id, seen) => noteLeaving(context, id, seen),
      names,
      undo: { shown: (stored) => ({ ...stored, undoUntil: null }) } as StationParts['cases']['undo'],
      wake: () => {},
    } as Partial<StationParts['cases']>,
    delivery: () => null,
    isStopping: () => false,
    emitCallProgress: () => {},
  } as unknown as StationParts
  const calls = { ...submissionCalls(parts), ...decisionCalls(parts) }

  const numbers = new Map<string, number>()
  /** Equal for equal contents, as a size and a hash are. */
  const numberOf = (content: string): number => {
    const known = numbers.get(content) ?? numbers.size + 1
    numbers.set(content, known)
    return known
  }
  const storedOf = ({ bytes, photograph, format }: Picture): StoredImage => {
    const contentType = format === 'dicom' ? ('application/dicom' as const) : (`image/${format}` as const)
    const spooled = { contentType, sizeBytes: numberOf(bytes), sha256: bytes, spoolName: bytes }
    const picture = {
      ...spooled,
      contentType: 'image/jpeg' as const,
      sha256: photograph,
      spoolName: photograph,
    }
    return {
      bytes: spooled,
      facts: facts.get(bytes) ?? null,
      picture: format === 'dicom' ? picture : null,
      grey: greyOf(numberOf(photograph)),
      oddities: '[]',
    }
  }
  const approved = new Set<string>()
  const shown = new Map<string, { readonly of: readonly unknown[]; readonly examined: ExaminedCase }>()
  let offers: ReturnType<typeof names.of> | null = null
  const update = async (id: string, corrections: Corrections, mayLeave: boolean): Promise<void> => {
    await calls['submissions.update']({
      id,
      by: PERSON,
      mayLeave,
      fields: fieldsOf(corrections),
      images: outbox.imageRowsOf(id).flatMap(({ id: image, sha256 }) => {
        const eye = corrections.eyes?.[sha256]
        return eye === undefined ? [] : [{ id: image, eye }]
      }),
    })
    deliver()
  }

  return {
    arrive: async ({ atMs, path, mtimeMs, content }) => {
      now = atMs
      const sizeBytes = numberOf(content.kind === 'data' ? content.text : content.bytes)
      const mark = { folderPath: FOLDER, relativePath: path, sizeBytes, mtimeMs }
      if (outbox.hasSeen(mark)) return
      if (content.kind === 'data') await takeDataFile(context, mark, Buffer.from(content.text))
      else if (content.isDamaged) {
        const message = worded('intake:archive.damaged')
        notes.push({ text: message.message, path, bytes: content.bytes, caseKey: null })
        recordUnusable(context, { ...message, ...mark, why: 'damaged' })
        outbox.markSeen(mark, 'unreadable', now)
      } else assignImage({ context, mark: { ...mark, sha256: content.bytes }, stored: storedOf(content) })
      deliver()
    },
    advance: (toMs) => {
      for (let end = outbox.nextQuietAt(); end !== null && end <= toMs; end = outbox.nextQuietAt()) {
        now = Math.max(now, end)
        const quiet = outbox.quietSubmissions(now)
        // To close a case is to read it.
        for (const id of quiet) stale.delete(id)
        readStale()
        for (const id of quiet) settle(context, id, 'closing', { at: now })
        deliver()
      }
      now = toMs
    },
    cases: () =>
      cases().flatMap(([row, images]) => {
        if (row.state === 'discarded' || images.length === 0) return []
        const known = shown.get(row.id)
        if (known?.of[0] === row && known.of[1] === images) return [known.examined]
        const submission = submissionFromRow(row, images, outbox.unusableOf(row.id), false)
        const examined = shownCase(submission, approved.has(row.id), ({ sha256 }) => sha256)
        shown.set(row.id, { of: [row, images], examined })
        return [examined]
      }),
    notes: () => [...notes, ...alarms.map(alarmNote)],
    answer: (key, corrections) => {
      readStale()
      return update(key, corrections, false)
    },
    approve: async (key, corrections) => {
      readStale()
      approved.add(key)
      offers = null
      if (corrections !== null) await update(key, corrections, true)
      await calls['submissions.approve']({ ids: [key], by: PERSON, seen: { [key]: outbox.shownDigest(key) } })
      deliver()
    },
    offers: async () => {
      const [folder] = settings.folders
      if (folder === undefined) return []
      offers ??= names.of(folder)
      return (await offers).flatMap(({ key, pattern, counterExamples }) =>
        counterExamples.length === 0 ? [{ key, text: pattern }] : [],
      )
    },
    confirm: async (offerKey) => {
      const [folder] = settings.folders
      const offer = (await offers)?.find(({ key }) => key === offerKey)
      const confirmed = folder && offer && names.withConfirmed(folder, offer.profile, { by: PERSON, at: now })
      if (!folder || !confirmed) return
      settings = { ...settings, folders: [{ ...folder, confirmedProfiles: confirmed.all }] }
      offers = null
      names.applySettings()
      const states = ['collecting', 'incomplete', 'review'] as const
      refreshSubmissions(context, new Set(states.flatMap((state) => outbox.submissionIdsIn(state))))
      deliver()
    },
  }
}

/** What the DICOM files of a clinic state, by the ids of their bytes: written as files, and read as the station does. */
async function readHeaders(events: readonly FileEvent[]): Promise<ReadonlyMap<string, ContentFacts>> {
  const found = new Map<string, ContentFacts>()
  for (const { content } of events) {
    if (content.kind === 'data' || content.dicom === null || found.has(content.bytes)) continue
    const bytes = dicomBytes(content.dicom)
    const elements = await readElements(await openDicom(readAtOfBytes(bytes), bytes.length))
    found.set(content.bytes, factsIn(elements, 'lastFirst'))
  }
  return found
}

/** As many cells as the station's reader counts of a picture. */
const CELLS = 1_024
const greys: string[] = []

/** The grey levels of a photograph: like no other's. */
function greyOf(photograph: number): string {
  const draw = new Draw(seedOf(photograph, 3))
  const levels = (): Buffer => Buffer.from(Array.from({ length: CELLS }, () => draw.int(128, 255)))
  return (greys[photograph] ??= levels().toString('hex'))
}
