import type { Eye } from '../../src-shared/eye.ts'
import type { Warning, Reason } from '../../src-shared/submission.ts'
import { focusField, focusImage, focusNoImage } from './focus-field.ts'

/** How to get to where something is mended, or null where no place on the screen does. */
export function focusActionFor(
  { kind, field, imageId }: Reason | Warning,
  eyeWithoutImage: Eye | null,
): (() => void) | null {
  if (field !== undefined) return () => focusField(field)
  if (imageId !== undefined) return () => focusImage(imageId)
  if ((kind === 'eyeImageMissing' || kind === 'eyeWithoutImage') && eyeWithoutImage !== null)
    return () => focusNoImage(eyeWithoutImage)
  return null
}
