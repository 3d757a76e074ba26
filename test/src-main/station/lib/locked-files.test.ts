import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  isFileLocked,
  removeBestEffort,
  retryWhileLocked,
  writeDurably,
} from '../../../../src-main/station/lib/files.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { failingDisk } from '../failing-disk.ts'

vi.mock('node:fs/promises', async (importOriginal) => {
  const disk = await import('../failing-disk.ts')
  return disk.failingDisk.over(await importOriginal<object>())
})

const failing = (code: string): Error => Object.assign(new Error(code), { code })

describe('an error that may pass', () => {
  it.each([
    ['EBUSY', 'win32', true],
    ['EPERM', 'win32', true],
    ['EACCES', 'win32', true],
    ['ENOSPC', 'win32', false],
    ['EBUSY', 'linux', true],
    // A missing permission: there is no scanner to wait for.
    ['EPERM', 'linux', false],
    ['EACCES', 'darwin', false],
  ] as const)('%s on %s: %s', (code, platform, expected) => {
    expect(isFileLocked(failing(code), platform)).toBe(expected)
  })

  it('is waited for with growing pauses and for a bounded time', async () => {
    const act = vi.fn(() => Promise.reject(failing('EPERM')))
    await expect(retryWhileLocked(act, { forMs: 200, platform: 'win32' })).rejects.toThrow('EPERM')
    // At most 10 + 20 + 40 + 80 ms.
    expect(act.mock.calls.length).toBeGreaterThan(1)
    expect(act.mock.calls.length).toBeLessThanOrEqual(5)
  })

  it('is not waited for if it is something else', async () => {
    const act = vi.fn(() => Promise.reject(failing('ENOSPC')))
    await expect(retryWhileLocked(act)).rejects.toThrow('ENOSPC')
    expect(act).toHaveBeenCalledTimes(1)
  })
})

describe('a file of ours that is held for a moment', () => {
  it('is written, whichever step finds it held', async () => {
    const steps = new Set<string>()
    for (let at = 1; ; at += 1) {
      const folder = join(temporaryFolder(), 'data')
      mkdirSync(folder)
      failingDisk.watch(folder, { at, code: 'EBUSY', times: 2 })
      const [{ status }] = await Promise.allSettled([writeDurably(join(folder, 'settings.json'), 'x')])
      const isOver = !failingDisk.hasFailed()
      const step = failingDisk.steps[at - 1] ?? ''
      failingDisk.watch(null)
      if (isOver) break
      if (status === 'fulfilled') steps.add(step)
    }
    expect([...steps]).toEqual(expect.arrayContaining(['open', 'rename']))
  })

  it('is removed once it is free, and left otherwise', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'old.tmp')
    writeFileSync(path, 'x')
    failingDisk.watch(folder, { at: 1, code: 'EBUSY', times: 2 })
    await removeBestEffort(path)
    expect(existsSync(path)).toBe(false)
    writeFileSync(path, 'x')
    failingDisk.watch(folder, { at: 1, code: 'EBUSY', times: Infinity })
    await removeBestEffort(path)
    failingDisk.watch(null)
    expect(existsSync(path)).toBe(true)
  })
})
