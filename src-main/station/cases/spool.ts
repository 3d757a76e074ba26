/** Images as the station stores them: a verified copy, what its inspection found, and the columns of both. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failureOf } from '../../../src-shared/failure.ts'
import type { ImageType } from '../../../src-shared/image-files.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { factsIn } from './meaning/dicom/facts.ts'
import type { NameOrder } from './meaning/persons.ts'
import type { ContentFacts } from './meaning/sources.ts'
import type { IngestContext, StoreContext } from './settle.ts'
import { factsColumn, odditiesColumn } from '../json-columns.ts'
import { removeBestEffort } from '../lib/files.ts'
import type { Holder, SpooledBytes } from '../outbox/images.ts'
import type { ImageRow } from '../outbox/rows.ts'
import type { FileStamp, MadePicture, SpoolResult } from '../../reader/messages.ts'
import type { FileMark } from '../../reader/watch-messages.ts'

/** The position and type of the bytes: in a camera's folder, or in ours, as what was extracted from an archive. */
export type ImageSource = {
  readonly contentType: ImageType
  readonly at: FileStamp & { readonly path: string }
  readonly copy: StoreContext['foreign']['copy']
}

/** A stored and inspected image, as recorded in the outbox. */
export type StoredImage = {
  readonly bytes: SpooledBytes
  readonly facts: ContentFacts | null
  readonly picture: SpooledBytes | null
  /** Of its picture, see `cases/visits/twins.ts`. */
  readonly grey: string | null
  /** Warnings about the picture, as JSON. */
  readonly oddities: string
}

/** A stored image that no case has yet, and the file that it is of. */
export type Arrival = {
  readonly context: IngestContext
  readonly mark: FileMark
  readonly stored: StoredImage
}

/** True for several frames, and for pixels that cannot be decoded here: only the file itself is complete. */
function isShownInPart({ oddities }: StoredImage): boolean {
  return odditiesColumn.read(oddities).some(({ kind }) => kind === 'noPreview')
}

export function columnsOf(stored: StoredImage, isSentAsItIs = false) {
  const { bytes, facts, picture, grey, oddities } = stored
  const isUnwrapped = bytes.contentType === 'application/dicom' && picture !== null
  return {
    ...bytes,
    facts: facts && JSON.stringify(facts),
    sopUid: facts?.sopUid ?? null,
    picture,
    grey,
    oddities,
    sends:
      isUnwrapped && !isSentAsItIs && !isShownInPart(stored) ? ('picture' as const) : ('original' as const),
  }
}

function storedIn(row: ImageRow): StoredImage {
  const {
    picture_spool_name: spoolName,
    picture_content_type: contentType,
    picture_size_bytes: sizeBytes,
    picture_sha256: sha256,
  } = row
  const isWhole = spoolName !== null && contentType !== null && sizeBytes !== null && sha256 !== null
  return {
    bytes: {
      spoolName: row.spool_name,
      contentType: row.content_type,
      sizeBytes: row.size_bytes,
      sha256: row.sha256,
    },
    facts: row.facts === null ? null : factsColumn.read(row.facts),
    picture: isWhole ? { spoolName, contentType, sizeBytes, sha256 } : null,
    grey: row.grey,
    oddities: row.oddities,
  }
}

/** `passing` may succeed next time; `damaged` is permanent. The hash is that of the file. */
export type StoreResult =
  | { readonly kind: 'kept'; readonly image: StoredImage }
  | {
      readonly kind: 'known'
      readonly holder: Holder
      readonly sha256: string
      /** As it was inspected; undefined if its row cannot be read. */
      readonly image: StoredImage | undefined
    }
  /** Its patient withdrew: nothing of it is stored. */
  | { readonly kind: 'erased' }
  | (Message & { readonly kind: 'damaged'; readonly sha256: string })
  /** The process that inspected it died. */
  | (Message & { readonly kind: 'died' })
  | (Message & { readonly kind: 'passing' })

