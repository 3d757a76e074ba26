import { existsSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { knowsMore, manifestsFolderIn } from '../../../../../src-main/station/outbox/recovery/manifests.ts'
import { addWaiting, startAttempt, MORNING, SERVICE, stateOf } from '../../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'
import { cutOff, manifestIn, manifestPath, openWithManifests, withOneCase, THERE } from '../manifests-with.ts'

describe('the manifest of a submission', () => {
  it('shows all of it, soon after each change and without being asked', async () => {
    const { test, id } = await withOneCase()
    await expect.poll(() => existsSync(manifestPath(test.folder, id))).toBe(true)
    const [image] = test.outbox.imageRowsOf(id)
    // No one is notified of this change; the outbox itself knows.
    test.outbox.setEye(image?.id ?? '', { eye: 'left', source: 'person', statements: null })
    startAttempt(test, id, 'c-1')
    await expect.poll(() => manifestIn(test.folder, id)?.attempts.length).toBe(1)
    expect(manifestIn(test.folder, id)).toMatchObject({
      submission: {
        id,
        state: 'sending',
        attempts: 1,
        reference: test.outbox.rowOf(id)?.reference,
      },
      images: [{ id: image?.id, eye: 'left', sha256: image?.sha256, spool_name: image?.spool_name }],
      attempts: [{ number: 1, base_url: SERVICE.baseUrl, center_id: 'c-1', outcome: null }],
    })
    await expect.poll(() => test.outbox.dueManifests(10)).toEqual([])
  })

  it('is written once for a burst of changes', async () => {
    const { test, id } = await withOneCase()
    await expect.poll(() => existsSync(manifestPath(test.folder, id))).toBe(true)
    const inodes = new Set<number>()
    const begunAt = performance.now()
    const watching = setInterval(() => inodes.add(statSync(manifestPath(test.folder, id)).ino), 5)
    for (let count = 0; count < 30; count += 1) {
      test.outbox.setUrgent(id, MORNING + count)
      await sleep(5)
    }
    await expect.poll(() => manifestIn(test.folder, id)?.submission.changed_at).toBe(MORNING + 29)
    clearInterval(watching)
    // A busy machine stretches the burst: no more than one for each half second that it took.
    const halves = Math.ceil((performance.now() - begunAt) / 500)
    expect(inodes.size).toBeLessThanOrEqual(1 + halves)
    expect(inodes.size).toBeLessThan(30)
  })

  it('is written at the next start if a kill came first', async () => {
    const { test, id } = await withOneCase()
    const copy = cutOff(test.folder)
    rmSync(manifestsFolderIn(copy), { recursive: true, force: true })
    const again = await openWithManifests(copy)
    await expect.poll(() => existsSync(manifestPath(copy, id))).toBe(true)
    expect(stateOf(again, id)).toBe('waiting')
  })

  it('is written at the end of the station, also what changed just before', async () => {
    const { test, id } = await withOneCase()
    await test.end()
    expect(manifestIn(test.folder, id)?.submission.state).toBe('waiting')
  })
})

describe('an attempt', () => {
  it('is named by a manifest on the disk before it may begin', async () => {
    const { test, id } = await withOneCase()
    expect(await test.keeper.announce(id, THERE)).toEqual({ kind: 'announced' })
    expect(manifestIn(test.folder, id)?.announced).toMatchObject({
      number: 1,
      base_url: SERVICE.baseUrl,
      client_id: SERVICE.clientId,
    })
  })

  it('stays announced in whatever is written before it begins', async () => {
    const { test, id } = await withOneCase()
    await test.keeper.announce(id, THERE)
    test.outbox.setUrgent(id, MORNING + 1)
    await expect.poll(() => manifestIn(test.folder, id)?.submission['is_urgent']).toBe(1)
    expect(manifestIn(test.folder, id)?.announced?.number).toBe(1)
  })

  it('that was announced and never began is no false alarm after a kill', async () => {
    const { test, id } = await withOneCase()
    await test.keeper.announce(id, THERE)
    const again = await openWithManifests(cutOff(test.folder))
    expect(stateOf(again, id)).toBe('waiting')
    expect(await again.keeper.announce(id, THERE)).toEqual({ kind: 'announced' })
    expect(again.outbox.openAlarms()).toEqual([])
  })

  it('may not begin if the manifest cannot be written, and nothing is lost', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'spool'), { recursive: true })
    const test = await openWithManifests(folder)
    const id = addWaiting(test)
    rmSync(manifestsFolderIn(folder), { recursive: true, force: true })
    writeFileSync(manifestsFolderIn(folder), 'no folder')
    expect(await test.keeper.announce(id, THERE)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'storage' },
    })
    expect(test.keeper.trouble()).toMatchObject({ kind: 'storage' })
    expect(stateOf(test, id)).toBe('waiting')
    rmSync(manifestsFolderIn(folder))
    expect(await test.keeper.announce(id, THERE)).toEqual({ kind: 'announced' })
    expect(test.keeper.trouble()).toBeNull()
  })

  it.each([
    ['damaged', (path: string): void => writeFileSync(path, '{"digest":"0","manifest":{}}')],
    ['empty', (path: string): void => truncateSync(path)],
    ['missing', (path: string): void => rmSync(path)],
  ])('may begin if the manifest is %s: it is written again', async (_what, damage) => {
    const { test, id } = await withOneCase()
    await test.end()
    damage(manifestPath(test.folder, id))
    const again = await openWithManifests(test.folder)
    expect(await again.keeper.announce(id, THERE)).toEqual({ kind: 'announced' })
    expect(manifestIn(test.folder, id)?.announced?.number).toBe(1)
  })
})

const manifest = (revision: number, state: string, attempts: number): Parameters<typeof knowsMore>[0] =>
  ({ revision, submission: { state, attempts }, announced: null }) as Parameters<typeof knowsMore>[0]

it.each([
  ['the same', manifest(5, 'waiting', 1), { revision: 5, state: 'waiting', attempts: 1 }, false],
  ['an older manifest', manifest(4, 'waiting', 1), { revision: 5, state: 'waiting', attempts: 1 }, false],
  ['a later change', manifest(6, 'waiting', 1), { revision: 5, state: 'waiting', attempts: 1 }, true],
  ['one attempt more', manifest(4, 'waiting', 2), { revision: 5, state: 'waiting', attempts: 1 }, true],
  ['that it was sent', manifest(4, 'sent', 1), { revision: 5, state: 'waiting', attempts: 1 }, true],
  [
    'a doubt that was settled since',
    manifest(4, 'unconfirmed', 1),
    { revision: 5, state: 'waiting', attempts: 1 },
    false,
  ],
] as const)('knows more than its row, or not: %s', (_what, known, row, expected) => {
  expect(knowsMore(known, row)).toBe(expected)
})
