/** Dragging an image to the column of an eye. Only a person's drop says an eye; nothing is read from an order. */
import type { DragEvent } from 'react'
import type { Eye } from '../../src-shared/eye.ts'
import type { Image } from '../../src-shared/submission.ts'

/** Of our own making, so that no file and no text from elsewhere is taken for an image of this case. */
const DRAGGED_IMAGE = 'application/x-fundus-courier-image'

/** Puts the image into the hand of who drags. */
export function startImageDrag(event: DragEvent, imageId: string): void {
  event.dataTransfer.setData(DRAGGED_IMAGE, imageId)
  event.dataTransfer.effectAllowed = 'move'
}

export function isImageDrag(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(DRAGGED_IMAGE)
}

/** The image that was dropped on an eye, where it is one of these and that says something new of it. */
export function droppedImage(
  event: DragEvent,
  eye: Eye,
  images: readonly Image[],
): Pick<Image, 'id' | 'eye' | 'fileName'> | null {
  const id = event.dataTransfer.getData(DRAGGED_IMAGE)
  const image = images.find((one) => one.id === id)
  return image && image.eye !== eye ? image : null
}
