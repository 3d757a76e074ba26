import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLogFile, readLogLine, readRecentLog } from '../../../src-main/electron/log.ts'
import { DAY } from '../../../src-shared/durations.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MORNING = Date.UTC(2026, 10, 20, 9)

it('reads back what was logged on the days before, the oldest first', async () => {
  const folder = await temporaryFolder()
  const clock = new ManualClock(MORNING)
  const log = openLogFile(folder, clock)
  log.info('started', { folders: 2 })
  clock.advance(DAY)
  log.error('a folder is gone', { code: 'ENOENT' })
  expect(await readRecentLog(folder)).toEqual([
    { at: MORNING, level: 'info', message: 'started', facts: { folders: 2, pid: process.pid } },
    {
      at: MORNING + DAY,
      level: 'error',
      message: 'a folder is gone',
      facts: { code: 'ENOENT', pid: process.pid },
    },
  ])
})

it('passes over a line that a power cut has torn, and reads of a large file the end', async () => {
  const folder = await temporaryFolder()
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
