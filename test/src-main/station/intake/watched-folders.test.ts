/** Watched folders on a real outbox; what lies in them, and what the watchers tell, is played. */
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  existingDecisionOf,
  includeFromMs,
  startOfDayMs,
  WatchedFolders,
} from '../../../../src-main/station/intake/watched-folders.ts'
import type {
  FileMark,
  SettledFile,
  WatchedFolder,
  WatchEvent,
} from '../../../../src-main/station/watch/watch.ts'
import { type FolderSettings, folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox, type TestOutbox } from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'

/** Noon of a day on this computer. */
const noon = (day: string): number => new Date(`${day}T12:00:00`).getTime()

type Files = Readonly<Record<string, number>>
type FoldersScene = {
  readonly test: TestOutbox
  readonly clock: ManualClock
  readonly folders: WatchedFolders
  /** What was opened and closed, in order. */
  readonly done: string[]
  readonly settled: string[]
  /** Everything that has settled is taken in. */
  finish(): void
  readonly opened: WatchedFolder[]
  lying: Record<string, Files | 'away' | 'hanging'>
  tell(path: string, event: WatchEvent): void
}

const settings = (path: string, given: Partial<FolderSettings> = {}): FolderSettings =>
  folderSettingsSchema.parse({ path, ...given })
const mark = (folderPath: string, relativePath: string, mtimeMs: number): FileMark => ({
  folderPath,
  relativePath,
  sizeBytes: 9,
  mtimeMs,
})

/** No folder is watched yet. */
function foldersWith(existingByDefault: 'ask' | 'include' = 'ask', test = openTestOutbox()): FoldersScene {
  const clock = new ManualClock()
  const done: string[] = []
  const settled: string[] = []
  const finish: (() => void)[] = []
  const opened: WatchedFolder[] = []
  const listeners = new Map<string, (event: WatchEvent) => void>()
  const folders = new WatchedFolders({
    outbox: test.outbox,
    clock,
    logger: createRecordingLogger(),
    station: { stationId: 's1', hostName: 'room-1' },
    existingByDefault,
    onChanged: () => undefined,
    onSettled: (folder, file) => {
      settled.push(file.relativePath)
      finish.push(() => {
        if (folder.isAccepting()) folder.acknowledge(file)
        else done.push(`leave ${file.relativePath}`)
      })
    },
    openWatcher: (folder, onEvent) => {
      done.push(`open ${folder.path}`)
      opened.push(folder)
      listeners.set(folder.path, onEvent)
      return {
        sweep: () => void done.push(`sweep ${folder.path}`),
        acknowledge: () => undefined,
        close: () => {
          done.push(`close ${folder.path}`)
          return Promise.resolve()
        },
      }
    },
    async *listFiles(path) {
      await Promise.resolve()
      const files = scene.lying[path] ?? {}
      if (files === 'away') throw Object.assign(new Error('away'), { code: 'ENOENT' })
      if (files === 'hanging') await new Promise(() => undefined)
      for (const [name, mtimeMs] of Object.entries(files)) yield mark(path, name, mtimeMs)
    },
  })
  onTestFinished(() => folders.close())
  const scene: FoldersScene = {
    test,
    clock,
    folders,
    done,
    settled,
    finish: () => {
      for (const done of finish.splice(0)) done()
    },
    opened,
    lying: {},
    tell: (path, event) => listeners.get(path)?.(event),
  }
  return scene
}

const healthOf = (scene: FoldersScene): string[] => scene.folders.status().map(({ health }) => health)

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
