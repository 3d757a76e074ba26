import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { manifestsFolderIn } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { addWaiting } from '../../../tools/outbox-with.ts'
import { type OutboxWithManifests, manifestPath, openWithManifests, THERE } from './manifests-with.ts'

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
  await expect.poll(() => test.outbox.manifests.due(100)).toEqual([bad])
  await expect.poll(() => test.keeper.trouble()).toMatchObject({ kind: 'storage' })
  // Another one that goes well does not end the trouble.
  expect(await test.keeper.announce(ids.at(-1) ?? '', THERE)).toEqual({ kind: 'announced' })
  expect(test.keeper.trouble()).toMatchObject({ kind: 'storage' })
  rmSync(inTheWay)
  test.keeper.wake()
  await expect.poll(() => test.outbox.manifests.due(100), { timeout: 5_000 }).toEqual([])
  await expect.poll(() => test.keeper.trouble()).toBeNull()
})

it('the end of the station writes all others, too, and ends', async () => {
  const test = await openWithManifests()
  const ids = Array.from({ length: 40 }, () => addWaiting(test))
  const bad = lonely(ids)
  blockFolder(test, bad)
  await test.keeper.close()
  // A manifest is there a moment before its row says so.
  await expect.poll(() => test.outbox.manifests.due(100)).toEqual([bad])
})
