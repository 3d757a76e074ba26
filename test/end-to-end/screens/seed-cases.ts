/** Cases in an outbox that a station opens afterwards, through the operations of the outbox. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Outbox } from '../../../src-main/station/outbox/outbox.ts'
import { openOutbox } from '../../../src-main/station/outbox/open-outbox.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Fields } from '../../../src-shared/fields.ts'
import type { ImageType } from '../../../src-shared/image-files.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { updateVerdict, newSubmission } from '../../tools/outbox-with.ts'

export type SeededCase = {
  /** Its history number, unless `fields` says another; the test finds it by this name. */
  readonly who: string
  /** `Last, First`. */
  readonly name?: string
  readonly fields?: Fields
  /** `review`: the station reads it when it opens, and finds it incomplete if something is unclear. */
  readonly state: 'review' | 'waiting' | 'held' | 'refused' | 'unconfirmed' | 'sent'
  /** One letter an image: r, l or ?. */
  readonly eyes?: string
  readonly centerId?: string
  /** The id that the service gave it. */
  readonly caseId?: string
  /** Instead of drawn photographs. */
  readonly bytes?: readonly { readonly bytes: Uint8Array; readonly contentType: ImageType }[]
  /** Behind the end of each photograph, which makes it larger. */
  readonly extraBytes?: number
  readonly minutesAgo?: number
  /** Sent, and the service shows so many of its images: fewer than were sent. */
  readonly imagesShown?: number
}

/** What a queue may hold, the oldest first. */
export const QUEUE: readonly SeededCase[] = [
  { who: 'H-00412', name: 'Sampleton, Synthia', state: 'review', eyes: 'rrll', minutesAgo: 60 },
  { who: 'H-00415', name: 'van Fiktief, Demodora', state: 'review', minutesAgo: 50 },
  { who: 'H-00377', name: 'Nobodyov\u00e1, Sampl\u00f3n', state: 'held', minutesAgo: 40 },
  { who: 'H-00398', name: 'Demoson, Fictor', state: 'refused', minutesAgo: 30 },
  { who: 'H-00401', name: "O'Mocksey, Mockbert", state: 'unconfirmed', minutesAgo: 20 },
]

const EYES: Readonly<Record<string, Eye>> = { r: 'right', l: 'left' }
let drawings: Promise<Readonly<Record<'right' | 'left', Buffer>>> | null = null

async function drawBothEyes(): Promise<Readonly<Record<'right' | 'left', Buffer>>> {
  const size = { seed: 3, shot: 0, width: 300, height: 250 }
  const [right, left] = await Promise.all([
    drawFundus({ eye: 'right', ...size }),
    drawFundus({ eye: 'left', ...size }),
  ])
  return { right, left }
}

/** Adds the cases, the first one first; answers with their ids by history number. */
export async function seedCases(
  dataFolder: string,
  service: { readonly baseUrl: string; readonly clientId: string },
  cases: readonly SeededCase[],
): Promise<Readonly<Record<string, string>>> {
  if (cases.length === 0) return {}
  const photographs = await (drawings ??= drawBothEyes())
  const spool = join(dataFolder, 'spool')
  mkdirSync(spool, { recursive: true })
  const opened = openOutbox(dataFolder)
  const ids: Record<string, string> = {}
  // One transaction: each would wait for the disk.
  opened.outbox.write(() => {
    for (const one of cases) ids[one.who] = addCase(opened.outbox, { spool, service, photographs }, one)
  })
  opened.close()
  return ids
}

