import { closeSync, openSync, writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageError } from '../../../src-main/station/lib/storage-faults.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { openDatabase } from '../../../src-main/station/outbox/migrations/migrate.ts'
import { openOutbox } from '../../../src-main/station/outbox/open-outbox.ts'
import { NotStarted, startStation } from '../../station-process/start-station.ts'
import { rest } from '../../tools/manual-clock.ts'
import { addWaiting, startAttempt, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

/** What was not caught: a microtask that throws would end the program with it. */
const uncaught: unknown[] = []
const note = (error: unknown): void => void uncaught.push(error)
beforeEach(() => {
  uncaught.length = 0
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('uncaughtException', note)
  process.off('unhandledRejection', note)
})

const start = (dataFolder: string) => openStation({ dataFolder, config: null, ports: stationPorts() })

/** A data folder with a case amid an attempt, in which one table is unreadable. */
function damagedFolder(table: string): string {
  const dataFolder = join(temporaryFolder(), 'station')
  const test = openTestOutbox(dataFolder)
  startAttempt(test, addWaiting(test))
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

it.each(['facts', 'attempts', 'submissions'])(
  'a disk that fails while %s are read ends the start with a sentence',
  async (table) => {
    const dataFolder = damagedFolder(table)
    await expect(start(dataFolder)).rejects.toMatchObject({
      name: 'StorageError',
      remedy: 'recover',
      message: expect.stringMatching(/^The outbox file is damaged/) as string,
    })
    await rest()
    expect(uncaught).toEqual([])
    // Nothing holds it any more: a recovery in this process opens it.
    openDatabase(join(dataFolder, 'outbox.sqlite')).close()
  },
)

it('a disk that fails at the start is a sentence on the console of the headless host', async () => {
  const failure: unknown = await startStation({ dataFolder: damagedFolder('facts'), config: {} }).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(NotStarted)
  const message = expect.stringMatching(/The outbox file is damaged[^{}]*--recover/) as string
  expect(failure).toMatchObject({ exitCode: 1, message })
})

describe('a start that fails after the outbox was opened', () => {
  it('leaves the outbox to the next start', async () => {
    const dataFolder = temporaryFolder()
    openOutbox(dataFolder).close()
    // A file in place of a folder.
    await writeFile(join(dataFolder, 'reports'), '')
    const failure: unknown = await start(dataFolder).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'EEXIST' })
    expect(failure).not.toBeInstanceOf(StorageError)
    openDatabase(join(dataFolder, 'outbox.sqlite')).close()
  })
})
