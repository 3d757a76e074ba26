/** Manifests that the disk does not give: a folder with the name of one, and a link that leads to itself. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestsFolderIn, readManifest } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { recoverOutbox } from '../../../../src-main/station/outbox/recovery/recover.ts'
import {
  addWaiting,
  endAttempt,
  startAttempt,
  MORNING,
  SERVICE,
  stateOf,
} from '../../../tools/outbox-with.ts'
import {
  cutOff,
  type OutboxWithManifests,
  manifestIn,
  manifestPath,
  openWithManifests,
} from './manifests-with.ts'

const THERE = { ...SERVICE, centerId: null }

function makeUnreadable(folder: string, id: string): void {
  rmSync(manifestPath(folder, id))
  mkdirSync(manifestPath(folder, id))
}

/** What a kill leaves of a station with some cases, of which all have manifests. */
async function killed(
  add: (test: OutboxWithManifests) => readonly string[],
): Promise<readonly [string, readonly string[]]> {
  const test = await openWithManifests()
  const ids = add(test)
  await expect.poll(() => test.outbox.manifests.due(1)).toEqual([])
  return [cutOff(test.folder), ids]
}

describe('after a crash, a manifest that cannot be read', () => {
  it('is no "knows no more": its one case is in doubt, the others wait, and the station starts', async () => {
    const [folder, [unread = '', other = '']] = await killed((test) => [addWaiting(test), addWaiting(test)])
    makeUnreadable(folder, unread)
    const again = await openWithManifests(folder)
    expect(stateOf(again, unread)).toBe('unconfirmed')
    expect(stateOf(again, other)).toBe('waiting')
    expect(again.outbox.alarms.listOpen()).toMatchObject([{ kind: 'outboxRestored', submissionId: unread }])
    expect(again.logger.errors()).toContain('a manifest cannot be read')
    expect(again.outbox.facts.read('restored')).toBe('')
    // It is kept under another name, and one that shows of the doubt is in its place.
    await expect.poll(() => existsSync(`${manifestPath(folder, unread)}.unreadable`)).toBe(true)
    await expect.poll(() => manifestIn(folder, unread)?.submission.state).toBe('unconfirmed')
  })

  it('of what is sent or in doubt already changes nothing', async () => {
    const [folder, [sent = '', unconfirmed = '']] = await killed((test) => {
      const ids = [addWaiting(test), addWaiting(test)]
      for (const id of ids) {
        startAttempt(test, id)
        endAttempt(test, id, id === ids[0] ? 'delivered' : 'unknown')
      }
      return ids
    })
    for (const id of [sent, unconfirmed]) makeUnreadable(folder, id)
    const again = await openWithManifests(folder)
    expect(stateOf(again, sent)).toBe('sent')
    expect(stateOf(again, unconfirmed)).toBe('unconfirmed')
    expect(again.outbox.attempts.of(unconfirmed)).toHaveLength(1)
    expect(again.outbox.alarms.listOpen()).toEqual([])
  })

  it('with all others in one folder lets the station start, too', async () => {
    const [folder, [unread = '']] = await killed((test) => [addWaiting(test)])
    const beside = join(manifestsFolderIn(folder), unread.slice(0, 2))
    renameSync(beside, `${beside}-moved`)
    symlinkSync(beside, beside)
    const again = await openWithManifests(folder)
    expect(stateOf(again, unread)).toBe('unconfirmed')
    expect(again.logger.errors()).toContain('a folder of manifests cannot be read')
  })
})

it('a recovery shows of manifests that it could not read, and leaves them where they are', async () => {
  const [folder, [unread = '', other = '']] = await killed((test) => [addWaiting(test), addWaiting(test)])
  makeUnreadable(folder, unread)
  rmSync(join(folder, 'outbox.sqlite'))
  const sentences = (await recoverOutbox(folder, MORNING)).map(({ message }) => message).join('\n')
  expect(sentences).toContain('1 note beside the images could not be read')
  expect((await readManifest(manifestsFolderIn(folder), unread)).kind).toBe('unreadable')
  expect(stateOf(await openWithManifests(folder), other)).toBe('unconfirmed')
})

it('an attempt does not begin beside a manifest that cannot be read: its case is in doubt first', async () => {
  const test = await openWithManifests()
  const id = addWaiting(test)
  await test.end()
  makeUnreadable(test.folder, id)
  const again = await openWithManifests(test.folder)
  expect(await again.keeper.announce(id, THERE)).toEqual({ kind: 'notWaiting' })
  expect(stateOf(again, id)).toBe('unconfirmed')
})
