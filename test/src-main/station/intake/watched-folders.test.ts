import { describe, expect, it } from 'vitest'
import type { SettledFile, WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { type FoldersScene, foldersWith, healthOf, mark, noon, settings } from './folders-with.ts'

const swept = (folderPath: string): WatchEvent => ({
  kind: 'swept',
  folderPath,
  at: 5,
  fileCount: 1,
  otherCount: 0,
})
describe('a change of the folders', () => {
  it('opens what is new, closes what is gone, and leaves the others alone', async () => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a'), settings('/b')])
    expect(scene.done.splice(0)).toEqual(['open /a', 'open /b'])
    await scene.folders.watch([settings('/c'), settings('/b', { profile: 'other', quietSeconds: 7 })])
    expect(scene.done.splice(0)).toEqual(['close /a', 'open /c'])
    expect(scene.folders.status().map(({ path }) => path)).toEqual(['/c', '/b'])
    await scene.folders.watch([settings('/b', { settleSeconds: 1 }), settings('/c')])
    expect(scene.done.splice(0)).toEqual(['close /b', 'open /b'])
  })

  it('pauses a folder and resumes it, while the others go on', async () => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a'), settings('/b')])
    scene.done.splice(0)
    await scene.folders.watch([settings('/a', { watching: 'paused' }), settings('/b')])
    expect(scene.done.splice(0)).toEqual(['close /a'])
    expect(healthOf(scene)).toEqual(['paused', 'starting'])
    scene.folders.sweepNow()
    expect(scene.done.splice(0)).toEqual(['sweep /b'])
    // What was on its way is not taken in any more.
    scene.tell('/a', { kind: 'settled', file: { ...mark('/a', 'late.jpg', 1), content: 'image/jpeg' } })
    expect(scene.settled).toEqual([])
    await scene.folders.watch([settings('/a'), settings('/b')])
    expect(scene.done).toEqual(['open /a'])
  })

  it('that names a folder twice watches it once', async () => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a'), settings('/a')])
    expect(scene.done).toEqual(['open /a'])
  })

  it('waits for no share that hangs, and the share can be taken out again', async () => {
    const scene = foldersWith('ask')
    scene.lying = { '/hangs': 'hanging' }
    const watching = scene.folders.watch([settings('/hangs'), settings('/a')])
    await scene.clock.turn(2_000)
    await watching
    expect(scene.done.splice(0)).toEqual(['open /a'])
    await scene.folders.watch([settings('/a')])
    expect(scene.folders.status().map(({ path }) => path)).toEqual(['/a'])
    expect(scene.done).toEqual([])
  })

  it('says who is kept off a folder by whose lease', async () => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a'), settings('/b', { lease: 'off' })])
    expect(scene.opened.map(({ lease }) => lease)).toEqual([{ stationId: 's1', hostName: 'room-1' }, null])
    expect(scene.folders.status().map(({ guard }) => guard)).toEqual(['unguarded', 'off'])
  })
})

describe('a folder that another station has', () => {
  it('is told as taken, with the computer that has it, until it is let go', async () => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a')])
    scene.tell('/a', { kind: 'guard', folderPath: '/a', guard: 'taken', hostName: 'room-2' })
    expect(scene.folders.status()).toMatchObject([
      {
        health: 'taken',
        guard: 'taken',
        failure: { message: expect.stringMatching(/computer room-2 watches this folder/) },
      },
    ])
    scene.tell('/a', { kind: 'guard', folderPath: '/a', guard: 'guarded', hostName: null })
    expect(scene.folders.status()).toMatchObject([{ health: 'starting', guard: 'guarded', failure: null }])
    scene.tell('/a', swept('/a'))
    expect(healthOf(scene)).toEqual(['watching'])
  })
})

describe('a file that waits to be taken in', () => {
  const file: SettledFile = { ...mark('/a', '1.jpg', 1), content: 'image/jpeg' }
  it.each([
    [
      'is paused',
      async (scene: FoldersScene) => scene.folders.watch([settings('/a', { watching: 'paused' })]),
    ],
    ['is taken out', async (scene: FoldersScene) => scene.folders.watch([])],
    [
      'is another station’s',
      async (scene: FoldersScene) =>
        scene.tell('/a', { kind: 'guard', folderPath: '/a', guard: 'taken', hostName: null }),
    ],
  ])('is left where its folder %s meanwhile', async (_what, change) => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a')])
    scene.tell('/a', { kind: 'settled', file })
    await change(scene)
    scene.finish()
    expect(scene.done).toContain('leave 1.jpg')
  })
})

describe('a folder that goes away', () => {
  it('is told with since when, and is well again by itself', async () => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a')])
    scene.tell('/a', swept('/a'))
    await scene.clock.turn(60_000)
    const wentAt = scene.clock.now()
    scene.tell('/a', {
      kind: 'unreachable',
      folderPath: '/a',
      at: wentAt,
      reason: { key: 'intake:watch.unreachable.failing' },
    })
    await scene.clock.turn(60_000)
    scene.tell('/a', {
      kind: 'unreachable',
      folderPath: '/a',
      at: wentAt,
      reason: { key: 'intake:watch.unreachable.driveGone' },
    })
    expect(scene.folders.status()).toMatchObject([
      {
        health: 'unreachable',
        since: wentAt,
        failure: { message: expect.stringMatching(/not there any more/) },
      },
    ])
    scene.tell('/a', swept('/a'))
    expect(scene.folders.status()).toMatchObject([
      { health: 'watching', since: scene.clock.now(), failure: null },
    ])
  })

  it('before it was ever listed is asked for again, and its old files do not pass for new ones', async () => {
    const scene = foldersWith('ask')
    scene.lying = { '/a': 'away' }
    await scene.folders.watch([settings('/a', { existing: 'ignore' })])
    expect(healthOf(scene)).toEqual(['unreachable'])
    scene.lying = { '/a': { 'old.jpg': noon('2026-01-01') } }
    await scene.clock.turn(15_000)
    expect(scene.done).toEqual(['open /a'])
    expect(scene.test.outbox.files.knownAs(mark('/a', 'old.jpg', noon('2026-01-01')))).toBe('known')
  })
})

describe('a note that a file cannot be read', () => {
  it('ends when the file was exported again under its name, and stays when it was made by that', async () => {
    const scene = foldersWith('include')
    await scene.folders.watch([settings('/a')])
    const file: SettledFile = { ...mark('/a', '1.jpg', 1), content: 'image/jpeg' }
    const note = { fileName: '1.jpg', kind: 'unreadable', message: 'Damaged.', at: 1 } as const
    scene.tell('/a', { kind: 'noted', folderPath: '/a', note })
    scene.tell('/a', { kind: 'noted', folderPath: '/a', note: { ...note, fileName: '2.jpg' } })
    scene.tell('/a', { kind: 'settled', file })
    scene.finish()
    const names = (): string[] => (scene.folders.status()[0]?.notes ?? []).map(({ fileName }) => fileName)
    expect(names()).toEqual(['2.jpg'])
    scene.tell('/a', { kind: 'settled', file })
    const at = scene.clock.now()
    scene.tell('/a', { kind: 'noted', folderPath: '/a', note: { ...note, at } })
    scene.finish()
    expect(names()).toEqual(['1.jpg', '2.jpg'])
  })
})
