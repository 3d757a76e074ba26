import { describe, expect, it } from 'vitest'
import {
  type ContentKind,
  contentKindOf,
  HEAD_BYTES,
} from '../../../../src-main/station/intake/inspect-file.ts'
import { drawing } from './draw-images.ts'

const dicom = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')])
const bitmap = Buffer.alloc(54)
bitmap.write('BM')
bitmap[14] = 40

const table: readonly (readonly [what: string, bytes: Uint8Array, kind: ContentKind])[] = [
  ['a JPEG', await drawing().jpeg().toBuffer(), 'image/jpeg'],
  ['a PNG', await drawing().png().toBuffer(), 'image/png'],
  ['a TIFF', await drawing().tiff().toBuffer(), 'image/tiff'],
  ['a TIFF with wide offsets', await drawing().tiff({ bigtiff: true }).toBuffer(), 'image/tiff'],
  ['a TIFF of the other byte order', Buffer.from('MM\0\u002a\0\0\0\u0008', 'latin1'), 'image/tiff'],
  ['a WebP', await drawing().webp().toBuffer(), 'webp'],
  ['an AVIF', await drawing(32, 32).avif().toBuffer(), 'heif'],
  ['a GIF', await drawing().gif().toBuffer(), 'gif'],
  ['a bitmap', bitmap, 'image/bmp'],
  ['the first two letters of a bitmap', Buffer.from('BM'), 'beginning'],
  ['the first three bytes of a ZIP', Buffer.from('PK\u0003'), 'beginning'],
  ['a DICOM file without an extension', dicom, 'application/dicom'],
  [
    'a DICOM file that is a TIFF at the same time',
    Buffer.concat([Buffer.from('II*\0', 'latin1'), dicom.subarray(4)]),
    'application/dicom',
  ],
  ['a PDF', Buffer.from('%PDF-1.7\n'), 'pdf'],
  ['a ZIP', Buffer.from('PK\u0003\u0004'), 'zip'],
  ['JPEG 2000 in its box', Buffer.from('\0\0\0\u000cjP  \r\n', 'latin1'), 'jpeg2000'],
  ['nothing at all', Buffer.alloc(0), 'empty'],
  ['a reserved size', Buffer.alloc(HEAD_BYTES), 'blank'],
  ['the first byte of a JPEG', Buffer.from([0xff]), 'beginning'],
  ['the first seven bytes of a PNG', Buffer.from('\u0089PNG\r\n\u001a', 'latin1'), 'beginning'],
  ['a note', Buffer.from('not an image\r\n'), 'text'],
  ['a note with accents', Buffer.from('Señora, año'), 'text'],
  ['a note in UTF-16', Buffer.from('\ufeffnote', 'utf16le'), 'text'],
  ['two letters that a bitmap has too', Buffer.from('BMW is a car maker, says this text.'), 'text'],
  ['something else', Buffer.from([1, 2, 3, 4, 5]), 'unknown'],
]

describe('the kind of content', () => {
  it.each(table)('of %s', (_, bytes, kind) => {
    expect(contentKindOf(bytes.subarray(0, HEAD_BYTES))).toBe(kind)
  })
})
