/** How much planted damage passes in silence: neither refused nor called perhaps damaged. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImageType } from '../../src-shared/image-files.ts'
import { decodePicture } from '../../src-main/reader/pictures/decode.ts'
import { soundness } from '../src-main/reader/formats/soundness.ts'
import { randomFrom } from '../camera/random.ts'
import { type Kind, KINDS } from './kinds.ts'
import { drawnPicture } from './pictures.ts'
import { type Damage, DAMAGES, spotIn } from './plant.ts'

export type DamageOptions = {
  readonly seed: number
  readonly images: number
  readonly spots: number
  /** Only kinds whose names begin so. */
  readonly only?: string
}

/** Of one kind and part of a picture, and one damage. `silent` was called sound. */
export type DamageCount = {
  readonly kind: Kind
  readonly part: string
  readonly damage: Damage
  readonly planted: number
  readonly silent: number
}

/** Counts by kind, part and damage, in their order. Damage that changes no byte is not counted. */
export async function measureDamage({
  seed,
  images,
  spots,
  only = '',
}: DamageOptions): Promise<readonly DamageCount[]> {
  const counts = new Map<string, DamageCount>()
  for (const kind of KINDS.filter(({ name }) => name.startsWith(only))) {
    const random = randomFrom(seed)
    let other: Buffer | null = null
    for (let nth = 0; nth < images; nth += 1) {
      const picture = await kind.make(await drawnPicture(seed, nth), nth)
      other ??= (await kind.make(await drawnPicture(seed, images), nth)).bytes
      for (const damage of DAMAGES)
        for (let index = 0; index < spots; index += 1) {
          const spot = spotIn(picture.ranges, random)
          const bytes = damage.plant({ picture, spot, random, other })
          if (bytes === null || bytes.equals(picture.bytes)) continue
          const key = [kind.name, spot.range.part, damage.name].join('\n')
          const so = counts.get(key) ?? { kind, part: spot.range.part, damage, planted: 0, silent: 0 }
          const silent = so.silent + ((await isNoticed(bytes, picture.type)) ? 0 : 1)
          counts.set(key, { ...so, planted: so.planted + 1, silent })
        }
    }
  }
  return [...counts.values()]
}

/** By the walk over its data; of what that leaves to the decoder, by decoding. */
async function isNoticed(bytes: Buffer, type: ImageType): Promise<boolean> {
  const { kind } = await soundness(bytes, type)
  if (kind === 'doubtful') return true
  if (kind === 'sound' && type !== 'image/png') return false
  const path = join(tmpdir(), `${randomUUID()}.damaged`)
  try {
    await writeFile(path, bytes)
    return (await decodePicture(path)).kind !== 'whole'
  } finally {
    await rm(path, { force: true })
  }
}

/** What passes more often than it may. A part of raw bits alone has nothing that could show damage. */
export function tooManySilent(counts: readonly DamageCount[]): readonly DamageCount[] {
  return counts.filter(
    ({ kind, part, damage, planted, silent }) =>
      damage.isDemanded && !part.includes('raw bits') && silent > planted * kind.mayPass,
  )
}

/** One row for each kind and part, one column for each damage: passed / planted. */
export function damageTable(counts: readonly DamageCount[]): readonly (readonly string[])[] {
  const rows = new Map<string, string[]>()
  for (const { kind, part, damage, planted, silent } of counts) {
    const name = part === '' ? kind.name : `${kind.name}, ${part}`
    const row = rows.get(name) ?? [name, ...DAMAGES.map(() => '-')]
    const share = silent === 0 ? '' : ` (${((silent / planted) * 100).toFixed(1)} %)`
    row[1 + DAMAGES.indexOf(damage)] = `${silent}/${planted}${share}`
    rows.set(name, row)
  }
  return [['passed in silence', ...DAMAGES.map(({ name }) => name)], ...rows.values()]
}
