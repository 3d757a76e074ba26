/** What docs/decisions/0036 states, measured; `test/damage/main.ts` measures parts of it, and other draws. */
import { describe, expect, it } from 'vitest'
import { printTable } from '../demo/print.ts'
import { missingPrograms } from './encoders.ts'
import { KINDS } from './kinds.ts'
import { damageTable, measureDamage, tooManySilent } from './measure-damage.ts'
import { measureSound, measureTime, soundTable, timeTable } from './measure-sound.ts'

const LONG = 30 * 60_000

describe('planted damage', () => {
  it.each(KINDS.map(({ name }) => name))(
    'in %s does not pass in silence, as far as its structure can show it',
    async (only) => {
      const counts = await measureDamage({ seed: 1, images: 30, spots: 200, only })
      printTable(damageTable(counts))
      expect(tooManySilent(counts).map(({ part, damage }) => [part, damage.name])).toEqual([])
    },
    LONG,
  )
})

describe('a sound photograph', () => {
  it(
    'is neither damaged nor perhaps damaged, whichever encoder wrote it',
    async () => {
      const counts = await measureSound(1, 2_000)
      printTable(soundTable(counts))
      // The figures then say less than they should: four encoders are meant.
      if (missingPrograms().length > 0) printTable([['not on this machine'], [missingPrograms().join(', ')]])
      expect(counts.flatMap(({ damaged, maybeDamaged }) => [...damaged, ...maybeDamaged])).toEqual([])
    },
    LONG,
  )

  it(
    'of six megapixels takes no longer than its full decoding',
    async () => {
      const rows = await measureTime()
      printTable(timeTable(rows))
      for (const { checkMs, decodeMs } of rows) expect(checkMs).toBeLessThan(decodeMs)
    },
    LONG,
  )
})
