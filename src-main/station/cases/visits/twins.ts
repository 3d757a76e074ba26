/** Which files are one photograph: by their names, and by the details of their grey levels (`reader/pictures/photo.ts`). Pure. */
import { IMAGE_TYPES } from '../../../../src-shared/image-files.ts'
import type { ImageRow } from '../../outbox/rows.ts'
import { remembered } from '../names/tokens.ts'

/** Cells in each direction, as the reader of pictures counts them. */
const CELLS = 32

/** A cell belongs to the picture, and not to its rim, if it and all around it have this share of the brightest one. */
const LIT_SHARE = 0.2

/** Fewer cells with detail say nothing: an empty picture looks like any other. */
const MIN_CELLS = 100

/**
 * How far the details of two pictures correlate. Measured on drawn eyes: one photograph with another size, compression,
 * brightness, colour or a caption by 0.98 and more; two photographs of one camera by 0.7 at most.
 */
const SAME = 0.9
const DIFFERENT = 0.75

/** Do two files show one photograph? `unknown` if one of them could not be decoded, or shows too little. */
export function comparePhotographs(
  one: string | null,
  other: string | null,
): 'same' | 'different' | 'unknown' {
  if (one === null || other === null) return 'unknown'
  const [ours, theirs] = [detailsOf(one), detailsOf(other)]
  let [count, product, own, their] = [0, 0, 0, 0]
  for (const [cell, detail] of ours.entries()) {
    const beside = theirs[cell] ?? null
    if (detail === null || beside === null) continue
    count += 1
    product += detail * beside
    own += detail * detail
    their += beside * beside
  }
  if (count < MIN_CELLS || own === 0 || their === 0) return 'unknown'
  const correlation = product / (Math.sqrt(own) * Math.sqrt(their))
  return correlation >= SAME ? 'same' : correlation <= DIFFERENT ? 'different' : 'unknown'
}

/** So many pictures are compared with one another at a time. */
const MOST_REMEMBERED = 32

/** The details of a picture, which is mostly compared with several. */
const detailsOf = remembered((grey) => detailsIn(Buffer.from(grey, 'hex')), MOST_REMEMBERED)

/** What is left of each cell without the light around it: the disc and the vessels. Null at the rim. */
function detailsIn(levels: Uint8Array): readonly (number | null)[] {
  const least = Math.max(0, ...levels) * LIT_SHARE
  return Array.from(levels, (level, cell) => {
    const [column, row] = [cell % CELLS, Math.floor(cell / CELLS)]
    if (column === 0 || row === 0 || column === CELLS - 1 || row === CELLS - 1) return null
    const around = [-CELLS, 0, CELLS].flatMap((line) =>
      [-1, 0, 1].map((step) => levels[cell + line + step] ?? 0),
    )
    if (around.some((other) => other < least)) return null
    return level - around.reduce((sum, other) => sum + other, 0) / around.length
  })
}

export type Pairable = Pick<ImageRow, 'id' | 'content_type' | 'file_name' | 'grey'>

/**
 * Pairs files of one folder and stem. A DICOM file and a picture beside it are one photograph: the picture is sent,
 * with the facts of the DICOM file. Two DICOM files, or two photographs, are no twins. Order means nothing.
 */
export function twinsAmong(files: readonly Pairable[]): ReadonlyMap<string, string> {
  const [dicom, ...moreDicom] = files.filter((file) => file.content_type === 'application/dicom')
  if (dicom === undefined || moreDicom.length > 0) return new Map()
  const [picture] = files
    .filter((file) => file !== dicom && comparePhotographs(dicom.grey, file.grey) !== 'different')
    .toSorted(
      (one, other) =>
        IMAGE_TYPES.indexOf(one.content_type) - IMAGE_TYPES.indexOf(other.content_type) ||
        (one.file_name < other.file_name ? -1 : 1),
    )
  return picture === undefined ? new Map() : new Map([[dicom.id, picture.id]])
}
