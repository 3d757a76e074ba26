import { expect, it } from 'vitest'
import { type DicomKind, dicomKindOf } from '../../../../../src-main/station/intake/dicom/kind.ts'
import { readAtOfBytes } from '../../../../../src-main/station/intake/file-structure.ts'
import { dicomFile, type DicomFileOptions, type DicomSop } from '../../../../camera/write-dicom.ts'
import { colours } from './dicom-samples.ts'

async function kindOf(options: DicomFileOptions): Promise<DicomKind> {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(20, 10), ...options })
  return dicomKindOf(readAtOfBytes(bytes), bytes.length)
}

const KINDS: Readonly<Record<DicomSop, DicomKind>> = {
  op8: 'photo',
  op16: 'photo',
  vlp: 'photo',
  wideField: 'photo',
  sc: 'photo',
  scMultiFrame: 'photo',
  oct: 'oct',
  segmentation: 'segmentation',
  surfaceSegmentation: 'segmentation',
  pdf: 'report',
  video: 'video',
  visualField: 'noImage',
  directory: 'directory',
}

it.each(Object.entries(KINDS) as [DicomSop, DicomKind][])('%s is told as %s', async (sop, kind) => {
  expect(await kindOf({ sop })).toBe(kind)
})

const sopClass = (uid: string): NonNullable<DicomFileOptions['attributes']> => ({
  '00080016': { vr: 'UI', Value: [uid] },
})

it.each<readonly [string, DicomFileOptions, DicomKind]>([
  [
    'a structured report',
    { sop: 'visualField', attributes: sopClass('1.2.840.10008.5.1.4.1.1.88.11') },
    'report',
  ],
  ['an en-face picture of a volume', { attributes: sopClass('1.2.840.10008.5.1.4.1.1.77.1.5.7') }, 'oct'],
  ['a picture of no eye', { attributes: sopClass('1.2.840.10008.5.1.4.1.1.1.1') }, 'otherImage'],
  ["a class of a maker's own", { attributes: sopClass('2.25.99') }, 'otherImage'],
  ['a photograph as a film', { transferSyntax: 'mpeg4' }, 'video'],
  ['a class that only the first group names', { attributes: { '00080016': null } }, 'photo'],
])('%s', async (_, options, kind) => {
  expect(await kindOf(options)).toBe(kind)
})

it('of what is no DICOM file, and of nothing, is told without an image', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(400), Buffer.from('text')]) {
    expect(await dicomKindOf(readAtOfBytes(bytes), bytes.length)).toBe('noImage')
  }
})
