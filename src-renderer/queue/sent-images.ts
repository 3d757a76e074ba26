import type { Image } from '../../src-shared/submission.ts'

/** What goes to the service: photographs that nobody left out, and no file that shows one of them once more. */
export function sentImagesOf(images: readonly Image[]): readonly Image[] {
  return images.filter((image) => image.excludedBecause === null && image.twinOf === null)
}

/** How much is sent, in bytes. */
export function sentBytesOf(images: readonly Image[]): number {
  return sentImagesOf(images).reduce((sum, image) => sum + (image.sentAs ?? image).sizeBytes, 0)
}
