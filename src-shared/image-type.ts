/** The kinds of image files that become images of a case, by what their bytes are. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/bmp',
  'application/dicom',
] as const
export type ImageType = (typeof IMAGE_TYPES)[number]
