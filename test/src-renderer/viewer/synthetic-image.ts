import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { Image } from '../../../src-shared/submission.ts'

/** An image that no one took. */
export function syntheticImage(id: string, eye: Eye, rest: Partial<Image> = {}): Image {
  return {
    id,
    fileName: `visit/${id}.jpg`,
    eye,
    eyeSource: 'fileName',
    sizeBytes: 1,
    sha256: id,
    contentType: 'image/jpeg',
    sentAs: null,
    view: null,
    twinOf: null,
    excludedBecause: null,
    removedAt: null,
    ...rest,
  }
}
