/** Creates a case from files on this computer, without a camera's folder. */
import { stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../../src-shared/fields.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { type Message, quoted, worded } from '../../../src-shared/wording.ts'
import { chosenFile } from '../lib/files.ts'
import { inspectFile } from './inspect-file.ts'
import { type IngestContext, refreshAndMove } from './refresh.ts'
import { columnsOf, isShownInPart, isStillStored, type StoredImage, storeImage } from './spool.ts'

type CreateInput = ParsedInput<'submissions.create'>

type AddedImage = StoredImage & {
  readonly path: string
  readonly eye: CreateInput['images'][number]['eye']
  readonly mtimeMs: number
}

/** Creates a submission from images of this computer: all of them, or none with the reason. */
export async function addByHand(context: IngestContext, input: CreateInput): Promise<Result<string>> {
  const { outbox, clock } = context
  const stored: AddedImage[] = []
  for (const image of input.images) {
    const one = await storeFile(context, image)
    if (!one.ok) return one
    if (stored.some((other) => other.bytes.sha256 === one.value.bytes.sha256))
      return refused(worded('intake:byHand.sameTwice'))
    stored.push(one.value)
  }
  const sources: Submission['sources'] = {}
  for (const name of FIELD_NAMES) if (input.fields[name] !== undefined) sources[name] = 'person'
  const at = clock.now()
  const signature = { by: input.by ?? null, at }
  return outbox.write(() => {
    if (!stored.every((image) => isStillStored(context, image)))
      return refused(worded('intake:byHand.lostAgain'))
    const id = outbox.createSubmission({
      folderPath: null,
      groupKey: null,
      addendumTo: null,
      identity: { isAddendumAccepted: false, settled: { patient: signature, visitDay: signature } },
      fields: input.fields,
      sources,
      centerId: context.settings().centerId,
      quietUntil: null,
      at,
    })
    for (const image of stored) {
      const { bytes, picture, path, eye, mtimeMs } = image
      const isUnwrapped = bytes.contentType === 'application/dicom' && picture !== null
      const imageId = outbox.addImage({
        ...columnsOf(image),
        submissionId: id,
        folderPath: null,
        fileName: basename(path),
        eye,
        eyeSource: eye === 'unknown' ? null : 'person',
        mtimeMs,
        sends: isUnwrapped && !isShownInPart(image) ? 'picture' : 'original',
        at,
      })
      if (eye !== 'unknown') outbox.settleEye(imageId, signature)
    }
    const row = outbox.rowOf(id)
    if (row) refreshAndMove(context, row)
    return succeed(id)
  })
}

function refused(message: Message): Result<never> {
  return fail(failureOf('badRequest', worded('intake:byHand.notMade', { problem: quoted(message) })))
}

async function storeFile(
  context: IngestContext,
  image: CreateInput['images'][number],
): Promise<Result<AddedImage>> {
  const { eye } = image
  if (!isAbsolute(image.path)) return refused(worded('intake:byHand.notWholePath'))
  const path = await chosenFile(image.path)
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) return refused(worded('intake:byHand.notFound'))
  const stamp = { sizeBytes: found.size, mtimeMs: Math.floor(found.mtimeMs) }
  const inspection = await inspectFile(path, stamp)
  if (inspection.kind !== 'whole' || inspection.content === 'zip')
    return refused(worded('intake:byHand.noImage'))
  const at = { path, ...stamp }
  if (context.hasSpaceFor && !(await context.hasSpaceFor(stamp.sizeBytes)))
    return fail(failureOf('diskLow', worded('intake:byHand.noSpace')))
  const result = await storeImage(context, { contentType: inspection.content, at }, 'lastFirst')
  if (result.kind !== 'kept') return refused(result.kind === 'known' ? known(result.holder) : result)
  const { bytes, picture } = result.image
  const [holder] = context.outbox.holdersOf(bytes.sha256, picture?.sha256)
  if (holder) return refused(known(holder))
  return succeed({ ...result.image, path: image.path, eye, mtimeMs: stamp.mtimeMs })
}

function known({ reference }: { readonly reference: string }): Message {
  return worded('intake:byHand.known', { reference })
}
