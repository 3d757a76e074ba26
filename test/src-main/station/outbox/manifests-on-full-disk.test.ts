import { describe, expect, it, vi } from 'vitest'
import { openManifestKeeper } from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { manifestsFolderIn } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { systemClock } from '../../../../src-main/station/ports.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { addWaiting, openTestOutbox, SERVICE } from '../../../tools/outbox-with.ts'
import { failingDisk } from '../failing-disk.ts'
import { manifestIn } from './manifests-with.ts'

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
  await expect.poll(() => test.outbox.manifests.due(1)).toEqual([])
  failingDisk.watch(folder, { at: 1, code, times: 1_000 })
  const announcement = await keeper.announce(id, { ...SERVICE, centerId: null })
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

  it('does not begin where there is no space to give up, and says that the disk is full', async () => {
    const done = await announceOnFullDisk(0)
    expect(done.announcement).toMatchObject({ kind: 'failed', failure: { kind: 'diskLow' } })
  })

  it('takes no space for what another fault of the disk is', async () => {
    const done = await announceOnFullDisk(1, 'EIO')
    expect(done.announcement).toMatchObject({ kind: 'failed', failure: { kind: 'storage' } })
    expect(done.options).toBe(0)
  })
})
