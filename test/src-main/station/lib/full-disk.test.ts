import { copyFileSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StorageError, type StorageState } from '../../../../src-main/station/lib/storage-faults.ts'
import { askFreeBytes } from '../../../../src-main/station/lib/files.ts'
import { openOutbox, type OpenOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import {
  createBallast,
  isOutOfSpace,
  openWithSpace,
  type SpaceReserve,
} from '../../../../src-main/station/storage/disk.ts'
import { MORNING, newSubmission } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { mountedFolder, whyNoMounts } from '../../reader/folder/mounted-folder.ts'

const MEBIBYTE = 1_024 * 1_024
const noMounts = whyNoMounts()
const onRealDisk = describe.skipIf(noMounts !== null)
const where = noMounts === null ? '' : ` (not tried: ${noMounts})`

const reserveOf = (folder: string, giveUp: () => boolean): SpaceReserve => ({
  giveUp,
  askFree: () => askFreeBytes(folder),
})

/** A disk of 16 MB of its own. */
function smallDisk(): string {
  const mounted = mountedFolder()
  onTestFinished(() => mounted.end())
  mounted.appear()
  return mounted.path
}

/** Takes every byte that is left. */
function fill(folder: string): void {
  for (const [index, size] of [MEBIBYTE, 65_536, 4_096, 512].entries())
    for (let count = 0; ; count += 1) {
      const path = join(folder, `filler-${index}-${count}`)
      try {
        writeFileSync(path, Buffer.alloc(size, 1))
      } catch {
        break
      }
    }
}

/** A data folder as a power cut leaves it: with writes in its log that the database itself does not have yet. */
function cutOff(folder: string): string {
  const data = temporaryFolder()
  const opened = openOutbox(data)
  const id = opened.outbox.createSubmission(newSubmission())
  opened.outbox.moveSubmission(id, 'gatheredForReview', {}, { at: MORNING })
  for (const name of readdirSync(data).filter((one) => statSync(join(data, one)).isFile()))
    copyFileSync(join(data, name), join(folder, name))
  opened.close()
  return id
}

/** Frees this much: whole fillers of a mebibyte, and a part of the last one. */
function freeUp(folder: string, bytes: number): void {
  for (let [left, index] = [bytes, 0]; left > 0; index += 1) {
    const freed = Math.min(left, MEBIBYTE)
    truncateSync(join(folder, `filler-0-${index}`), MEBIBYTE - freed)
    left -= freed
  }
}

onRealDisk(`on a disk that is full to its last byte${where}`, () => {
  it('an outbox opens by what the ballast gives up', async () => {
    const folder = smallDisk()
    const id = cutOff(folder)
    const ballast = createBallast(folder)
    expect(await ballast.make(2 * MEBIBYTE)).toBe(true)
    fill(folder)
    expect(() => openOutbox(folder)).toThrow()
    const reserve = reserveOf(folder, () => ballast.giveUp())
    const opened = await openWithSpace(() => openOutbox(folder), reserve)
    expect(opened.outbox.rowOf(id)?.state).toBe('review')
    opened.outbox.moveSubmission(id, 'approved', {}, { at: MORNING })
    opened.close()
  })

  it('an outbox without a ballast says so, and opens unharmed when there is space', async () => {
    const folder = smallDisk()
    const id = cutOff(folder)
    fill(folder)
    const reserve = reserveOf(folder, () => false)
    const open = (): Promise<OpenOutbox> => openWithSpace(() => openOutbox(folder), reserve)
    await expect(open()).rejects.toThrow(/is full/)
    freeUp(folder, 512 * 1_024)
    const opened = await open()
    expect(opened.outbox.rowOf(id)?.state).toBe('review')
    opened.close()
  })

  it('is detected by a probe, which leaves nothing behind', () => {
    const folder = smallDisk()
    expect(isOutOfSpace(folder)).toBe(false)
    fill(folder)
    const names = readdirSync(folder)
    expect([isOutOfSpace(folder), readdirSync(folder)]).toEqual([true, names])
    expect(isOutOfSpace('/nowhere/at/all')).toBe(false)
  })

  it('decisions are stored in what the ballast gives up, and without one nothing is half done', async () => {
    const folder = smallDisk()
    const ballast = createBallast(folder)
    await ballast.make(2 * MEBIBYTE)
    const states: StorageState[] = []
    const opened = openOutbox(folder, {
      isOutOfSpace: () => isOutOfSpace(folder),
      giveUpSpace: () => ballast.giveUp(),
      onState: (state) => void states.push(state),
      onFollowingFailed: (error) => {
        throw error
      },
    })
    onTestFinished(() => opened.close())
    const { outbox } = opened
    const ids = Array.from({ length: 20 }, () => outbox.createSubmission(newSubmission()))
    fill(folder)
    for (const id of ids) outbox.moveSubmission(id, 'gatheredForReview', {}, { at: MORNING })
    // Until nothing is left to give up.
    const large = newSubmission({ fields: { other_relevant_info: 'x'.repeat(200_000) } })
    let error: unknown = null
    let count = ids.length
    for (; error === null; count += 1)
      try {
        outbox.createSubmission(large)
      } catch (caught) {
        error = caught
      }
    expect(error).toMatchObject({ code: 'SQLITE_FULL' })
    expect([ballast.sizeBytes(), states]).toEqual([0, ['full']])
    expect(outbox.listSubmissions({ limit: 200 }).total).toBe(count - 1)
    // The next commit moves what the log holds into the database, which grows first; the log shrinks after that.
    freeUp(folder, 3 * MEBIBYTE)
    expect(outbox.tryWrite(MORNING)).toBe(true)
    outbox.moveSubmission(ids[0] ?? '', 'approved', {}, { at: MORNING })
    expect(states).toEqual(['full', 'well'])
  })

  it('a ballast is not made, and leaves nothing behind', async () => {
    const folder = smallDisk()
    const ballast = createBallast(folder)
    expect(await ballast.make(64 * MEBIBYTE)).toBe(false)
    expect([ballast.sizeBytes(), ballast.giveUp()]).toEqual([0, false])
    expect(existsSync(join(folder, 'ballast'))).toBe(false)
    expect(await askFreeBytes(folder)).toBeGreaterThan(15 * MEBIBYTE)
  })
})

describe('a ballast', () => {
  it('really takes the space it says, and gives it up', async () => {
    const folder = temporaryFolder()
    const ballast = createBallast(folder)
    expect(await ballast.make(3 * MEBIBYTE + 5)).toBe(true)
    const { size, blocks, mode } = statSync(join(folder, 'ballast'))
    expect([size, mode & 0o077]).toEqual([3 * MEBIBYTE + 5, 0])
    expect(blocks * 512).toBeGreaterThanOrEqual(3 * MEBIBYTE)
    expect([ballast.giveUp(), ballast.giveUp(), ballast.sizeBytes()]).toEqual([true, false, 0])
  })

  it('follows its setting to another size, and to none', async () => {
    const folder = temporaryFolder()
    const ballast = createBallast(folder)
    for (const bytes of [MEBIBYTE, 2 * MEBIBYTE, 10, 0]) {
      expect(await ballast.make(bytes)).toBe(true)
      expect(ballast.sizeBytes()).toBe(bytes)
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('is given up also while it is being made', async () => {
    const folder = temporaryFolder()
    const ballast = createBallast(folder)
    const making = ballast.make(64 * MEBIBYTE)
    while (ballast.sizeBytes() === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(ballast.giveUp()).toBe(true)
    expect(await making).toBe(false)
    expect(existsSync(join(folder, 'ballast'))).toBe(false)
    rmSync(folder, { recursive: true })
  })
})

describe('what is opened', () => {
  const enough = { giveUp: () => true, askFree: () => Promise.resolve(10 ** 12) }

  it('is opened once more, and not for ever', async () => {
    const open = vi.fn((): never => {
      throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
    })
    await expect(openWithSpace(open, enough)).rejects.toThrow('full')
    expect(open).toHaveBeenCalledTimes(2)
  })

  it('is opened once more if the error does not say why, and the disk does', async () => {
    let tries = 0
    const open = (): string => {
      tries += 1
      if (tries === 1) throw new StorageError('From another thread.')
      return 'opened'
    }
    await expect(openWithSpace(open, enough)).rejects.toThrow('From another thread.')
    tries = 0
    const nothing = { ...enough, askFree: () => Promise.resolve(4_096) }
    expect(await openWithSpace(open, nothing)).toBe('opened')
  })
})
