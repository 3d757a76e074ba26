import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openLogFile, readLogLine, readRecentLog } from '../../../src-main/electron/log.ts'
import { DAY } from '../../../src-shared/durations.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { ManualClock } from '../station/service/manual-clock.ts'

const EVENING = Date.UTC(2026, 10, 20, 23, 59)

it('writes JSON lines at once, a file for each day, and reads them back, the oldest first', async () => {
  const folder = join(temporaryFolder(), 'logs')
  const clock = new ManualClock(EVENING)
  const log = openLogFile(folder, clock)
  log.info('started', { folders: 2 })
  clock.advance(DAY)
  log.error('a folder is gone', { code: 'ENOENT' })
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, name), 'utf8'))
  expect(await read('station-2026-11-20.log')).toMatchObject({ level: 30, msg: 'started', folders: 2 })
  expect(await read('station-2026-11-21.log')).toMatchObject({ level: 50, msg: 'a folder is gone' })
  if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const { pid } = process
  expect(await readRecentLog(folder)).toEqual([
    { at: EVENING, level: 'info', message: 'started', facts: { folders: 2, pid } },
    { at: EVENING + DAY, level: 'error', message: 'a folder is gone', facts: { code: 'ENOENT', pid } },
  ])
})

it('keeps two weeks and touches no file of another name', async () => {
  const folder = join(temporaryFolder(), 'logs')
  await mkdir(folder)
  await writeFile(join(folder, 'notes.txt'), 'a note')
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  const log = openLogFile(folder, clock)
  for (let day = 1; day < 20; day += 1) {
    clock.advance(DAY)
    log.info('another day')
    // The file of yesterday is closed a moment later.
    await setImmediate()
  }
  const names = (await readdir(folder)).toSorted()
  expect(names).toHaveLength(15)
  expect([names[0], names[1], names.at(-1)]).toEqual([
    'notes.txt',
    'station-2026-01-07.log',
    'station-2026-01-20.log',
  ])
})

it('passes over a line that a power cut has torn, and reads of a large file the end', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'station-2026-11-20.log')
  await writeFile(path, '{"level":30,"time":1,"msg":"old"}\n'.repeat(20_000))
  await appendFile(path, '{"level":40,"time":2,"msg":"new"}\n{"level":40,"ti')
  const lines = await readRecentLog(folder)
  expect(lines.length).toBeLessThan(5_000)
  expect(lines.at(-1)).toEqual({ at: 2, level: 'warn', message: 'new', facts: {} })
})

it.each(['', 'null', '{"level":60,"time":1,"msg":"x"}', '{"level":30,"time":1,"msg":"x","deep":{}}'])(
  'takes %s for no line',
  (text) => {
    expect(readLogLine(text)).toBe(null)
  },
)
