import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { complaintsAbout } from '../practice-service/case-rules.ts'
import * as badInput from './bad-input.ts'
import { exportVisit, type VisitOptions } from './export-visit.ts'
import { syntheticPatient } from './synthetic-patient.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'camera-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function exportSmall(options: Partial<VisitOptions>): ReturnType<typeof exportVisit> {
  return exportVisit({ folder, seed: 17, visitDate: '2026-11-20', width: 160, height: 120, ...options })
}

async function filesThere(): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

describe('the export of a visit', () => {
  it.each<[Partial<VisitOptions>, readonly string[]]>([
    [
      { layout: 'folderPerVisit', imagesPerEye: 1, sidecar: 'first' },
      [
        'H-00017_20261120/H-00017_20261120_OD_1.jpg',
        'H-00017_20261120/H-00017_20261120_OS_1.jpg',
        'H-00017_20261120/case.json',
      ],
    ],
    [
      { layout: 'nested', imagesPerEye: 2, eyes: ['left'], format: 'tiff', sidecar: 'last' },
      ['H-00017/20261120/OS_1.tif', 'H-00017/20261120/OS_2.tif', 'H-00017/20261120/case.json'],
    ],
    [{ layout: 'flat', imagesPerEye: 1, eyes: ['right'], format: 'png' }, ['H-00017_20261120_OD_1.png']],
    [
      { layout: 'nested', imagesPerEye: 1, names: 'counter' },
      ['H-00017/20261120/IMG_0001.jpg', 'H-00017/20261120/IMG_0002.jpg'],
    ],
  ])('as %j', async (options, files) => {
    const visit = await exportSmall(options)
    expect(await filesThere()).toEqual(files)
    for (const image of visit.images) {
      const sha256 = createHash('sha256')
        .update(await readFile(join(folder, image.path)))
        .digest('hex')
      expect(image.sha256).toBe(sha256)
    }
    expect(new Set(visit.images.map((image) => image.sha256)).size).toBe(visit.images.length)
  })

  it.each([
    ['counter', { 'IMG_0001.jpg': 'OD', 'IMG_0002.jpg': 'OS' }],
    ['eye', { 'H-00017_20261120_OD_1.jpg': 'OD', 'H-00017_20261120_OS_1.jpg': 'OS' }],
  ] as const)('states every eye in the sidecar, beside names by %s', async (names, images) => {
    const { sidecarPath } = await exportSmall({ names, imagesPerEye: 1, sidecar: 'first' })
    const sidecar = JSON.parse(await readFile(join(folder, sidecarPath ?? ''), 'utf8')) as unknown
    expect(sidecar).toEqual({ ...syntheticPatient(17), visit_date: '2026-11-20', images })
  })

  it('writes slowly, under the final name from the first piece on', async () => {
    const sizes = new Set<number>()
    const seen = async (): Promise<number> => {
      for (const file of await filesThere()) sizes.add((await stat(join(folder, file))).size)
      return sizes.size
    }
    const pace = { chunkBytes: 500, pauseMs: 10 }
    const written = exportSmall({ layout: 'flat', imagesPerEye: 1, eyes: ['right'], pace })
    await expect.poll(seen, { interval: 1 }).toBeGreaterThan(2)
    expect((await written).images[0]?.sizeBytes).toBeGreaterThanOrEqual(Math.max(...sizes))
  })

  it('makes patients that a strict service takes, whatever the seed', () => {
    const image = { partName: 'images[]', fileName: 'a', contentType: '', sizeBytes: 1, sha256: '' }
    for (let seed = 0; seed < 300; seed += 1) {
      const fields = Object.entries(syntheticPatient(seed)).map(([name, value]) => ({
        name,
        value: String(value),
      }))
      expect(complaintsAbout({ fields, images: [image] }, ['history_number'])).toEqual([])
    }
  })
})

describe('bad input', () => {
  it('is as bad as it says', async () => {
    await expect(sharp(await badInput.writeTextNamedJpeg(folder)).metadata()).rejects.toThrow('unsupported')
    const truncated = await badInput.writeTruncatedJpeg(folder)
    expect((await readFile(truncated)).subarray(-2).toString('hex')).not.toBe('ffd9')
    const damaged = await badInput.writeDamagedJpeg(folder)
    expect((await readFile(damaged)).subarray(-2).toString('hex')).toBe('ffd9')
    await expect(sharp(damaged, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow('JPEG')
    expect((await stat(await badInput.writeEmptyFile(folder))).size).toBe(0)
    expect((await sharp(await badInput.writeImageWithoutEye(folder)).metadata()).format).toBe('jpeg')
    const sidecar = await readFile(await badInput.writeBrokenSidecar(folder), 'utf8')
    expect(() => JSON.parse(sidecar) as unknown).toThrow('JSON')
  })
})
