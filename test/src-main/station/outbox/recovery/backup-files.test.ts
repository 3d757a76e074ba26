import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { finishCopy } from '../../../../../src-main/station/outbox/migrations/migrate.ts'
import {
  backupNameAt,
  backupsIn,
  inspectBackup,
  newestFirst,
  surplusBackups,
} from '../../../../../src-main/station/outbox/recovery/backup-files.ts'
import { openOutbox } from '../../../../../src-main/station/outbox/open-outbox.ts'
import { newSubmission } from '../../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'

describe('the files of backups', () => {
  it('are called after the day on this computer', () => {
    expect(backupNameAt(new Date(2026, 0, 5, 0, 1).getTime())).toBe('outbox-2026-01-05.sqlite')
    expect(backupNameAt(new Date(2026, 11, 31, 23, 59).getTime())).toBe('outbox-2026-12-31.sqlite')
  })

  it('are known by their names; no other file is one', async () => {
    const names = ['outbox-2026-01-05.sqlite', 'outbox.sqlite.new', 'mine.sqlite', 'outbox-2026-11-20.sqlite']
    const folder = temporaryFolder()
    for (const name of names) writeFileSync(join(folder, name), '')
    expect((await backupsIn(folder)).toSorted()).toEqual(
      [names[0], names[3]].map((name) => join(folder, name ?? '')),
    )
    expect(await backupsIn(join(folder, 'nothing'))).toEqual([])
  })

  it('are newer than others by what is inside, and by their names where that is the same', () => {
    const backups = [
      { path: '/b/outbox-2026-11-19.sqlite', knows: 4 },
      { path: '/b/outbox-2031-01-01.sqlite', knows: 3 },
      { path: '/b/outbox-2026-11-20.sqlite', knows: 4 },
      { path: '/b/outbox-2026-11-21.sqlite', knows: -1 },
    ]
    expect(newestFirst(backups).map(({ path }) => path.slice(10, 20))).toEqual([
      '2026-11-20',
      '2026-11-19',
      '2031-01-01',
      '2026-11-21',
    ])
  })

  it('are let go beyond seven, but never the one just made, whatever the clock sentences', () => {
    const days = Array.from({ length: 9 }, (_, index) => ({
      path: `outbox-2026-11-1${index}.sqlite`,
      knows: 9,
    }))
    expect(surplusBackups(days, 'outbox-2026-11-18.sqlite')).toEqual([
      'outbox-2026-11-11.sqlite',
      'outbox-2026-11-10.sqlite',
    ])
    const old = { path: 'outbox-2000-01-01.sqlite', knows: 9 }
    expect(surplusBackups([...days, old], old.path)).toEqual([
      'outbox-2026-11-11.sqlite',
      'outbox-2026-11-10.sqlite',
    ])
    expect(surplusBackups(days.slice(0, 7), 'outbox-2026-11-16.sqlite')).toEqual([])
  })

  it('show how much they know without being changed', async () => {
    const opened = openOutbox(temporaryFolder())
    onTestFinished(() => opened.close())
    const path = join(temporaryFolder(), 'outbox-2026-11-20.sqlite')
    const backUp = async (): Promise<void> => {
      rmSync(path, { force: true })
      await opened.copyTo(path, new AbortController().signal)
      finishCopy(path, '2026-11-20T12:00:00Z')
    }
    await backUp()
    const before = readFileSync(path)
    expect(inspectBackup(path).knows).toBe(0)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
    opened.outbox.submissions.create(newSubmission())
    await backUp()
    expect(inspectBackup(path).knows).toBeGreaterThan(0)
    writeFileSync(path, 'no database')
    expect(inspectBackup(path).knows).toBe(-1)
  })
})
