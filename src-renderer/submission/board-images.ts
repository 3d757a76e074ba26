/** The images of a submission as the board shows them: by eye, excluded, and with their duplicates. Pure. */
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image } from '../../src-shared/submission.ts'

export type BoardImage = {
  readonly image: Image
  /** Files that duplicate this photograph; they are not sent. */
  readonly twins: readonly Image[]
}

/** Each photograph once. A duplicate whose original is missing is listed itself, so that nothing is hidden. */
export function boardImages(images: readonly Image[]): readonly BoardImage[] {
  const isHere = (id: string | null): boolean => id !== null && images.some((image) => image.id === id)
  return images
    .filter(({ twinOf }) => !isHere(twinOf))
    .map((image) => ({ image, twins: images.filter(({ twinOf }) => twinOf === image.id) }))
}

/** Images that are sent: neither excluded nor duplicates. */
export function isSent({ excludedBecause, twinOf }: Pick<Image, 'excludedBecause' | 'twinOf'>): boolean {
  return excludedBecause === null && twinOf === null
}

/** The only eye without an image to send, if all images of the other are assigned. */
export function eyeWithoutImage(images: readonly Image[]): Exclude<Eye, 'unknown'> | null {
  const eyes = new Set(images.filter(isSent).map(({ eye }) => eye))
  if (eyes.size !== 1 || eyes.has('unknown')) return null
  return eyes.has('right') ? 'left' : 'right'
}

const ENDINGS: Readonly<Record<Image['contentType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'image/bmp': 'bmp',
  'application/dicom': 'dcm',
}

/** A file name without patient data for the camera's own bytes: `FC7K3M9QXAW_OD_2.dcm`. */
export function downloadName(reference: string, eyeCode: string, number: number, image: Image): string {
  return `${reference}_${eyeCode}_${number}.${ENDINGS[image.contentType]}`
}
