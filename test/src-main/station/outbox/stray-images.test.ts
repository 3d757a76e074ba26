import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recoverOutbox } from '../../../../src-main/station/outbox/recovery/recover.ts'
import { addWaiting, MORNING, someBytes } from '../../../tools/outbox-with.ts'
import { cutOff, manifestIn, manifestPath, openWithManifests } from './manifests-with.ts'

it('an image that was moved stays known where only the manifest of the case that lost it was written', async () => {
  const test = await openWithManifests()
  const from = addWaiting(test, {
    images: [
      { bytes: someBytes(), eye: 'left' },
      { bytes: someBytes(), eye: 'right' },
    ],
  })
  const to = addWaiting(test)
  await expect.poll(() => test.outbox.manifests.due(1)).toEqual([])
  const before = cutOff(test.folder)
  const [moved] = test.outbox.images.rows(from)
  test.outbox.images.move([moved?.id ?? ''], to)
  await expect.poll(() => test.outbox.manifests.due(1)).toEqual([])
  expect(manifestIn(test.folder, from)?.images).toHaveLength(1)

  // The backup and the manifest of the other case are of before, as if a kill came between two manifests.
  const lost = cutOff(test.folder)
  cpSync(manifestPath(before, to), manifestPath(lost, to))
  mkdirSync(join(lost, 'backups'))
  await (await openWithManifests(before)).end()
  cpSync(join(before, 'outbox.sqlite'), join(lost, 'backups', 'outbox-2026-11-20.sqlite'))
  for (const part of ['', '-wal', '.seal'])
    if (existsSync(join(lost, `outbox.sqlite${part}`))) rmSync(join(lost, `outbox.sqlite${part}`))
  await recoverOutbox(lost, MORNING)

  const again = await openWithManifests(lost)
  const row = [from, to].flatMap((id) => again.outbox.images.rows(id)).find(({ id }) => id === moved?.id)
  expect(row).toMatchObject({ submission_id: from, sha256: moved?.sha256 })
  expect(row?.excluded_because).toContain('Belonged to another case')
  // The file of the camera makes no second case.
  expect(again.outbox.images.holderOf(moved?.sha256 ?? '')).toMatchObject({ submissionId: from })
  expect(again.outbox.alarms.listOpen()).toContainEqual(
    expect.objectContaining({
      submissionId: from,
      message: expect.stringContaining('Look where they belong') as string,
    }),
  )
})
