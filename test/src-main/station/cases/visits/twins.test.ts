/** A picture and the DICOM file beside it are one photograph only if their pixels say so. */
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { comparePhotographs, twinsAmong } from '../../../../../src-main/station/cases/visits/twins.ts'
import { greyOf } from '../../../../../src-main/reader/pictures/photo.ts'
import { drawFundus } from '../../../../camera/draw-fundus.ts'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type TestCases, watchingCases } from '../cases-with.ts'

const SIZE = { width: 320, height: 256 }

async function greyIn(bytes: Buffer): Promise<string> {
  const { data, info } = await sharp(bytes)
    .resize(256, 256, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return greyOf({ pixels: data, ...info })
}

const one = await drawFundus({ eye: 'right', seed: 3, ...SIZE })
const other = await drawFundus({ eye: 'right', seed: 4, ...SIZE })
const fellow = await drawFundus({ eye: 'left', seed: 3, ...SIZE })
const mirrored = await sharp(one).flop().png().toBuffer()
const blank = await sharp({ create: { ...SIZE, channels: 3, background: 'black' } })
  .png()
  .toBuffer()
const white = { input: { create: { width: 90, height: 14, channels: 3, background: 'white' } } } as const

describe('two files', () => {
  it.each<readonly [string, (bytes: Buffer) => Sharp]>([
    ['compressed', (bytes) => sharp(bytes).jpeg({ quality: 40 })],
    ['smaller', (bytes) => sharp(bytes).resize(160).png()],
    ['brighter', (bytes) => sharp(bytes).linear(1.2, 5).png()],
    ['grey', (bytes) => sharp(bytes).greyscale().png()],
    [
      'with a caption',
      (bytes) =>
        sharp(bytes)
          .composite([{ ...white, left: 4, top: 4 }])
          .png(),
    ],
  ])('show one photograph if one is %s', async (_what, change) => {
    expect(comparePhotographs(await greyIn(one), await greyIn(await change(one).toBuffer()))).toBe('same')
  })

  it.each([
    ['of another patient', other],
    ['of the other eye', fellow],
    ['mirrored', mirrored],
  ])('show two photographs if one is %s', async (_what, bytes) => {
    expect(comparePhotographs(await greyIn(one), await greyIn(bytes))).toBe('different')
  })

  it('leave it open if one shows nothing, or could not be decoded', async () => {
    const [grey, empty] = [await greyIn(one), await greyIn(blank)]
    for (const [ours, theirs] of [
      [grey, empty],
      [empty, empty],
      [grey, null],
      [null, null],
    ] as const)
      expect(comparePhotographs(ours, theirs)).toBe('unknown')
  })

  it('of one name are no twins if they show two photographs', async () => {
    const files = [
      { id: 'jpg', file_name: 'a.jpg', content_type: 'image/jpeg', grey: await greyIn(one) },
      { id: 'dcm', file_name: 'a.dcm', content_type: 'application/dicom', grey: await greyIn(other) },
    ] as const
    expect(twinsAmong(files).size).toBe(0)
    expect(twinsAmong(files.map((file) => ({ ...file, grey: null }))).size).toBe(1)
  })
})

describe('a picture beside a DICOM file of its name', () => {
  const stated = (jpeg: Buffer): Promise<Buffer> =>
    dicomFile({
      patientId: 'H-00101',
      studyDate: '20261120',
      laterality: 'R',
      sopUid: '2.25.71',
      image: { jpeg, ...SIZE },
    })

  async function beside(jpeg: Buffer, order: readonly ('jpg' | 'dcm')[]): Promise<TestCases> {
    const station = await watchingCases({ sendWithoutReview: true })
    const files = { jpg: jpeg, dcm: await stated(one) }
    for (const end of order) await station.arrive(`H-00101/OD_1.${end}`, files[end])
    await station.quiet()
    return station
  }

  const shown = (station: TestCases): string[] =>
    station
      .open()
      .flatMap(({ images }) =>
        images.map(({ fileName, twinOf }) => `${fileName.slice(-3)} ${twinOf === null ? 'shown' : 'twin'}`),
      )
      .toSorted()

  it.each([[['jpg', 'dcm'] as const], [['dcm', 'jpg'] as const]])(
    'is proven by it if both show one photograph: %s',
    async (order) => {
      const station = await beside(one, order)
      expect(shown(station)).toEqual(['dcm twin', 'jpg shown'])
      expect(station.open().map(({ state }) => state)).toEqual(['waiting'])
    },
  )

  it.each([[['jpg', 'dcm'] as const], [['dcm', 'jpg'] as const]])(
    'is a photograph of its own if it shows another one, and a person is warned: %s',
    async (order) => {
      const station = await beside(other, order)
      expect(shown(station)).toEqual(['dcm shown', 'jpg shown'])
      const warnings = station.open().flatMap(({ oddities }) => oddities.map(({ wording }) => wording?.key))
      expect(warnings).toContain('intake:warning.unlikeFellow')
      // The DICOM file proves itself, and nothing of the picture.
      const own = station
        .open()
        .find(({ images }) => images.some(({ fileName }) => fileName.endsWith('.jpg')))
      expect(own?.state).not.toBe('waiting')
    },
  )

  it('waits for a person if nothing shows whether it is', async () => {
    const station = await beside(await sharp(blank).jpeg().toBuffer(), ['jpg', 'dcm'])
    expect(shown(station)).toEqual(['dcm twin', 'jpg shown'])
    expect(station.open()).toMatchObject([
      { state: 'review', verdict: { who: { kind: 'proposed' }, day: { kind: 'proposed' } } },
    ])
    expect(Object.values(station.open()[0]?.verdict.eyes ?? {})).toMatchObject([{ kind: 'proposed' }])
  })
})
