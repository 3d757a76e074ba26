/** Watched folders on a real outbox; what lies in them, and what the watchers emit, is scripted. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CaseFolder } from '../../../../../src-main/station/cases/folders/case-folder.ts'
import { openedHere } from '../../../../../src-main/reader/foreign-files.ts'
import {
  includeFromMs,
  WatchedFolders,
} from '../../../../../src-main/station/cases/folders/watched-folders.ts'
import type {
  FileMark,
  SettledFile,
  WatchedFolder,
  WatchEvent,
} from '../../../../../src-main/reader/watch-messages.ts'
import { type FolderSettings, folderSettingsSchema } from '../../../../../src-shared/folder-settings.ts'
import { ManualClock } from '../../../../tools/manual-clock.ts'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
} from '../../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../../tools/recording-logger.ts'

/** Noon of a day on this computer. */
const noon = (day: string): number => new Date(`${day}T12:00:00`).getTime()

type Files = Readonly<Record<string, number>>
type TestFolders = ReturnType<typeof foldersWith>

const settings = (path: string, changes: Partial<FolderSettings> = {}): FolderSettings =>
  folderSettingsSchema.parse({ path, ...changes })
const mark = (folderPath: string, relativePath: string, mtimeMs: number): FileMark => ({
  folderPath,
  relativePath,
  sizeBytes: 9,
  mtimeMs,
})

/** No folder is watched yet. */
function foldersWith(existingByDefault: 'ask' | 'include' = 'ask', test = openTestOutbox()) {
  const clock = new ManualClock()
  /** What was opened and closed, in order. */
  const done: string[] = []
  const settled: string[] = []
  const finishing: (() => void)[] = []
  const opened: WatchedFolder[] = []
  const lying: Record<string, Files | 'away' | 'hanging'> = {}
  const listeners = new Map<string, (event: WatchEvent) => void>()
  let latest: CaseFolder | null = null
  const folders = new WatchedFolders({
    outbox: test.outbox,
    clock,
    logger: createRecordingLogger(),
    station: { stationId: 's1', hostName: 'room-1' },
    existingByDefault,
    onChanged: () => undefined,
    onUnusable: () => undefined,
    onSettled: (folder, file) => {
      latest = folder
      settled.push(file.relativePath)
      finishing.push(() => {
        if (folder.isAccepting()) folder.acknowledge(file)
        else done.push(`leave ${file.relativePath}`)
      })
    },
    openWatcher: (folder, onEvent) => {
      done.push(`open ${folder.path}`)
      opened.push(folder)
      listeners.set(folder.path, onEvent)
      return {
        files: openedHere,
        sweep: () => void done.push(`sweep ${folder.path}`),
        reportGone: () => undefined,
        readAgain: () => undefined,
        acknowledge: () => undefined,
        close: async () => void done.push(`close ${folder.path}`),
      }
    },
    async *listFiles(path) {
      await Promise.resolve()
      const files = lying[path] ?? {}
      if (files === 'away') throw Object.assign(new Error('away'), { code: 'ENOENT' })
      if (files === 'hanging') await new Promise(() => undefined)
      for (const [name, mtimeMs] of Object.entries(files)) yield mark(path, name, mtimeMs)
    },
  })
  onTestFinished(() => folders.close())
  return {
    test,
    clock,
    folders,
    done,
    settled,
    opened,
    lying,
    watch: (...wanted: readonly FolderSettings[]) => folders.watch(wanted),
    /** The folder of the latest file. */
    folder: (): CaseFolder => latest!,
    emit: (event: WatchEvent) => listeners.get('/a')?.(event),
    /** Everything that has settled is taken in. */
    finish: () => {
      for (const finish of finishing.splice(0)) finish()
    },
  }
}

/** Watches the folder `/a` and takes its old files. */
async function watchingA(): Promise<TestFolders> {
  const station = foldersWith('include')
  await station.watch(settings('/a'))
  return station
}

const healthOf = (station: TestFolders): string[] => station.folders.status().map(({ health }) => health)

const SWEPT: WatchEvent = { kind: 'swept' }