function addCase(
  outbox: Outbox,
  {
    spool,
    service,
    photographs,
  }: {
    readonly spool: string
    readonly service: { readonly baseUrl: string; readonly clientId: string }
    readonly photographs: Readonly<Record<'right' | 'left', Buffer>>
  },
  { who, name, state, eyes = 'rl', centerId = '101', ...options }: SeededCase,
): string {
  const at = Date.now() - (options.minutesAgo ?? 5) * MINUTE
  const [lastName, firstName] = name?.split(', ') ?? []
  const fields: Fields = {
    history_number: who,
    visit_date: '2026-11-20',
    ...(lastName && { last_name: lastName }),
    ...(firstName && { first_name: firstName }),
    ...options.fields,
  }
  const sources = Object.fromEntries(Object.keys(fields).map((field) => [field, 'person' as const]))
  const quietUntil = state === 'review' ? at : null
  const id = outbox.createSubmission(newSubmission({ fields, sources, centerId, quietUntil, at }))
  for (const [index, letter] of eyes.split('').entries()) {
    const eye = EYES[letter] ?? 'unknown'
    const { bytes, contentType } = options.bytes?.[index] ?? {
      // Behind its end a JPEG may hold anything: each is a file of its own.
      bytes: Buffer.concat([
        photographs[eye === 'left' ? 'left' : 'right'],
        Buffer.alloc(options.extraBytes ?? 64, `${id} ${index} `),
      ]),
      contentType: 'image/jpeg' as const,
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const extension = contentType === 'image/png' ? 'png' : 'jpg'
    const spoolName = `${sha256}.${extension}`
    writeFileSync(join(spool, spoolName), bytes)
    const stem = `${eye === 'left' ? 'OS' : eye === 'right' ? 'OD' : 'IMG'}_${index + 1}`
    outbox.addImage({
      submissionId: id,
      folderPath: '/exports',
      fileName: `${fields.history_number}/${stem}.${extension}`,
      mtimeMs: at,
      stemKey: `${fields.history_number}/${stem}`.toLowerCase(),
      eye,
      eyeSource: eye === 'unknown' ? null : 'person',
      sizeBytes: bytes.byteLength,
      sha256,
      spoolName,
      contentType,
      at,
    })
  }
  updateVerdict({ outbox }, id)
  moveTo(outbox, id, state, { ...service, centerId }, { at, caseId: options.caseId ?? '' })
  if (options.imagesShown !== undefined) {
    const values = { shown: options.imagesShown, sent: eyes.length }
    outbox.setImagesShown(id, options.imagesShown)
    outbox.raiseAlarm({
      kind: 'imagesMissing',
      submissionId: id,
      caseIds: [options.caseId ?? ''],
      ...worded('sending:confirm.fewer', values),
      at,
    })
  }
  return id
}

function moveTo(
  outbox: Outbox,
  id: string,
  state: SeededCase['state'],
  destination: { readonly baseUrl: string; readonly clientId: string; readonly centerId: string },
  { at, caseId }: { readonly at: number; readonly caseId: string },
): void {
  if (state === 'review') return
  if (state === 'held') {
    outbox.moveSubmission(id, 'gatheredForReview', {}, { at })
    outbox.moveSubmission(id, 'held', {}, { at })
    return
  }
  outbox.moveSubmission(id, 'gatheredToSend', {}, { at })
  if (state === 'waiting') return
  const { attemptId } = outbox.openAttempt({ submissionId: id, destination, requestBytes: 4_212_345, at })
  const ended = { handedOverBytes: 4_212_345, answer: null, at: at + 2_000 }
  if (state === 'sent') {
    outbox.endAttempt(attemptId, { ...ended, outcome: 'delivered', failure: null }, 'deliveredNow', {
      caseId,
      sentAt: at,
    })
    outbox.setConfirmed(id, at)
    outbox.watchReport({ submissionId: id, caseId, destination, at })
  } else if (state === 'refused') {
    const failure = failureOf('serviceRefused', { serviceSaid: 'The field gender is required.', status: 422 })
    outbox.endAttempt(attemptId, { ...ended, outcome: 'refused', failure }, 'wasRefused', { failure })
  } else {
    const failure = failureOf('outcomeUnknown')
    const body = Buffer.from('<h1>502 Bad Gateway</h1><script>document.title = "taken"</script>')
    outbox.endAttempt(
      attemptId,
      { ...ended, outcome: 'unknown', failure, answer: { status: 502, body } },
      'becameUnknown',
      { failure, notBefore: Date.now() + 60 * MINUTE },
    )
  }
}
