/** The kinds of image files that become images of a case, by what their bytes are. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/bmp',
  'application/dicom',
] as const
/** More than any photograph of an eye; a larger file is none that becomes part of a case. */
export const MAX_IMAGE_BYTES = 512 * 1_024 * 1_024
export type ImageType = (typeof IMAGE_TYPES)[number]
