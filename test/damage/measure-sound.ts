/** How many sound photographs are called damaged, or perhaps damaged; and how long a check takes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePicture } from '../../src-main/reader/pictures/decode.ts'
import { readPhoto } from '../../src-main/reader/pictures/photo.ts'
import type { Soundness } from '../../src-main/reader/inspect-file.ts'
import { soundness } from '../src-main/reader/formats/soundness.ts'
import type { ImageType } from '../../src-shared/image-files.ts'
import { isMaybeDamaged } from '../../src-shared/submission.ts'
import { drawFundus } from '../camera/draw-fundus.ts'
import sharp from 'sharp'
import { encoders } from './encoders.ts'
import { drawnPicture } from './pictures.ts'

/** Of one program. `names` are the encodings that were called damaged, perhaps damaged, or were not checked. */
export type SoundCount = {
  readonly program: string
  readonly photographs: number
  readonly damaged: readonly string[]
  readonly maybeDamaged: readonly string[]
  readonly notChecked: readonly string[]
}

/** Counts by program of at least this many photographs, read as the station reads them. */
export async function measureSound(seed: number, photographs: number): Promise<readonly SoundCount[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sound-'))
  const counts = new Map<string, SoundCount>()
  try {
    const all = encoders()
    for (let nth = 0; nth * all.length < photographs; nth += 1) {
      const picture = await drawnPicture(seed + 1, nth)
      for (const { program, name, type, isChecked, encode } of all) {
        const path = join(folder, 'photograph')
        await writeFile(path, await encode(picture))
        const soundness = await soundnessOfFile(path, type)
        const request = { path, contentType: type, pictureFolder: folder } as const
        const reading = await readPhoto(request)
        const so = counts.get(program) ?? {
          program,
          photographs: 0,
          damaged: [],
          maybeDamaged: [],
          notChecked: [],
        }
        const isDoubted = reading.kind === 'whole' && isMaybeDamaged(reading.oddities)
        counts.set(program, {
          program,
          photographs: so.photographs + (isChecked ? 1 : 0),
          damaged: reading.kind === 'whole' ? so.damaged : [...so.damaged, name],
          maybeDamaged: isDoubted ? [...so.maybeDamaged, name] : so.maybeDamaged,
          notChecked: soundness.kind === 'notChecked' ? [...so.notChecked, name] : so.notChecked,
        })
        if (reading.kind === 'whole' && reading.picture !== null) await rm(reading.picture.path)
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return [...counts.values()]
}

export function soundTable(counts: readonly SoundCount[]): readonly (readonly string[])[] {
  const listed = (names: readonly string[]): string =>
    names.length === 0 ? '0' : `${names.length}: ${[...new Set(names)].join(', ')}`
  return [
    ['encoder', 'photographs', 'damaged', 'perhaps damaged', 'not checked'],
    ...counts.map(({ program, photographs, damaged, maybeDamaged, notChecked }) => [
      program,
      String(photographs),
      listed(damaged),
      listed(maybeDamaged),
      listed(notChecked),
    ]),
  ]
}

/** Milliseconds of processor time: the shortest of several, of the check and of a full decoding. */
export type TimeRow = { readonly name: string; readonly checkMs: number; readonly decodeMs: number }

/** A JPEG of six megapixels, sequential and progressive. */
export async function measureTime(rounds = 9): Promise<readonly TimeRow[]> {
  const drawn = await drawFundus({ eye: 'right', seed: 3, width: 3_000, height: 2_000, format: 'png' })
  const folder = await mkdtemp(join(tmpdir(), 'time-'))
  const rows: TimeRow[] = []
  try {
    for (const [name, options] of [
      ['baseline, quality 85', { quality: 85 }],
      ['baseline, quality 92, all colours', { quality: 92, chromaSubsampling: '4:4:4' }],
      ['progressive, quality 85', { quality: 85, progressive: true }],
    ] as const) {
      const path = join(folder, 'photograph.jpg')
      await sharp(drawn).blur(0.5).linear(1, 1).jpeg(options).toFile(path)
      const checks: number[] = []
      const decodings: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        checks.push(await timed(() => soundnessOfFile(path, 'image/jpeg')))
        decodings.push(await timed(() => decodePicture(path)))
      }
      rows.push({ name, checkMs: Math.min(...checks), decodeMs: Math.min(...decodings) })
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return rows
}

async function soundnessOfFile(path: string, type: ImageType): Promise<Soundness> {
  return soundness(await readFile(path), type)
}

/** Processor time of all threads, so that other programs do not count. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

export function timeTable(rows: readonly TimeRow[]): readonly (readonly string[])[] {
  return [
    ['JPEG of 3000 x 2000', 'check', 'full decoding'],
    ...rows.map(({ name, checkMs, decodeMs }) => [
      name,
      `${checkMs.toFixed(1)} ms`,
      `${decodeMs.toFixed(1)} ms`,
    ]),
  ]
}
