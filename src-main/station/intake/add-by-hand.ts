/** A case that a person makes of files of this computer, without a camera's folder. */
import { stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../../src-shared/fields.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { inspectFile } from './inspect-file.ts'
import { gatherAndMove } from './gather.ts'
import { spoolFile } from './spool.ts'
import type { TakeInContext } from './take-in.ts'
import { decodabilityOf } from './thumbnails.ts'

type Given = ParsedInput<'submissions.create'>
type Kept = { readonly path: string; readonly eye: Given['images'][number]['eye'] } & Extract<
  Awaited<ReturnType<typeof spoolFile>>,
  { ok: true }
> & {
    readonly contentType: 'image/jpeg' | 'image/png' | 'image/tiff'
  }

function refused(message: string): Result<never> {
  return fail(failureOf('badRequest', { message: `${message} No case was made.` }))
}

async function keep(context: TakeInContext, image: Given['images'][number]): Promise<Result<Kept>> {
  if (!isAbsolute(image.path)) return refused('An image must be named with its full path.')
  const found = await stat(image.path).catch(() => null)
  if (!found?.isFile()) return refused('An image was not found on this computer.')
  const look = { sizeBytes: found.size, mtimeMs: Math.floor(found.mtimeMs) }
  const inspection = await inspectFile(image.path, look)
  if (inspection.kind !== 'whole') return refused('A file is no whole JPEG, PNG or TIFF image.')
  const { content } = inspection
  if (content === 'zip' || content === 'image/bmp' || content === 'application/dicom')
    return refused('A file is no whole JPEG, PNG or TIFF image.')
  const spooled = await spoolFile({
    sourcePath: image.path,
    spoolFolder: context.spoolFolder,
    expected: look,
  })
  if (!spooled.ok) return refused(spooled.message)
  if ((await decodabilityOf(join(context.spoolFolder, spooled.spoolName))) !== 'whole')
    return refused('An image cannot be opened.')
  const holder = context.outbox.holderOf(spooled.sha256)
  if (holder) return refused(`An image is part of ${holder.reference} already.`)
  return succeed({ ...spooled, path: image.path, eye: image.eye, contentType: content })
}

/** Makes a submission of images of this computer: all of them, or none and the reason. */
export async function addByHand(context: TakeInContext, given: Given): Promise<Result<string>> {
  const { outbox, clock } = context
  const kept: Kept[] = []
  for (const image of given.images) {
    const one = await keep(context, image)
    if (!one.ok) return one
    if (kept.some((other) => other.sha256 === one.value.sha256))
      return refused('The same image was given twice.')
    kept.push(one.value)
  }
  const sources: Submission['sources'] = {}
  for (const name of FIELD_NAMES) if (given.fields[name] !== undefined) sources[name] = 'person'
  const at = clock.now()
  return outbox.write(() => {
    const id = outbox.createSubmission({
      folderPath: null,
      groupKey: null,
      addendumTo: null,
      identity: null,
      fields: given.fields,
      sources,
      centerId: context.settings().centerId,
      quietUntil: null,
      at,
    })
    for (const image of kept) {
      outbox.addImage({
        submissionId: id,
        folderPath: null,
        fileName: basename(image.path),
        eye: image.eye,
        eyeSource: image.eye === 'unknown' ? null : 'person',
        sizeBytes: image.sizeBytes,
        sha256: image.sha256,
        spoolName: image.spoolName,
        contentType: image.contentType,
        at,
      })
    }
    const row = outbox.rowOf(id)
    if (row) gatherAndMove(context, row)
    return succeed(id)
  })
}
