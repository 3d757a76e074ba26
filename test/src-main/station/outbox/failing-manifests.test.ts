import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openManifestKeeper } from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { manifestsFolderIn } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { systemClock } from '../../../../src-main/station/ports.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { addWaiting, openTestOutbox } from '../../../tools/outbox-with.ts'
import { failingDisk } from '../failing-disk.ts'
import {
  manifestIn,
  manifestPath,
  openWithManifests,
  type OutboxWithManifests,
  THERE,
} from './manifests-with.ts'

vi.mock('node:fs/promises', async (importOriginal) => {
  const disk = await import('../failing-disk.ts')
  return disk.failingDisk.over(await importOriginal<object>())
})

/** Announces an attempt on a disk that is full until `ballast` was options up. */
async function announceOnFullDisk(ballast: number, code = 'ENOSPC') {
  const test = openTestOutbox()
  const id = addWaiting(test)
  const folder = manifestsFolderIn(test.folder)
  let left = ballast
  let options = 0
  const keeper = openManifestKeeper({
    outbox: test.outbox,
    folder,
    clock: systemClock,
    logger: createRecordingLogger(),
    giveUpSpace: () => {
      if (left === 0) return false
      left -= 1
      options += 1
      failingDisk.watch(null)
      return true
    },
  })
  await expect.poll(() => test.outbox.dueManifests(1)).toEqual([])
  failingDisk.watch(folder, { at: 1, code, times: 1_000 })
  const announcement = await keeper.announce(id, THERE)
  failingDisk.watch(null)
  await keeper.close()
  return { announcement, options, announced: () => manifestIn(test.folder, id)?.announced }
}

describe('an attempt on a disk that is full', () => {
  it('begins where space is options up for its manifest', async () => {
    const done = await announceOnFullDisk(1)
    expect(done.announcement).toEqual({ kind: 'announced' })
    expect(done.options).toBe(1)
  })

  it('does not begin if there is no space to give up, and says that the disk is full', async () => {
    const done = await announceOnFullDisk(0)
    expect(done.announcement).toMatchObject({ kind: 'failed', failure: { kind: 'diskLow' } })
  })

  it('takes no space for what another fault of the disk is', async () => {
    const done = await announceOnFullDisk(1, 'EIO')
    expect(done.announcement).toMatchObject({ kind: 'failed', failure: { kind: 'storage' } })
    expect(done.options).toBe(0)
  })
})

/** If a file stands no folder can be made. */
function blockFolder(test: OutboxWithManifests, id: string): string {
  const path = join(manifestsFolderIn(test.folder), id.slice(0, 2))
  mkdirSync(manifestsFolderIn(test.folder), { recursive: true })
  writeFileSync(path, 'no folder')
  return path
}

/** Of these the first whose folder no other one shares. */
function lonely(ids: readonly string[]): string {
  const found = ids.find((id) => ids.filter((other) => other.slice(0, 2) === id.slice(0, 2)).length === 1)
  if (found === undefined) throw new Error('all share their folders')
  return found
}

it('a manifest that cannot be written keeps no other from being written, and is notified until it can', async () => {
  const test = await openWithManifests()
  const ids = Array.from({ length: 40 }, () => addWaiting(test))
  const bad = lonely(ids)
  const inTheWay = blockFolder(test, bad)
  for (const id of ids.filter((one) => one !== bad))
    await expect.poll(() => existsSync(manifestPath(test.folder, id)), { timeout: 5_000 }).toBe(true)
  // A manifest is there a moment before its row says so.
  await expect.poll(() => test.outbox.dueManifests(100)).toEqual([bad])
  await expect.poll(() => test.keeper.trouble()).toMatchObject({ kind: 'storage' })
  // Another one that goes well does not end the trouble.
  expect(await test.keeper.announce(ids.at(-1) ?? '', THERE)).toEqual({ kind: 'announced' })
  expect(test.keeper.trouble()).toMatchObject({ kind: 'storage' })
  rmSync(inTheWay)
  test.keeper.wake()
  await expect.poll(() => test.outbox.dueManifests(100), { timeout: 5_000 }).toEqual([])
  await expect.poll(() => test.keeper.trouble()).toBeNull()
})

it('the end of the station writes all others, too, and ends', async () => {
  const test = await openWithManifests()
  const ids = Array.from({ length: 40 }, () => addWaiting(test))
  const bad = lonely(ids)
  blockFolder(test, bad)
  await test.keeper.close()
  // A manifest is there a moment before its row says so.
  await expect.poll(() => test.outbox.dueManifests(100)).toEqual([bad])
})
