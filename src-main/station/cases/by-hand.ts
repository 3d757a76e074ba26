/** Takes images of this computer into a case, without a camera's folder. */
import { basename, isAbsolute } from 'node:path'
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../../src-shared/fields.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { type Message, quoted, worded } from '../../../src-shared/wording.ts'
import { ShareSilent } from '../lib/schedule.ts'
import { settle, type StoreContext } from './settle.ts'
import { columnsOf, isStillStored, type StoredImage, storeImage } from './spool.ts'

type CreateInput = ParsedInput<'submissions.create'>

export type AddedFiles = Pick<ParsedInput<'submissions.addImages'>, 'images' | 'by'>

type AddedImage = StoredImage & {
  readonly path: string
  readonly eye: CreateInput['images'][number]['eye']
  readonly mtimeMs: number
}

/** Creates a submission, of images of this computer or of none yet: all of it, or nothing with the reason. */
export async function addByHand(context: StoreContext, input: CreateInput): Promise<Result<string>> {
  const { outbox, clock } = context
  const sources: Submission['sources'] = {}
  for (const name of FIELD_NAMES) if (input.fields[name] !== undefined) sources[name] = 'person'
  const made = await addFiles(context, input, (attachTo) => {
    const at = clock.now()
    const signature = { by: input.by ?? null, at }
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
    attachTo(id)
    settle(context, id, 'closing', { at })
    return succeed(id)
  })
  if (made.ok) return made
  const { kind, ...problem } = made.failure
  return fail(failureOf(kind, worded('intake:byHand.notMade', { problem: quoted(problem) })))
}

/** Stores all of these images, or none with the reason; `use` attaches them to a case, in the commit that creates their rows. */
export async function addFiles<Value>(
  context: StoreContext,
  { images, by }: AddedFiles,
  use: (attachTo: (submissionId: string) => void) => Result<Value>,
): Promise<Result<Value>> {
  const stored: AddedImage[] = []
  for (const image of images) {
    const one = await storeFile(context, image).catch((error: unknown) => {
      // What it lies on hangs, or has ended the process that opened it: nothing is known of it.
      if (error instanceof ShareSilent) return refused(worded('intake:byHand.lostAgain'))
      throw error
    })
    if (!one.ok) return one
    stored.push(one.value)
  }
  return context.outbox.write(() => {
    const objection = objectionTo(context, stored)
    if (objection !== null) return refused(objection)
    return use((submissionId) => {
      for (const image of stored) attach(context, submissionId, image, by)
    })
  })
}

function attach(
  { outbox, clock }: StoreContext,
  submissionId: string,
  image: AddedImage,
  by: string | undefined,
): void {
  const { path, eye, mtimeMs } = image
  const at = clock.now()
  outbox.addImage({
    ...columnsOf(image),
    submissionId,
    folderPath: null,
    fileName: basename(path),
    eye,
    eyeSource: eye === 'unknown' ? null : 'person',
    eyeAnswer: eye === 'unknown' ? null : { by: by ?? null, at },
    mtimeMs,
    at,
  })
}

/** Why these images cannot be taken together, or any more; null if they can. */
function objectionTo(context: StoreContext, images: readonly AddedImage[]): Message | null {
  if (new Set(images.map(({ bytes }) => bytes.sha256)).size < images.length)
    return worded('intake:byHand.sameTwice')
  if (!images.every((image) => isStillStored(context, image))) return worded('intake:byHand.lostAgain')
  const [holder] = images.flatMap(({ bytes, picture }) =>
    context.outbox.holdersOf(bytes.sha256, picture?.sha256),
  )
  return holder ? known(holder) : null
}

function refused(message: Message): Result<never> {
  return fail(failureOf('badRequest', message))
}

async function storeFile(
  context: StoreContext,
  image: CreateInput['images'][number],
): Promise<Result<AddedImage>> {
  const { eye } = image
  if (!isAbsolute(image.path)) return refused(worded('intake:byHand.notWholePath'))
  const { foreign } = context
  const found = await foreign.locate(image.path).catch((error: unknown) => {
    if (error instanceof ShareSilent) throw error
    return null
  })
  if (!found?.isFile) return refused(worded('intake:byHand.notFound'))
  const { path, sizeBytes, mtimeMs } = found
  const stamp = { sizeBytes, mtimeMs }
  const inspection = await foreign.inspect(path, stamp)
  if (inspection.kind !== 'whole' || inspection.content === 'zip')
    return refused(worded('intake:byHand.noImage'))
  const at = { path, ...stamp }
  if (context.hasSpaceFor && !(await context.hasSpaceFor(stamp.sizeBytes)))
    return fail(failureOf('diskLow', worded('intake:byHand.noSpace')))
  const result = await storeImage(
    context,
    { contentType: inspection.content, at, copy: foreign.copy },
    'lastFirst',
  )
  if (result.kind === 'known') return refused(known(result.holder))
  if (result.kind === 'erased') return refused(worded('intake:byHand.erased'))
  if (result.kind !== 'kept') return refused(result)
  return succeed({ ...result.image, path: image.path, eye, mtimeMs: stamp.mtimeMs })
}

function known({ reference }: { readonly reference: string }): Message {
  return worded('intake:byHand.known', { reference })
}