describe('a change of the folders', () => {
  it('opens what is new, closes what is gone, and leaves the others alone', async () => {
    const station = foldersWith('include')
    await station.watch(settings('/a'), settings('/b'))
    expect(station.done.splice(0)).toEqual(['open /a', 'open /b'])
    await station.watch(settings('/c'), settings('/b', { dateOrder: 'dmy', quietSeconds: 7 }))
    expect(station.done.splice(0)).toEqual(['close /a', 'open /c'])
    expect(station.folders.status().map(({ path }) => path)).toEqual(['/c', '/b'])
    await station.watch(settings('/b', { settleSeconds: 1 }), settings('/c'))
    expect(station.done.splice(0)).toEqual(['close /b', 'open /b'])
  })

  it('pauses a folder and resumes it, while the others go on', async () => {
    const station = foldersWith('include')
    await station.watch(settings('/a'), settings('/b'))
    station.done.splice(0)
    await station.watch(settings('/a', { watching: 'paused' }), settings('/b'))
    expect(station.done.splice(0)).toEqual(['close /a'])
    expect(healthOf(station)).toEqual(['paused', 'starting'])
    station.folders.sweepNow()
    expect(station.done.splice(0)).toEqual(['sweep /b'])
    // What was on its way is not taken in any more.
    station.emit({ kind: 'settled', file: { ...mark('/a', 'late.jpg', 1), content: 'image/jpeg' } })
    expect(station.settled).toEqual([])
    await station.watch(settings('/a'), settings('/b'))
    expect(station.done).toEqual(['open /a'])
  })

  it('that names a folder twice watches it once', async () => {
    const station = foldersWith('include')
    await station.watch(settings('/a'), settings('/a'))
    expect(station.done).toEqual(['open /a'])
  })

  it('opens nothing any more once it ends, whatever was under way', async () => {
    const station = await watchingA()
    const checkingAgain = station.folders.rescan()
    // The folder is being closed.
    while (!station.done.includes('close /a')) await Promise.resolve()
    await station.folders.close()
    await checkingAgain
    expect(station.done.filter((what) => what === 'open /a')).toHaveLength(1)
  })

  it('waits for no share that hangs, and the share can be taken out again', async () => {
    const station = foldersWith('ask')
    station.lying['/hangs'] = 'hanging'
    const watching = station.watch(settings('/hangs'), settings('/a'))
    await station.clock.turn(2_000)
    await watching
    expect(station.done.splice(0)).toEqual(['open /a'])
    await station.watch(settings('/a'))
    expect(station.folders.status().map(({ path }) => path)).toEqual(['/a'])
    expect(station.done).toEqual([])
  })

  it('says who is kept off a folder by whose lease', async () => {
    const station = foldersWith('include')
    await station.watch(settings('/a'), settings('/b', { lease: 'off' }))
    expect(station.opened.map(({ lease }) => lease)).toEqual([{ stationId: 's1', hostName: 'room-1' }, null])
    expect(station.folders.status().map(({ guard }) => guard)).toEqual(['unguarded', 'off'])
  })
})

describe('a folder that another station has', () => {
  it('is shown as taken, with the computer that has it, until it is let go', async () => {
    const station = await watchingA()
    station.emit({ kind: 'guard', guard: 'taken', hostName: 'room-2' })
    const failure = { message: expect.stringMatching(/station on room-2 watches this folder/) }
    expect(station.folders.status()).toMatchObject([{ health: 'taken', guard: 'taken', failure }])
    station.emit({ kind: 'guard', guard: 'guarded', hostName: null })
    expect(station.folders.status()).toMatchObject([{ health: 'starting', guard: 'guarded', failure: null }])
    station.emit(SWEPT)
    expect(healthOf(station)).toEqual(['watching'])
  })
})

describe('a file that waits to be taken in', () => {
  const file: SettledFile = { ...mark('/a', '1.jpg', 1), content: 'image/jpeg' }
  it.each([
    ['is paused', async (station: TestFolders) => station.watch(settings('/a', { watching: 'paused' }))],
    ['is taken out', async (station: TestFolders) => station.watch()],
    [
      'is another station’s',
      async (station: TestFolders) => station.emit({ kind: 'guard', guard: 'taken', hostName: null }),
    ],
  ])('is left where its folder %s meanwhile', async (_what, change) => {
    const station = await watchingA()
    station.emit({ kind: 'settled', file })
    await change(station)
    station.finish()
    expect(station.done).toContain('leave 1.jpg')
  })
})

describe('a folder that goes away', () => {
  it('is shown with since when, and recovers on its own', async () => {
    const station = await watchingA()
    station.emit(SWEPT)
    await station.clock.turn(60_000)
    const wentAt = station.clock.now()
    station.emit({ kind: 'unreachable', reason: 'failing' })
    await station.clock.turn(60_000)
    station.emit({ kind: 'unreachable', reason: 'driveGone' })
    const failure = { message: expect.stringMatching(/Drive removed/) }
    expect(station.folders.status()).toMatchObject([{ health: 'unreachable', since: wentAt, failure }])
    station.emit(SWEPT)
    expect(station.folders.status()).toMatchObject([
      { health: 'watching', since: station.clock.now(), failure: null },
    ])
  })

  it('before it was ever listed is asked for again, and its old files do not pass for new ones', async () => {
    const station = foldersWith('ask')
    station.lying['/a'] = 'away'
    await station.watch(settings('/a', { existing: 'ignore' }))
    expect(healthOf(station)).toEqual(['unreachable'])
    station.lying['/a'] = { 'old.jpg': noon('2026-01-01') }
    await station.clock.turn(15_000)
    expect(station.done).toEqual(['open /a'])
    expect(station.test.outbox.hasSeen(mark('/a', 'old.jpg', noon('2026-01-01')))).toBe(true)
  })
})

