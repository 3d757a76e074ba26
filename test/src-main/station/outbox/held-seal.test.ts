import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { breakSeal, sealDatabase, sealPathOf } from '../../../../src-main/station/outbox/database-seal.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

/** How often a scanner still has the file in its hand. */
const scanner = vi.hoisted(() => ({ left: 0 }))

type Act = (...parts: unknown[]) => unknown

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<Record<'rmSync' | 'renameSync', Act>>()
  const held =
    (act: Act): Act =>
    (...parts) => {
      if (scanner.left === 0) return act(...parts)
      scanner.left -= 1
      throw Object.assign(new Error('held'), { code: 'EBUSY' })
    }
  return { ...real, rmSync: held(real.rmSync), renameSync: held(real.renameSync) }
})

it('a seal that a scanner holds for a moment is put in place and taken away all the same', () => {
  const path = join(temporaryFolder(), 'outbox.sqlite')
  writeFileSync(path, 'a database')
  scanner.left = 3
  expect(sealDatabase(path)).toBe(true)
  scanner.left = 3
  breakSeal(path)
  expect(existsSync(sealPathOf(path))).toBe(false)
  expect(scanner.left).toBe(0)
})
