/** What of a submission goes to the service: which bytes of which images, and what is said of images there are none of. */
import { EYE_CODES } from '../../../src-shared/eye.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import type { ImageRow } from '../outbox/submission-rows.ts'
import type { FormImage } from './case-form.ts'
import type { DeliveryContext } from './delivery-context.ts'

type SendContext = Pick<DeliveryContext, 'outbox' | 'spoolPath'>

/** The camera's own bytes, or the picture that was made of them where the folder sends that. */
function bytesOf(
  context: SendContext,
  image: ImageRow,
): Pick<FormImage, 'path' | 'contentType' | 'sizeBytes' | 'sha256'> {
  const {
    picture_spool_name: spoolName,
    picture_content_type: contentType,
    picture_size_bytes: sizeBytes,
    picture_sha256: sha256,
  } = image
  const isPicture = image.sends === 'picture'
  if (isPicture && spoolName !== null && contentType !== null && sizeBytes !== null && sha256 !== null)
    return { path: context.spoolPath(spoolName), contentType, sizeBytes, sha256 }
  return {
    path: context.spoolPath(image.spool_name),
    contentType: image.content_type,
    sizeBytes: image.size_bytes,
    sha256: image.sha256,
  }
}

/** The images of a submission that are sent: none that a person left out, and each photograph once. */
export function imagesToSend(context: SendContext, submissionId: string): FormImage[] {
  return context.outbox.images
    .rows(submissionId)
    .filter((image) => image.excluded_because === null && image.twin_of === null)
    .map((image) => ({ id: image.id, eye: image.eye, ...bytesOf(context, image) }))
}

/**
 * Why there is no image of an eye: the interface has no field for it, and the reader should know. Not where one came
 * after all.
 */
export function remarksOf({
  noImageBecause,
  images,
}: Pick<Submission, 'noImageBecause' | 'images'>): string[] {
  return (['right', 'left'] as const).flatMap((eye) => {
    const because = noImageBecause[eye]
    const hasOne = images.some(
      (image) => image.eye === eye && image.excludedBecause === null && image.twinOf === null,
    )
    return because === undefined || hasOne ? [] : [`No image of ${EYE_CODES[eye]}: ${because}`]
  })
}
