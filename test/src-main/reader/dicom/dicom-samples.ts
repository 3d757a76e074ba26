/** Small DICOM files for tests: quick to write, and with every byte of their pixels different from its neighbours. */
import {
  type DicomAttributes,
  dicomFile,
  type DicomFileOptions,
  type DicomImage,
} from '../../../camera/write-dicom.ts'

/** Colours that change from pixel to pixel, without a stretch of zeros. */
export function colours(width: number, height: number): DicomImage & { readonly rgb: Uint8Array } {
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, index) => 1 + ((index * 37) % 251))
  return { rgb, width, height }
}

export function greys(
  width: number,
  height: number,
  bitsStored: number,
): DicomImage & { readonly gray16: Uint16Array } {
  const range = 2 ** bitsStored
  const gray16 = Uint16Array.from({ length: width * height }, (_, index) => (index * 977 + 1) % range)
  return { gray16, width, height, bitsStored }
}

export const sequence = (...items: DicomAttributes[]): DicomAttributes[string] => ({ vr: 'SQ', Value: items })

const LEFT = sequence({ '00209072': { vr: 'CS', Value: ['L'] } })
const SEQUENCES = {
  '0022001B': sequence({ '00220007': { vr: 'FL', Value: [-1.25] } }),
  '52009229': sequence({ '00209071': LEFT }),
}

export const PICTURES: readonly (readonly [name: string, options: DicomFileOptions])[] = [
  ['OP 8 bit, JPEG', { sop: 'op8' }],
  ['OP 8 bit, JPEG in fragments', { sop: 'op8', frames: 2, isFragmented: true }],
  ['OP 8 bit, explicit', { sop: 'op8', transferSyntax: 'explicitLittle', image: colours(60, 50) }],
  ['OP 8 bit, implicit', { sop: 'op8', transferSyntax: 'implicitLittle', image: colours(60, 50) }],
  ['OP 8 bit, big endian', { sop: 'op8', transferSyntax: 'explicitBig', image: colours(60, 50) }],
  ['OP 16 bit, explicit', { sop: 'op16', transferSyntax: 'explicitLittle', image: greys(60, 50, 12) }],
  ['OP 16 bit, RLE', { sop: 'op16', transferSyntax: 'rle', image: greys(60, 50, 12) }],
  ['VL Photographic, RLE', { sop: 'vlp', transferSyntax: 'rle', image: colours(60, 50), frames: 2 }],
  ['Secondary Capture, JPEG', { sop: 'sc' }],
  ['Secondary Capture, JPEG 2000', { sop: 'sc', transferSyntax: 'jpeg2000', image: colours(60, 50) }],
  ['Secondary Capture, JPEG XL', { sop: 'sc', transferSyntax: 'jpegXl' }],
  ['with sequences', { transferSyntax: 'implicitLittle', image: colours(60, 50), attributes: SEQUENCES }],
]

export async function samplePictures(): Promise<
  readonly { readonly name: string; readonly bytes: Buffer }[]
> {
  return Promise.all(PICTURES.map(async ([name, options]) => ({ name, bytes: await dicomFile(options) })))
}
