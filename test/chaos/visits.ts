/** Synthetic visits for the runs: drawn once, written into as many camera folders as wanted. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import sharp from 'sharp'
import { exportVisit, syntheticPatient } from '../camera/export-visit.ts'
import { writeAsCamera } from '../camera/write-as-camera.ts'
import { TODAY } from '../camera/today.ts'

/** `small`: a body of some 20 KB, which one packet train takes. `large`: some 16 MB, far more than socket buffers. */
export type BodySize = 'small' | 'large'

export type Visit = {
  readonly historyNumber: string
  readonly visitDate: string
  readonly size: BodySize
  readonly images: readonly { readonly sha256: string; readonly eye: 'right' | 'left' }[]
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[]
}

const VISIT_DATE = TODAY
const LARGE_SIZE = { width: 1_800, height: 1_500 }
const EYES = { OD: 'right', OS: 'left' } as const

async function drawSmall(number: number): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-visit-'))
  try {
    const exported = await exportVisit({
      folder,
      seed: number,
      visitDate: VISIT_DATE,
      imagesPerEye: 1,
      width: 320,
      height: 240,
      sidecar: 'first',
    })
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name))
    const files = await Promise.all(
      paths.map(async (path) => ({
        path: relative(folder, path).split(sep).join('/'),
        bytes: await readFile(path),
      })),
    )
    const images = exported.images.map(({ sha256, eye }) => ({ sha256, eye }))
    return {
      historyNumber: exported.patient.history_number,
      visitDate: VISIT_DATE,
      size: 'small',
      images,
      files,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function drawLarge(number: number): Promise<Visit> {
  const patient = syntheticPatient(number)
  const historyNumber = patient.history_number
  const visit = `${historyNumber}_${VISIT_DATE.replaceAll('-', '')}`
  const drawn = await Promise.all(
    (['OD', 'OS'] as const).map(async (code) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
      const picture = sharp({ create: { ...LARGE_SIZE, channels: 3, background: '#000000', noise } })
      const bytes = await picture.png({ compressionLevel: 0 }).toBuffer()
      return { code, bytes, name: `${visit}_${code}_1.png` }
    }),
  )
  const images = drawn.map(({ code, bytes }) => ({
    eye: EYES[code],
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  const stated = {
    ...patient,
    visit_date: VISIT_DATE,
    images: Object.fromEntries(drawn.map(({ code, name }) => [name, code])),
  }
  const files = [
    { path: `${visit}/case.json`, bytes: Buffer.from(JSON.stringify(stated)) },
    ...drawn.map(({ name, bytes }) => ({ path: `${visit}/${name}`, bytes })),
  ]
  return { historyNumber, visitDate: VISIT_DATE, size: 'large', images, files }
}

const drawn = new Map<string, Promise<Visit>>()

/** The visit of a number; the same number is the same visit for the life of this process. */
export function visitOf(number: number, size: BodySize): Promise<Visit> {
  const key = `${size} ${number}`
  const known = drawn.get(key) ?? (size === 'small' ? drawSmall(number) : drawLarge(number + 500))
  drawn.set(key, known)
  return known
}

export async function writeVisit(folder: string, visit: Visit): Promise<void> {
  for (const { path, bytes } of visit.files) await writeAsCamera(join(folder, path), bytes)
}
