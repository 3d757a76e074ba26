/** How files are written down and how their pixels are packed: the UIDs of PS3.5 section 10 and PS3.6 annex A. */
import { EXPLICIT_LITTLE, IMPLICIT_LITTLE, type Encoding } from './element-head.ts'

const ROOT = '1.2.840.10008.1.2'

/** The whole data set is deflated, so that nothing can be told of it without inflating all. */
const DEFLATED = [`${ROOT}.1.99`, `${ROOT}.4.95`, `${ROOT}.4.205`]

/** How the elements of a data set are written; null where that cannot be read. */
export function encodingOf(transferSyntax: string): Encoding | null {
  if (DEFLATED.includes(transferSyntax)) return null
  if (transferSyntax === ROOT) return IMPLICIT_LITTLE
  if (transferSyntax === `${ROOT}.2`) return { vr: 'explicit', order: 'big' }
  // Every other one, those of makers too (PS3.5 A.4 for the encapsulated).
  return EXPLICIT_LITTLE
}

/**
 * How the pixels are packed.
 *
 * - `native`  not at all
 * - `jpeg`    8 bit JPEG that every viewer shows: baseline, extended, progressive
 * - `rle`     PS3.5 annex G
 * - others    known by name, not unpacked
 */
export type Packing = 'native' | 'jpeg' | 'rle' | 'jpegLossless' | 'jpegLs' | 'jpeg2000' | 'video' | 'other'

const PACKINGS: Readonly<Record<string, Packing>> = {
  [ROOT]: 'native',
  [`${ROOT}.1`]: 'native',
  [`${ROOT}.2`]: 'native',
  [`${ROOT}.5`]: 'rle',
  [`${ROOT}.4.50`]: 'jpeg',
  [`${ROOT}.4.51`]: 'jpeg',
  // Retired, and still written: spectral selection and full progression.
  [`${ROOT}.4.53`]: 'jpeg',
  [`${ROOT}.4.55`]: 'jpeg',
  [`${ROOT}.4.57`]: 'jpegLossless',
  [`${ROOT}.4.70`]: 'jpegLossless',
  [`${ROOT}.4.80`]: 'jpegLs',
  [`${ROOT}.4.81`]: 'jpegLs',
  [`${ROOT}.4.90`]: 'jpeg2000',
  [`${ROOT}.4.91`]: 'jpeg2000',
  [`${ROOT}.4.92`]: 'jpeg2000',
  [`${ROOT}.4.93`]: 'jpeg2000',
  [`${ROOT}.4.201`]: 'jpeg2000',
  [`${ROOT}.4.202`]: 'jpeg2000',
  [`${ROOT}.4.203`]: 'jpeg2000',
}

export function packingOf(transferSyntax: string): Packing {
  // MPEG2, MPEG-4 and HEVC.
  if (/^1\.2\.840\.10008\.1\.2\.4\.10[0-8](\.1)?$/.test(transferSyntax)) return 'video'
  return Object.hasOwn(PACKINGS, transferSyntax) ? (PACKINGS[transferSyntax] ?? 'other') : 'other'
}
