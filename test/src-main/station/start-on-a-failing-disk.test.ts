import { closeSync, openSync, writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageError } from '../../../src-main/station/lib/errors.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { openDatabase } from '../../../src-main/station/outbox/database.ts'
import { openOutbox } from '../../../src-main/station/outbox/open-outbox.ts'
import { NotStarted, startStation } from '../../station-process/start-station.ts'
import { addWaiting, claim, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

/** What nobody has caught: a microtask that throws would end the program with it. */
const uncaught: unknown[] = []
const keep = (error: unknown): void => void uncaught.push(error)
beforeEach(() => {
  uncaught.length = 0
  process.on('uncaughtException', keep)
  process.on('unhandledRejection', keep)
})
afterEach(() => {
  process.off('uncaughtException', keep)
  process.off('unhandledRejection', keep)
})

const turn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20))
const start = (dataFolder: string, host: 'electron' | 'headless' = 'headless') =>
  openStation({ dataFolder, config: null, ports: stationPorts({ host }) })

/** A data folder with a case amid an attempt, in which one table is unreadable. */
function damagedFolder(table: string): string {
  const dataFolder = join(temporaryFolder(), 'station')
  const test = openTestOutbox(dataFolder)
  claim(test, addWaiting(test))
  test.close()
  const path = join(dataFolder, 'outbox.sqlite')
  const sql = new Database(path)
  const page = sql.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck()
  const number = page.get(table) ?? 0
  const pageSize = Number(sql.pragma('page_size', { simple: true }))
  sql.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(pageSize, 0xff), 0, pageSize, (number - 1) * pageSize)
  closeSync(file)
  return dataFolder
}

describe.each(['facts', 'attempts', 'submissions'])(
  'a disk that fails while %s are read at a start',
  (table) => {
    it.each(['electron', 'headless'] as const)('ends the start with a sentence (%s)', async (host) => {
      const dataFolder = damagedFolder(table)
      await expect(start(dataFolder, host)).rejects.toMatchObject({
        name: 'StorageError',
        remedy: 'recover',
        message: expect.stringMatching(/^The outbox file is damaged/) as string,
      })
      await turn()
      expect(uncaught).toEqual([])
      // Nothing holds it any more: who recovers in this process opens it.
      openDatabase(join(dataFolder, 'outbox.sqlite')).close()
    })

    it('is a sentence on the console of the headless host', async () => {
      const failure: unknown = await startStation({ dataFolder: damagedFolder(table), config: {} }).catch(
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(NotStarted)
      expect(failure).toMatchObject({
        exitCode: 1,
        message: expect.stringMatching(/The outbox file is damaged[^{}]*--recover/) as string,
      })
    })
  },
)

describe('a start that fails after the outbox was opened', () => {
  it('leaves the outbox to whoever comes next', async () => {
    const dataFolder = temporaryFolder()
    openOutbox(dataFolder).close()
    // A file where a folder must be.
    await writeFile(join(dataFolder, 'reports'), '')
    const failure: unknown = await start(dataFolder).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'EEXIST' })
    expect(failure).not.toBeInstanceOf(StorageError)
    openDatabase(join(dataFolder, 'outbox.sqlite')).close()
  })
})
