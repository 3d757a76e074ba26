/** The files that become images of a case: their types, the endings of their names, and how many and how large. */

/** By content, never by name. Of two files of one photograph the first in this order is sent. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/bmp',
  'application/dicom',
] as const

export type ImageType = (typeof IMAGE_TYPES)[number]

/** The endings of their names; the first is given to what is sent or saved. */
export const ENDINGS = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/tiff': ['tif', 'tiff'],
  'image/bmp': ['bmp', 'dib'],
  'application/dicom': ['dcm', 'dicom', 'dic'],
} as const satisfies Readonly<Record<ImageType, readonly [string, ...string[]]>>

/** Larger than any fundus photograph; a larger file never becomes part of a case. */
export const MAX_IMAGE_BYTES = 512 * 1_024 * 1_024

/** So many images a person may give a case. */
export const MAX_IMAGES_BY_HAND = 200