describe('a note that a file cannot be read', () => {
  it('ends when the file was exported again under its name, and stays when it was made by that', async () => {
    const station = await watchingA()
    const file: SettledFile = { ...mark('/a', '1.jpg', 1), content: 'image/jpeg' }
    const note = { fileName: '1.jpg', kind: 'unreadable', message: 'Damaged.', at: 1 } as const
    station.emit({ kind: 'noted', note })
    station.emit({ kind: 'noted', note: { ...note, fileName: '2.jpg' } })
    station.emit({ kind: 'settled', file })
    station.finish()
    const names = (): string[] => (station.folders.status()[0]?.notes ?? []).map(({ fileName }) => fileName)
    expect(names()).toEqual(['2.jpg'])
    station.emit({ kind: 'settled', file })
    const at = station.clock.now()
    station.emit({ kind: 'noted', note: { ...note, at } })
    station.finish()
    expect(names()).toEqual(['1.jpg', '2.jpg'])
  })
})

const DAY_MS = 86_400_000

describe('files that were there before', () => {
  const lying = {
    'a.jpg': noon('2026-10-30'),
    'b.jpg': noon('2026-11-01'),
    'c.jpg': noon('2026-11-20'),
  }
  const taken = (station: TestFolders): string[] =>
    Object.entries(lying)
      .filter(([name, mtimeMs]) => !station.test.outbox.hasSeen(mark('/a', name, mtimeMs)))
      .map(([name]) => name)

  it.each([
    [{ existing: 'include' }, ['a.jpg', 'b.jpg', 'c.jpg']],
    [{ existing: 'ignore' }, []],
    [{ existing: 'since', existingSince: '2026-11-01' }, ['b.jpg', 'c.jpg']],
    [{ existing: 'since', existingSince: '2026-11-02' }, ['c.jpg']],
    // Without a day a person is asked.
    [{ existing: 'since' }, []],
    [{ existing: 'ask' }, []],
  ] as const)('with the settings %j leave %j to be taken', async (changes, left) => {
    const station = foldersWith()
    station.lying['/a'] = lying
    await station.watch(settings('/a', changes))
    expect(taken(station)).toEqual(left)
  })

  it('and are images of restored cases, or their copies, have used no name but their own', async () => {
    const station = foldersWith()
    const { test } = station
    const imageId = addTestImage(test, test.outbox.createSubmission(newSubmission()), {
      bytes: someBytes(9),
      fileName: 'a.jpg',
    })
    test.outbox.markSeen(mark('/exports', 'b.jpg', MORNING), 'copy', MORNING, { imageId, stemKey: 'b' })
    station.lying['/exports'] = { 'a.jpg': MORNING, 'b.jpg': MORNING, 'c.jpg': MORNING }
    await station.watch(settings('/exports'))
    const used = test.outbox.namesUsed('/exports', ['a', 'b', 'c'])
    expect(used.map(({ id, name }) => [id === '', name])).toEqual([
      [true, 'c.jpg'],
      [false, 'a.jpg'],
      [false, 'b.jpg'],
    ])
    expect(test.outbox.hasSeen(mark('/exports', 'a.jpg', MORNING))).toBe(true)
  })

  it('are counted before anything is decided, all of them and those since a day', async () => {
    const station = foldersWith()
    station.lying['/a'] = lying
    await station.watch(settings('/a'))
    expect(station.folders.status()).toMatchObject([{ health: 'asking', existingCount: 3 }])
    expect(station.folders.countExisting('/a', '2026-11-01')).toEqual({
      count: 3,
      sinceCount: 2,
      oldestAt: lying['a.jpg'],
      newestAt: lying['c.jpg'],
    })
    expect(station.folders.countExisting('/a', undefined)).toMatchObject({ count: 3, sinceCount: null })
    expect(station.folders.countExisting('/elsewhere', undefined)).toBeNull()
  })

  it.each([
    [{ kind: 'since', since: '2026-11-01' }, ['b.jpg', 'c.jpg'], 1],
    [{ kind: 'include' }, ['a.jpg', 'b.jpg', 'c.jpg'], 1],
    [{ kind: 'ignore' }, [], 0],
  ] as const)(
    'after the decision %j leave %j to be taken, and no other folder is disturbed',
    async (decision, left, opens) => {
      const station = foldersWith()
      station.lying['/a'] = lying
      await station.watch(settings('/a'), settings('/b', { existing: 'include' }))
      station.done.splice(0)
      expect(await station.folders.decideExisting('/a', decision)).toBe(true)
      expect(taken(station)).toEqual(left)
      expect(station.done.filter((one) => one === 'open /a')).toHaveLength(opens)
      expect(station.done.filter((one) => one.endsWith('/b'))).toEqual([])
      expect(station.folders.status()).toMatchObject([{ health: 'starting', existingCount: 0 }, {}])
    },
  )

  it('are decided by settings that come after the question', async () => {
    const station = foldersWith()
    station.lying['/a'] = lying
    await station.watch(settings('/a'))
    await station.watch(settings('/a', { existing: 'since', existingSince: '2026-11-02' }))
    expect(healthOf(station)).toEqual(['starting'])
    expect(taken(station)).toEqual(['c.jpg'])
    // The watcher knows them as dealt with; a new one asks again.
    expect(station.done).toEqual(['open /a', 'close /a', 'open /a'])
  })

  it('are asked about once: a later start takes what came meanwhile', async () => {
    const first = foldersWith()
    first.lying['/a'] = lying
    await first.watch(settings('/a'))
    await first.folders.decideExisting('/a', { kind: 'ignore' })
    await first.folders.close()
    const second = foldersWith('ask', first.test)
    second.lying['/a'] = { ...lying, 'new.jpg': noon('2026-11-20') + DAY_MS }
    await second.watch(settings('/a'))
    expect(healthOf(second)).toEqual(['starting'])
    expect(first.test.outbox.hasSeen(mark('/a', 'new.jpg', noon('2026-11-20') + DAY_MS))).toBe(false)
  })
})

