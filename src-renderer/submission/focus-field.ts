import type { Eye } from '../../src-shared/eye.ts'

/** The id of a field's input, so that a reason can lead to it. */
export function fieldId(name: string): string {
  return `field-${name}`
}

/** The id of an image's card. */
export function imageCardId(imageId: string): string {
  return `image-${imageId}`
}

/** The id of the place that says why an eye has no image. */
export function noImageId(eye: Eye): string {
  return `no-image-${eye}`
}

/** Puts the focus into a field, or on the first choice of a group. */
export function focusField(name: string): void {
  focusOn(fieldId(name))
}

export function focusImage(imageId: string): void {
  focusOn(imageCardId(imageId))
}

export function focusNoImage(eye: Eye): void {
  focusOn(noImageId(eye))
}

function focusOn(id: string): void {
  const element = document.getElementById(id)
  const target = element?.matches('input, select, textarea, button')
    ? element
    : element?.querySelector<HTMLElement>('input, select, button')
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
