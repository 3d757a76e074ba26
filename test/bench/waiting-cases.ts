/** Cases that wait to be delivered: their files in a spool, and an outbox that holds them. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outbox } from '../../src-main/station/outbox/outbox.ts'
import { openOutbox } from '../../src-main/station/outbox/open-outbox.ts'
import type { Fields } from '../../src-shared/fields.ts'
import { syntheticPatient } from '../camera/export-visit.ts'
import { updateVerdict, MORNING, NO_IDENTITY } from '../tools/outbox-with.ts'

export type WaitingFile = { readonly spoolName: string; readonly sizeBytes: number; readonly sha256: string }
export type WaitingCase = { readonly fields: Fields; readonly files: readonly WaitingFile[] }

async function writeFileOf(spoolFolder: string, bytes: Buffer): Promise<WaitingFile> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const spoolName = `${sha256.slice(0, 2)}/${sha256}`
  await mkdir(join(spoolFolder, sha256.slice(0, 2)), { recursive: true })
  await writeFile(join(spoolFolder, spoolName), bytes)
  return { spoolName, sizeBytes: bytes.length, sha256 }
}

/** Writes the files of so many cases, no two alike; nothing on the way to the service looks into them. */
export async function writeWaiting(
  spoolFolder: string,
  options: { readonly cases: number; readonly images: number; readonly imageBytes: number },
): Promise<readonly WaitingCase[]> {
  const bytes = randomBytes(options.imageBytes)
  const cases: WaitingCase[] = []
  for (let number = 1; number <= options.cases; number += 1) {
    const { history_number, first_name, last_name, gender, age } = syntheticPatient(number)
    const fields: Fields = { history_number, first_name, last_name, gender, age, visit_date: '2026-11-20' }
    const files: WaitingFile[] = []
    for (let index = 0; index < options.images; index += 1) {
      bytes.write(`${number}-${index} of ${options.cases} `, 0, 'latin1')
      files.push(await writeFileOf(spoolFolder, bytes))
    }
    cases.push({ fields, files })
  }
  return cases
}

/** Adds a case that a camera wrote, all of it read from its record; its id. */
export function addCameraCase(
  outbox: Outbox,
  options: {
    readonly folderPath?: string
    readonly groupKey: string
    readonly fields: Fields
    readonly centerId: string | null
    readonly images: readonly (WaitingFile & { readonly fileName: string; readonly eye: 'right' | 'left' })[]
    readonly at: number
    /** Who has stated all of it; the record by default. */
    readonly source?: 'sidecar' | 'person'
  },
): string {
  const { folderPath = '/exports', groupKey, fields, centerId, images, at, source = 'sidecar' } = options
  const stated = source === 'person' ? Object.keys(fields) : ['history_number', 'visit_date']
  const submissionId = outbox.createSubmission({
    folderPath,
    groupKey,
    addendumTo: null,
    identity: NO_IDENTITY,
    fields,
    sources: Object.fromEntries(stated.map((name) => [name, source])),
    centerId,
    quietUntil: null,
    at,
  })
  for (const image of images) {
    const imageId = outbox.addImage({
      submissionId,
      folderPath,
      mtimeMs: at,
      stemKey: image.fileName.toLowerCase(),
      eyeSource: source,
      ...image,
      contentType: 'image/jpeg',
      at,
    })
    if (source === 'person') outbox.setEye(imageId, { eye: image.eye, source, statements: null })
  }
  updateVerdict({ outbox }, submissionId)
  return submissionId
}

function queueOne(
  outbox: Outbox,
  number: number,
  { fields, files }: WaitingCase,
  event: 'gatheredToSend' | 'gatheredForReview',
): string {
  const at = MORNING + number
  const images = files.map((file, index) => ({
    ...file,
    fileName: `${number}_${index}.jpg`,
    eye: index % 2 === 0 ? ('right' as const) : ('left' as const),
  }))
  const id = addCameraCase(outbox, {
    groupKey: `case-${number}`,
    fields,
    centerId: null,
    images,
    at,
    source: event === 'gatheredToSend' ? 'sidecar' : 'person',
  })
  outbox.moveSubmission(id, event, {}, { at })
  return id
}

/** Makes the outbox of a data folder with these cases waiting, or in review, in their order; their ids. */
export function queueWaiting(
  dataFolder: string,
  cases: readonly WaitingCase[],
  event: 'gatheredToSend' | 'gatheredForReview' = 'gatheredToSend',
): readonly string[] {
  const opened = openOutbox(dataFolder)
  const ids = opened.outbox.write(() =>
    cases.map((one, index) => queueOne(opened.outbox, index + 1, one, event)),
  )
  opened.close()
  return ids
}
