/** How the images of a submission stand on the board: by eye, left out, and with the files that show them once more. Pure. */
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image } from '../../src-shared/submission.ts'

export type BoardImage = {
  readonly image: Image
  /** Files that show the same photograph once more; they are not sent. */
  readonly twins: readonly Image[]
}

/** Each photograph once. A twin whose image is not here stands for itself, so that nothing is hidden. */
export function boardImages(images: readonly Image[]): readonly BoardImage[] {
  const isHere = (id: string | null): boolean => id !== null && images.some((image) => image.id === id)
  return images
    .filter(({ twinOf }) => !isHere(twinOf))
    .map((image) => ({ image, twins: images.filter(({ twinOf }) => twinOf === image.id) }))
}

/** Images that are sent: not left out, and no second file of the same photograph. */
export function isSent({ excludedBecause, twinOf }: Pick<Image, 'excludedBecause' | 'twinOf'>): boolean {
  return excludedBecause === null && twinOf === null
}

/** The one eye that has no image to send while the other has, and whose images are all assigned. */
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

/** A name for the camera's own bytes that carries no patient data: `FC7K3M9QXAW_OD_2.dcm`. */
export function downloadName(reference: string, eyeCode: string, number: number, image: Image): string {
  return `${reference}_${eyeCode}_${number}.${ENDINGS[image.contentType]}`
}
