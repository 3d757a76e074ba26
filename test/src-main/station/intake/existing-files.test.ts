import { describe, expect, it } from 'vitest'
import {
  existingDecisionOf,
  includeFromMs,
  startOfDayMs,
} from '../../../../src-main/station/intake/watched-folders.ts'
import { type FoldersScene, foldersWith, healthOf, mark, noon, settings } from './folders-with.ts'

const DAY_MS = 86_400_000

describe('files that lay there before', () => {
  const lying = {
    'a.jpg': noon('2026-10-30'),
    'b.jpg': noon('2026-11-01'),
    'c.jpg': noon('2026-11-20'),
  }
  const taken = (scene: FoldersScene): string[] =>
    Object.entries(lying)
      .filter(([name, mtimeMs]) => scene.test.outbox.files.knownAs(mark('/a', name, mtimeMs)) === 'new')
      .map(([name]) => name)

  it.each([
    [{ existing: 'include' }, ['a.jpg', 'b.jpg', 'c.jpg']],
    [{ existing: 'ignore' }, []],
    [{ existing: 'since', existingSince: '2026-11-01' }, ['b.jpg', 'c.jpg']],
    [{ existing: 'since', existingSince: '2026-11-02' }, ['c.jpg']],
    // Without a day nobody knows, so a person is asked.
    [{ existing: 'since' }, []],
    [{ existing: 'ask' }, []],
  ] as const)('with the settings %j leave %j to be taken', async (given, left) => {
    const scene = foldersWith()
    scene.lying = { '/a': lying }
    await scene.folders.watch([settings('/a', given)])
    expect(taken(scene)).toEqual(left)
  })

  it('are counted before anything is decided, all of them and those since a day', async () => {
    const scene = foldersWith()
    scene.lying = { '/a': lying }
    await scene.folders.watch([settings('/a')])
    expect(scene.folders.status()).toMatchObject([{ health: 'asking', existingCount: 3 }])
    expect(scene.folders.countExisting('/a', '2026-11-01')).toEqual({
      count: 3,
      sinceCount: 2,
      oldestAt: lying['a.jpg'],
      newestAt: lying['c.jpg'],
    })
    expect(scene.folders.countExisting('/a', undefined)).toMatchObject({ count: 3, sinceCount: null })
    expect(scene.folders.countExisting('/elsewhere', undefined)).toBeNull()
  })

  it.each([
    [{ kind: 'since', since: '2026-11-01' }, ['b.jpg', 'c.jpg'], 1],
    [{ kind: 'include' }, ['a.jpg', 'b.jpg', 'c.jpg'], 1],
    [{ kind: 'ignore' }, [], 0],
  ] as const)(
    'after the decision %j leave %j to be taken, and no other folder is disturbed',
    async (decision, left, opens) => {
      const scene = foldersWith()
      scene.lying = { '/a': lying }
      await scene.folders.watch([settings('/a'), settings('/b', { existing: 'include' })])
      scene.done.splice(0)
      expect(await scene.folders.decideExisting('/a', decision)).toBe(true)
      expect(taken(scene)).toEqual(left)
      expect(scene.done.filter((one) => one === 'open /a')).toHaveLength(opens)
      expect(scene.done.filter((one) => one.endsWith('/b'))).toEqual([])
      expect(scene.folders.status()).toMatchObject([{ health: 'starting', existingCount: 0 }, {}])
    },
  )

  it('are decided by settings that come after the question', async () => {
    const scene = foldersWith()
    scene.lying = { '/a': lying }
    await scene.folders.watch([settings('/a')])
    await scene.folders.watch([settings('/a', { existing: 'since', existingSince: '2026-11-02' })])
    expect(healthOf(scene)).toEqual(['starting'])
    expect(taken(scene)).toEqual(['c.jpg'])
    // The watcher knows them as dealt with; a new one asks again.
    expect(scene.done).toEqual(['open /a', 'close /a', 'open /a'])
  })

  it('are asked about once: a later start takes what came meanwhile', async () => {
    const first = foldersWith()
    first.lying = { '/a': lying }
    await first.folders.watch([settings('/a')])
    await first.folders.decideExisting('/a', { kind: 'ignore' })
    await first.folders.close()
    const second = foldersWith('ask', first.test)
    second.lying = { '/a': { ...lying, 'new.jpg': noon('2026-11-20') + DAY_MS } }
    await second.folders.watch([settings('/a')])
    expect(healthOf(second)).toEqual(['starting'])
    expect(first.test.outbox.files.knownAs(mark('/a', 'new.jpg', noon('2026-11-20') + DAY_MS))).toBe('new')
  })
})

describe('a day', () => {
  it('begins at midnight on the calendar of this computer', () => {
    const day = new Date(startOfDayMs('2026-03-29'))
    expect([day.getFullYear(), day.getMonth(), day.getDate(), day.getHours()]).toEqual([2026, 2, 29, 0])
    expect(new Date(startOfDayMs('2026-03-29') - 1).getDate()).toBe(28)
  })

  it('that is missing is asked for', () => {
    expect(existingDecisionOf({ existing: 'since' }, 'include')).toEqual({ kind: 'ask' })
    expect(includeFromMs(existingDecisionOf({ existing: undefined }, 'include'))).toBe(-Infinity)
    expect(includeFromMs(existingDecisionOf({}, 'ask'))).toBe(Infinity)
  })
})