/** Stores an image: first a verified copy, then its inspection. Known bytes are not inspected again. `onDeath`: see `readPhoto`. */
export async function storeImage(
  context: StoreContext,
  { contentType, at, copy }: ImageSource,
  nameOrder: NameOrder,
  onDeath?: () => void,
): Promise<StoreResult> {
  const spooled = await storeBytes(context, at, copy)
  if (!spooled.ok) return { ...spooled, kind: 'passing' }
  const { ok: _ok, ...digest } = spooled
  const bytes: SpooledBytes = { ...digest, contentType }
  const [holder] = context.outbox.holdersOf(bytes.sha256)
  const { spoolFolder, pictureFolder } = context
  const path = join(spoolFolder, bytes.spoolName)
  if (holder && holder.erasedAt !== null) {
    if (!context.outbox.isSpoolFileNeeded(bytes.spoolName)) await removeBestEffort(path)
    return { kind: 'erased' }
  }
  const held = holder && context.outbox.imageById(holder.imageId)
  // Bytes that were removed after their retention time are as good as new.
  if (holder && typeof held?.removed_at !== 'number')
    return { kind: 'known', holder, sha256: bytes.sha256, image: held && storedIn(held) }
  const thumbnailPath = context.thumbnailOf?.(bytes.spoolName)
  const reading = await context.readPhoto({ path, contentType, pictureFolder, thumbnailPath }, onDeath)
  if (reading.kind === 'died') return { ...reading, ...worded('intake:image.tooCostly') }
  if (reading.kind === 'notOpened') return { kind: 'passing', ...worded('intake:ingest.notChecked') }
  if (reading.kind === 'damaged') return { ...reading, sha256: bytes.sha256 }
  const picture = reading.picture === null ? null : await storePicture(context, reading.picture)
  if (picture !== null && 'why' in picture) return { ...picture, kind: 'passing' }
  const facts = reading.elements && factsIn(reading.elements, nameOrder)
  const oddities = JSON.stringify(reading.oddities)
  return { kind: 'kept', image: { bytes, facts, picture, grey: reading.grey, oddities } }
}

/** Copies a file into the spool, and reports if our own disk accepts nothing more. */
async function storeBytes(
  context: StoreContext,
  at: ImageSource['at'],
  copy: ImageSource['copy'],
): Promise<SpoolResult> {
  const { path: sourcePath, ...expected } = at
  const spooled = await copy({ sourcePath, spoolFolder: context.spoolFolder, expected })
  const kind = spooled.ok ? null : DISK_FAILURES[spooled.why]
  if (spooled.ok || kind === null) context.storageIs(null)
  else context.storageIs(failureOf(kind, { message: spooled.message, wording: spooled.wording }))
  return spooled
}

/** How trouble of our own disk shows in the status; that of the source does not. */
const DISK_FAILURES = { changed: null, unreadable: null, diskFull: 'diskLow', storage: 'storage' } as const

async function storePicture(
  context: StoreContext,
  picture: MadePicture,
): Promise<SpooledBytes | Extract<SpoolResult, { ok: false }>> {
  const { size: sizeBytes, mtimeMs } = await stat(picture.path)
  const at = { path: picture.path, sizeBytes, mtimeMs: Math.floor(mtimeMs) }
  const spooled = await storeBytes(context, at, context.own.copy)
  await removeBestEffort(picture.path)
  if (!spooled.ok) return spooled
  const { ok: _ok, ...digest } = spooled
  return { ...digest, contentType: picture.contentType }
}

/** Its bytes may have been removed during inspection as an old case's. Asked in the commit that creates the row. */
export function isStillStored({ spoolFolder }: StoreContext, { bytes, picture }: StoredImage): boolean {
  return [bytes, ...(picture === null ? [] : [picture])].every(({ spoolName }) =>
    existsSync(join(spoolFolder, spoolName)),
  )
}