it('a day begins at midnight on the calendar of this computer', () => {
  const dayMs = includeFromMs({ kind: 'since', since: '2026-03-29' })
  expect(dayMs).toBe(new Date('2026-03-29T00:00:00').getTime())
})

describe('a file that is gone', () => {
  const seen = (name: string, mtimeMs = 1): SettledFile => ({
    ...mark('/a', name, mtimeMs),
    content: 'image/jpeg',
  })

  /** Settles two files, and shows the folder that there is then. */
  function settledIn(station: TestFolders): CaseFolder {
    station.emit({ kind: 'settled', file: seen('v/OD.jpg') })
    station.emit({ kind: 'settled', file: seen('b.zip') })
    return station.folder()
  }

  it.each([
    ['under its name', 'v/OD.jpg'],
    ['with its archive', 'b.zip'],
  ])('%s is forgotten, with the notes about it, and one that comes later is new', async (_, name) => {
    const station = await watchingA()
    const folder = settledIn(station)
    folder.note({ fileName: 'v/OD.jpg', kind: 'unreadable', message: 'x', at: 1 })
    folder.note({ fileName: 'b.zip/inner/OS.jpg', kind: 'ignored', message: 'x', at: 1 })
    const before = folder.firstSeenAt(seen(name))
    await station.clock.turn(5_000)
    station.emit({ kind: 'gone', fileNames: [name] })
    expect([folder.isThere(seen(name)), folder.firstSeenAt(seen(name))]).toEqual([false, undefined])
    expect(folder.status(0).notes).toHaveLength(1)
    station.emit({ kind: 'settled', file: seen(name) })
    expect(folder.firstSeenAt(seen(name))).toBe((before ?? 0) + 5_000)
  })

  it('gives its instant to no other version of it, and keeps its own while it is emitted again', async () => {
    const station = await watchingA()
    const folder = settledIn(station)
    const before = folder.firstSeenAt(seen('v/OD.jpg')) ?? 0
    await station.clock.turn(5_000)
    station.emit({ kind: 'settled', file: seen('v/OD.jpg') })
    expect(folder.firstSeenAt(seen('v/OD.jpg'))).toBe(before)
    station.emit({ kind: 'settled', file: seen('v/OD.jpg', 2) })
    expect(folder.firstSeenAt(seen('v/OD.jpg', 2))).toBe(before + 5_000)
    // The former version is taken in meanwhile.
    folder.acknowledge(seen('v/OD.jpg'))
    expect(folder.isThere(seen('v/OD.jpg', 2))).toBe(true)
    folder.acknowledge(seen('v/OD.jpg', 2))
    expect(folder.isThere(seen('v/OD.jpg', 2))).toBe(false)
  })
})
