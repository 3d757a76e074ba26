/** DICOM files that another program wrote: OFFIS dcmtk, if it is installed (`apt-get install dcmtk`). */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readDicomFacts } from '../../../../../src-main/station/intake/dicom/facts.ts'
import { dicomKindOf, dicomStructure } from '../../../../../src-main/station/intake/dicom/kind.ts'
import { renderDicom } from '../../../../../src-main/station/intake/dicom/render.ts'
import { readAtOfBytes } from '../../../../../src-main/station/intake/file-structure.ts'
import { drawFundus } from '../../../../camera/draw-fundus.ts'

const isInstalled = spawnSync('img2dcm', ['--version']).status === 0

const folder = await mkdtemp(join(tmpdir(), 'foreign-dicom-'))
afterAll(() => rm(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
await writeFile(at('od.jpg'), await drawFundus({ eye: 'right', seed: 4, width: 240, height: 200 }))

const dcmtk = (program: string, ...options: readonly string[]): void => {
  execFileSync(program, options, { cwd: folder, timeout: 30_000, stdio: 'pipe' })
}
const keys = (...pairs: readonly string[]): readonly string[] => pairs.flatMap((pair) => ['-k', pair])

const PERSON = keys('PatientName=LOPEZ GARCIA^ANA', 'PatientID=0012-3_', 'PatientSex=F', 'StudyDate=20260602')
const DEVICE = 'AcquisitionDeviceTypeCodeSequence[0]'
const OPHTHALMIC = keys(
  'ImageLaterality=L',
  `${DEVICE}.CodeValue=409898007`,
  `${DEVICE}.CodingSchemeDesignator=SCT`,
  `${DEVICE}.CodeMeaning=Ophthalmic fundus camera`,
  // The default has code and meaning the wrong way round.
  'AnatomicRegionSequence[0].CodeValue=81745001',
  'AnatomicRegionSequence[0].CodingSchemeDesignator=SCT',
  'AnatomicRegionSequence[0].CodeMeaning=Eye',
  'IntraOcularPressure=15.5',
  'RefractiveStateSequence[0].SphericalLensPower=-1.25',
  'RefractiveStateSequence[0].CylinderLensPower=-0.5',
  'RefractiveStateSequence[0].CylinderAxis=90',
)

async function readDicom(name: string) {
  const bytes = await readFile(at(name))
  const readAt = readAtOfBytes(bytes)
  return {
    structure: await dicomStructure(readAt, bytes.length),
    kind: await dicomKindOf(readAt, bytes.length),
    facts: await readDicomFacts(readAt, bytes.length),
    rendered: await renderDicom(at(name)),
    bytes,
  }
}

describe('written by dcmtk', { timeout: 60_000 }, () => {
  beforeEach(({ skip }) => skip(!isInstalled, 'dcmtk is not installed'))

  it.each<readonly [as: string, options: readonly string[], frames: number]>([
    ['-oph', OPHTHALMIC, 1],
    ['-oph', OPHTHALMIC, 2],
    ['-vlp', [], 1],
    ['-sc', [], 1],
    ['-nsc', [], 1],
  ])('img2dcm %s is read right', async (as, options, frames) => {
    const inputs = Array.from({ length: frames }, () => 'od.jpg')
    dcmtk('img2dcm', as, ...inputs, 'image.dcm', ...PERSON, ...options)
    const { structure, kind, facts, rendered, bytes } = await readDicom('image.dcm')
    expect([structure.kind, kind]).toEqual(['whole', 'photo'])
    expect(facts.fields).toEqual({
      history_number: '0012-3_',
      last_name: 'LOPEZ GARCIA',
      first_name: 'ANA',
      gender: 1,
      visit_date: '2026-06-02',
      ...(as === '-oph' ? { os_iop: 15.5, os_sphere: -1.25, os_cylinder: -0.5, os_axis: 90 } : {}),
    })
    expect([facts.eye, facts.view]).toEqual(as === '-oph' ? ['left', 'Eye'] : [null, null])
    expect(rendered).toMatchObject({ kind: 'picture', contentType: 'image/jpeg', frames })
    const jpeg = rendered.kind === 'picture' ? rendered.bytes : Buffer.alloc(0)
    expect(jpeg.equals(await readFile(at('od.jpg')))).toBe(true)
    for (let percent = 0; percent < 100; percent += 5) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * percent) / 100))
      expect((await dicomStructure(readAtOfBytes(cut), cut.length)).kind).not.toBe('whole')
    }
  })

  it.each<readonly [what: string, steps: readonly (readonly string[])[]]>([
    ['decoded', [['dcmdjpeg']]],
    ['decoded by planes', [['dcmdjpeg', '+pl']]],
    ['decoded, implicit', [['dcmdjpeg'], ['dcmconv', '+ti']]],
    ['decoded, big endian', [['dcmdjpeg'], ['dcmconv', '+tb']]],
    ['decoded, lengths known', [['dcmdjpeg'], ['dcmconv', '+te', '+e']]],
    ['decoded, lengths unknown', [['dcmdjpeg'], ['dcmconv', '+te', '-e']]],
    ['RLE', [['dcmdjpeg'], ['dcmcrle']]],
    ['RLE of planes', [['dcmdjpeg', '+pl'], ['dcmcrle']]],
    ['baseline JPEG', [['dcmdjpeg'], ['dcmcjpeg', '+eb']]],
    ['baseline JPEG in RGB', [['dcmdjpeg'], ['dcmcjpeg', '+eb', '+cr']]],
    ['progressive JPEG', [['dcmdjpeg'], ['dcmcjpeg', '+ep']]],
    ['JPEG in fragments', [['dcmdjpeg'], ['dcmcjpeg', '+eb', '+fs', '4']]],
    ['a palette', [['dcmdjpeg'], ['dcmquant']]],
    ['a palette, big endian', [['dcmdjpeg'], ['dcmquant'], ['dcmconv', '+tb']]],
    ['a palette in RLE', [['dcmdjpeg'], ['dcmquant'], ['dcmcrle']]],
  ])('%s comes out as dcmtk itself shows it', async (_, steps) => {
    dcmtk('img2dcm', '-oph', 'od.jpg', '0.dcm', ...PERSON, ...OPHTHALMIC)
    steps.forEach(([program, ...options], index) => {
      dcmtk(program!, ...options, `${index}.dcm`, `${index + 1}.dcm`)
    })
    const last = `${steps.length}.dcm`
    dcmtk('dcmj2pnm', '--write-16-bit-png', last, 'shown.png')
    const { structure, facts, rendered } = await readDicom(last)
    expect(structure).toEqual({ kind: 'whole' })
    expect(facts).toMatchObject({ eye: 'left', fields: { history_number: '0012-3_', os_sphere: -1.25 } })
    if (rendered.kind !== 'picture') throw new Error(JSON.stringify(rendered))
    expect(await rgbOf(rendered.bytes)).toEqual(await rgbOf(await readFile(at('shown.png'))))
  })

  it.each([
    ['lossless JPEG', ['dcmcjpeg', '+e1']],
    ['JPEG-LS', ['dcmcjpls']],
  ] as const)('%s is declined', async (_, [program, ...options]) => {
    dcmtk('img2dcm', '-sc', 'od.jpg', '0.dcm', ...PERSON)
    dcmtk('dcmdjpeg', '0.dcm', '1.dcm')
    dcmtk(program, ...options, '1.dcm', '2.dcm')
    const { structure, rendered } = await readDicom('2.dcm')
    expect([structure.kind, rendered.kind]).toEqual(['whole', 'declined'])
  })
})

/** A digest of all pixels, so that a difference does not print them all. */
async function rgbOf(picture: Buffer): Promise<string> {
  const pixels = await sharp(picture).toColourspace('srgb').removeAlpha().raw().toBuffer()
  return createHash('sha256').update(pixels).digest('hex')
}
