import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { SpoolResult } from '../../../src-main/reader/messages.ts'
import { spoolFile } from '../../../src-main/reader/copy.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { failingDisk } from '../station/failing-disk.ts'

vi.mock('node:fs/promises', async (importOriginal) => {
  const disk = await import('../station/failing-disk.ts')
  return disk.failingDisk.over(await importOriginal<object>())
})

// Three chunks, the last one not full.
const bytes = Buffer.alloc(600_001, 'fundus ')
const sha256 = createHash('sha256').update(bytes).digest('hex')

type Fixture = {
  readonly spoolFolder: string
  readonly spool: () => Promise<SpoolResult>
  readonly files: () => string[]
}

function fixture(): Fixture {
  const root = temporaryFolder()
  const sourcePath = join(root, 'H-00017_OD.jpg')
  const spoolFolder = join(root, 'spool')
  writeFileSync(sourcePath, bytes)
  const { size, mtimeMs } = statSync(sourcePath)
  const expected = { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
  return {
    spoolFolder,
    spool: () => spoolFile({ sourcePath, spoolFolder, expected }),
    files: () => {
      try {
        return readdirSync(spoolFolder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => entry.name)
      } catch {
        return []
      }
    },
  }
}

describe('a disk that fails at any step of taking a copy', () => {
  it.each([
    ['ENOSPC', 'diskFull'],
    ['EDQUOT', 'diskFull'],
    ['EIO', 'storage'],
  ] as const)(
    'with %s: shown as %s, no half file taken for a whole one, and the next try takes it',
    async (code, why) => {
      const failedAt: string[] = []
      const survived: string[] = []
      for (let at = 1; ; at += 1) {
        const { spool, files, spoolFolder } = fixture()
        failingDisk.watch(spoolFolder, { at, code })
        const spooled = await spool()
        const isOver = !failingDisk.hasFailed()
        failedAt.push(...failingDisk.steps.slice(at - 1, at))
        failingDisk.watch(null)
        if (isOver) {
          expect(spooled.ok).toBe(true)
          break
        }
        // Whatever bears the name already and cannot be read is replaced.
        if (spooled.ok) survived.push(failedAt.at(-1) ?? '')
        else
          expect(spooled, `step ${at}`).toMatchObject({
            ok: false,
            why,
            wording: { key: `intake:spool.${why}` },
          })
        for (const name of files())
          if (!name.endsWith('.tmp'))
            expect(
              readFileSync(join(spoolFolder, sha256.slice(0, 2), name)).equals(bytes),
              `step ${at}`,
            ).toBe(true)
        expect(await spool(), `after step ${at}`).toMatchObject({ ok: true, sha256 })
        rmSync(join(spoolFolder, 'incoming'), { recursive: true })
        expect(files()).toEqual([sha256])
      }
      expect(survived).toEqual(['open'])
      // The copy and its folder: made, written, flushed, named.
      for (const step of ['mkdir', 'open', 'writeFile', 'sync', 'close', 'rename'])
        expect(failedAt).toContain(step)
      expect(failedAt.filter((step) => step === 'sync').length).toBeGreaterThanOrEqual(3)
    },
  )

  it('that holds the new file for a while takes it a little later', async () => {
    const { spool, files, spoolFolder } = fixture()
    failingDisk.watch(spoolFolder)
    await spool()
    const rename = failingDisk.steps.indexOf('rename') + 1
    rmSync(spoolFolder, { recursive: true })
    failingDisk.watch(spoolFolder, { at: rename, code: 'EBUSY', times: 4 })
    expect(await spool()).toMatchObject({ ok: true })
    expect(failingDisk.steps.filter((step) => step === 'rename')).toHaveLength(5)
    expect(files()).toEqual([sha256])
  })
})
