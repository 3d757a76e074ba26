/**
 * Writes DICOM files as careless devices do: elements that come twice, several values, items in items, bytes that no text
 * has. Explicit VR, little endian, with one JPEG frame (PS3.5 7.1.2 and A.4, PS3.10 7.1).
 */
import type { DicomElement, DicomHeader } from './world.ts'

const OPHTHALMIC_PHOTOGRAPHY_8 = '1.2.840.10008.5.1.4.1.1.77.1.5.1'
const JPEG_BASELINE = '1.2.840.10008.1.2.4.50'
/** Types whose length has four bytes behind two that are reserved. */
const LONG = ['OB', 'OW', 'SQ', 'UN', 'UT']
const UNDEFINED_LENGTH = 0xffffffff

function head(tag: string, vr: string | null, length: number): Buffer {
  const isLong = vr !== null && LONG.includes(vr)
  const bytes = Buffer.alloc(isLong ? 12 : 8)
  bytes.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0)
  bytes.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2)
  if (vr !== null) bytes.write(vr, 4, 'latin1')
  if (isLong || vr === null) bytes.writeUInt32LE(length, isLong ? 8 : 4)
  else bytes.writeUInt16LE(length, 6)
  return bytes
}

/** Values have even lengths: UIDs and bytes are padded with a zero, texts with a space. */
function padded(bytes: Buffer, vr: string): Buffer {
  if (bytes.length % 2 === 0) return bytes
  return Buffer.concat([bytes, Buffer.from(vr === 'UI' || vr === 'OB' ? '\0' : ' ')])
}

function element({ tag, vr, value }: DicomElement): Buffer {
  const content =
    typeof value === 'string'
      ? padded(Buffer.from(value), vr)
      : Buffer.concat(
          value.flatMap((item) => {
            const inside = Buffer.concat(item.map(element))
            return [head('FFFEE000', null, inside.length), inside]
          }),
        )
  return Buffer.concat([head(tag, vr, content.length), content])
}

function short(tag: string, value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return Buffer.concat([head(tag, 'US', 2), bytes])
}

const ELEMENTS = [
  ['studyDate', '00080020', 'DA'],
  ['seriesDescription', '0008103E', 'LO'],
  ['patientName', '00100010', 'PN'],
  ['patientId', '00100020', 'LO'],
  ['birthDate', '00100030', 'DA'],
  ['sex', '00100040', 'CS'],
  ['studyInstanceUid', '0020000D', 'UI'],
  ['laterality', '00200060', 'CS'],
  ['imageLaterality', '00200062', 'CS'],
] as const

function elementsOf(header: DicomHeader, sop: string): readonly DicomElement[] {
  const fixed: readonly DicomElement[] = [
    { tag: '00080005', vr: 'CS', value: 'ISO_IR 192' },
    { tag: '00080008', vr: 'CS', value: 'ORIGINAL\\PRIMARY\\\\COLOR' },
    { tag: '00080016', vr: 'UI', value: OPHTHALMIC_PHOTOGRAPHY_8 },
    { tag: '00080018', vr: 'UI', value: sop },
    { tag: '00080060', vr: 'CS', value: 'OP' },
    { tag: '00080070', vr: 'LO', value: 'Drawn Cameras' },
    { tag: '00081090', vr: 'LO', value: 'Eyeground 1' },
    { tag: '0020000E', vr: 'UI', value: '2.25.400500601' },
  ]
  const stated = ELEMENTS.flatMap(([key, tag, vr]): DicomElement[] => {
    const value = header[key]
    return value === undefined ? [] : [{ tag, vr, value }]
  })
  const more = header.more ?? []
  // A modality that the header states replaces the usual one; all else comes in addition.
  const kept = fixed.filter(({ tag }) => tag !== '00080060' || more.every((one) => one.tag !== tag))
  return [...kept, ...stated, ...more].toSorted((one, two) =>
    one.tag < two.tag ? -1 : one.tag > two.tag ? 1 : 0,
  )
}

export type Frame = { readonly jpeg: Buffer; readonly width: number; readonly height: number }

/** A frame for those who read no pixels. */
const EMPTY_FRAME: Frame = { jpeg: Buffer.from('ffd8ffd9', 'hex'), width: 1, height: 1 }

/** An attribute that is absent in the header is absent in the file. */
export function dicomBytes(header: DicomHeader, { jpeg, width, height }: Frame = EMPTY_FRAME): Buffer {
  const sop = header.sopInstanceUid ?? '2.25.297362505'
  const meta = Buffer.concat(
    [
      { tag: '00020002', vr: 'UI', value: OPHTHALMIC_PHOTOGRAPHY_8 },
      { tag: '00020003', vr: 'UI', value: sop },
      { tag: '00020010', vr: 'UI', value: JPEG_BASELINE },
      { tag: '00020012', vr: 'UI', value: '2.25.100200300' },
    ].map(element),
  )
  const metaLength = Buffer.concat([head('00020000', 'UL', 4), Buffer.alloc(4)])
  const version = Buffer.concat([head('00020001', 'OB', 2), Buffer.from([0, 1])])
  metaLength.writeUInt32LE(meta.length + version.length, 8)
  const elements = elementsOf(header, sop)
  const before = elements.filter(({ tag }) => tag < '00280000')
  const behind = elements.filter(({ tag }) => tag >= '00280000')
  const frame = padded(jpeg, 'OB')
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    metaLength,
    version,
    meta,
    ...before.map(element),
    short('00280002', 3),
    element({ tag: '00280004', vr: 'CS', value: 'YBR_FULL_422' }),
    short('00280006', 0),
    short('00280010', height),
    short('00280011', width),
    short('00280100', 8),
    short('00280101', 8),
    short('00280102', 7),
    short('00280103', 0),
    ...behind.map(element),
    head('7FE00010', 'OB', UNDEFINED_LENGTH),
    // An empty table of offsets, the frame, and the end of the sequence.
    head('FFFEE000', null, 0),
    head('FFFEE000', null, frame.length),
    frame,
    head('FFFEE0DD', null, 0),
  ])
}
