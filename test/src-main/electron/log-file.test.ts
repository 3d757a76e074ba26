import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openLogFile } from '../../../src-main/electron/log.ts'
import { DAY } from '../../../src-shared/durations.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('writes JSON lines at once, a file for each day', async () => {
  const folder = join(await temporaryFolder(), 'logs')
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 23, 59))
  const log = openLogFile(folder, clock)
  log.info('started', { folders: 2 })
  clock.advance(2 * 60_000)
  log.error('a folder is gone')
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, name), 'utf8'))
  expect(await read('station-2026-11-20.log')).toMatchObject({ level: 30, msg: 'started', folders: 2 })
  if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await read('station-2026-11-21.log')).toMatchObject({ level: 50, msg: 'a folder is gone' })
})

it('keeps two weeks and touches no file of another name', async () => {
  const folder = join(await temporaryFolder(), 'logs')
  await mkdir(folder)
  await writeFile(join(folder, 'notes.txt'), 'kept')
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
