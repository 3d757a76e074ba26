import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decideStart, openCrashHistory, recordStart } from '../../../src-main/electron/crash-history.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

const NOW = 100_000_000
const BOOTED = NOW - 50_000_000
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** So many, one every six minutes: never three within ten. */
const everySixMinutes = (count: number): number[] =>
  Array.from({ length: count }, (_none, index) => NOW - (count - 1 - index) * 6 * MINUTE)
const run = (startedAt: number) => ({ pid: 1, startedAt, dataFolder: '/data' })

describe('the book of runs at a start', () => {
  it.each([
    ['the first start', null, [], []],
    ['after a clean end', null, [NOW - MINUTE], [NOW - MINUTE]],
    ['after an end that nobody wrote down', run(NOW - MINUTE), [], [NOW]],
    ['after the computer was switched off', run(BOOTED - 1), [], []],
    ['forgets what is a day old', null, [NOW - DAY, NOW - DAY + 1], [NOW - DAY + 1]],
    ['forgets what a clock that was set back puts into the future', null, [NOW + 1], []],
  ])('%s', (_name, current, crashedAt, expected) => {
    expect(recordStart({ current, crashedAt }, NOW, BOOTED)).toEqual({ current: null, crashedAt: expected })
  })

  it.each([
    [[], { as: 'working', waitMs: 0, crashes: 0 }],
    [[NOW], { as: 'working', waitMs: 1_000, crashes: 1 }],
    [[NOW - 5 * MINUTE], { as: 'working', waitMs: 0, crashes: 1 }],
    [[NOW - 5 * MINUTE, NOW - 2_000], { as: 'working', waitMs: 8_000, crashes: 2 }],
    [[NOW - 9 * MINUTE, NOW - 5 * MINUTE, NOW], { as: 'safe', waitMs: 0, crashes: 3 }],
    [[NOW - 11 * MINUTE, NOW - 5 * MINUTE, NOW], { as: 'working', waitMs: 10_000, crashes: 2 }],
    [everySixMinutes(9), { as: 'working', waitMs: 10_000, crashes: 2 }],
    [everySixMinutes(10), { as: 'safe', waitMs: 0, crashes: 2 }],
    [everySixMinutes(10).map((at) => at - DAY + 30 * MINUTE), { as: 'working', waitMs: 0, crashes: 0 }],
  ] as const)('after ends by itself at %j', (crashedAt, expected) => {
    expect(decideStart({ current: null, crashedAt: [...crashedAt] }, NOW)).toEqual(expected)
  })
})

describe('the book of runs', () => {
  async function book() {
    const path = join(await temporaryFolder(), 'account', 'runs.json')
    const clock = new ManualClock(NOW)
    const troubles: string[] = []
    const open = () =>
      openCrashHistory({
        path,
        clock,
        bootedAt: BOOTED,
        pid: 4_711,
        dataFolder: '/data',
        onTrouble: () => troubles.push('trouble'),
      })
    return { path, clock, troubles, open }
  }

  it('leads into safe mode at the fourth start after three kills, and out of it again by time', async () => {
    const { clock, open } = await book()
    const starts: string[] = []
    for (let count = 0; count < 4; count += 1) {
      starts.push(open().start.as)
      clock.advance(MINUTE)
    }
    expect(starts).toEqual(['working', 'working', 'working', 'safe'])
    open().end('clean')
    clock.advance(11 * MINUTE)
    expect(open().start).toEqual({ as: 'working', waitMs: 0, crashes: 0 })
  })

  it('leads into safe mode at the tenth end of a slow loop, once, and the next start is a normal one', async () => {
    const { clock, open } = await book()
    const starts: string[] = []
    for (let count = 0; count < 11; count += 1) {
      const run = open()
      starts.push(run.start.as)
      clock.advance(6 * MINUTE)
      run.end(count < 10 ? 'crash' : 'clean')
    }
    expect(starts).toEqual([...Array<string>(10).fill('working'), 'safe'])
    clock.advance(10 * MINUTE)
    expect(open().start.as).toBe('working')
  })

  it('keeps a crash, however tidy the rest of that run was', async () => {
    const { open } = await book()
    const run = open()
    run.end('crash')
    run.end('clean')
    expect(open().start.crashes).toBe(1)
  })

  it('counts a bug that was marked once, not a second time for the run that it ended', async () => {
    const { path, open } = await book()
    open().end('crash')
    expect(open().start.crashes).toBe(1)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      current: { pid: 4_711, startedAt: NOW, dataFolder: '/data' },
      crashedAt: [NOW],
    })
  })

  it.each(['', '{', '[]', '{"crashedAt":"often"}'])(
    'reads what is no book as an empty one: %j',
    async (text) => {
      const { path, open } = await book()
      open().end('crash')
      writeFileSync(path, text)
      expect(open().start).toEqual({ as: 'working', waitMs: 0, crashes: 0 })
    },
  )

  it('that cannot be written stops nothing, and says so', async () => {
    const { path, troubles, open } = await book()
    mkdirSync(`${path}.tmp`, { recursive: true })
    open().end('clean')
    expect(troubles).toEqual(['trouble', 'trouble'])
  })
})
