import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { StorageStopped } from '../../../../src-main/station/lib/storage-faults.ts'
import { type Loop, openLoop } from '../../../../src-main/station/lib/schedule.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'

function loopWith(run: (clock: ManualClock) => Promise<number | null>): {
  readonly loop: Loop
  readonly clock: ManualClock
  readonly logger: ReturnType<typeof createRecordingLogger>
} {
  const clock = new ManualClock({ now: 0 })
  const logger = createRecordingLogger()
  return { loop: openLoop({ name: 'the work', clock, logger, run: () => run(clock) }), clock, logger }
}

describe('a loop', () => {
  it('runs at once and then at the instants that it names', async () => {
    const at: number[] = []
    const { clock } = loopWith((now) => {
      at.push(now.now())
      return Promise.resolve(at.length < 4 ? now.now() + 1_000 * at.length : null)
    })
    await clock.turn(MINUTE)
    expect(at).toEqual([0, 1_000, 3_000, 6_000])
  })

  it('trusts no sleep for longer than a minute, since clocks jump and machines sleep', async () => {
    let runs = 0
    const { clock } = loopWith(() => {
      runs += 1
      return Promise.resolve(60 * MINUTE)
    })
    await clock.turn(10 * MINUTE)
    expect(runs).toBe(11)
  })

  it('never runs twice at a time, and a wake in the middle of a run causes one more', async () => {
    let running = 0
    let runs = 0
    const gates: (() => void)[] = []
    const { loop, clock } = loopWith(async () => {
      running += 1
      runs += 1
      expect(running).toBe(1)
      await new Promise<void>((resolve) => void gates.push(resolve))
      running -= 1
      return null
    })
    loop.wake()
    loop.wake()
    loop.wake()
    gates.shift()?.()
    await clock.settle()
    expect(runs).toBe(2)
    gates.shift()?.()
    await clock.turn(MINUTE)
    expect(runs).toBe(2)
  })

  it('is woken before its time, and forgets that time', async () => {
    const at: number[] = []
    const { loop, clock } = loopWith((now) => {
      at.push(now.now())
      return Promise.resolve(at.length === 1 ? 10_000 : null)
    })
    await clock.turn(2_000)
    loop.wake()
    await clock.turn(MINUTE)
    expect(at).toEqual([0, 2_000])
    expect(clock.timerCount).toBe(0)
  })

  it('tells what it threw, without its words, and goes on after a minute', async () => {
    let runs = 0
    const { clock, logger } = loopWith(() => {
      runs += 1
      return runs === 1 ? Promise.reject(new RangeError('H-00017 is too long')) : Promise.resolve(null)
    })
    await clock.turn(MINUTE - 1)
    expect(runs).toBe(1)
    await clock.turn(1)
    expect(runs).toBe(2)
    expect(logger.lines).toEqual([
      { level: 'error', message: 'the work stopped unexpectedly', facts: { error: 'RangeError' } },
    ])
  })

  it.each([
    new StorageStopped(),
    new Database.SqliteError('x', 'SQLITE_CORRUPT'),
    new Database.SqliteError('x', 'SQLITE_IOERR_READ'),
  ])('ends without a word where the outbox has failed, which was told already: %s', async (error) => {
    let runs = 0
    const { loop, clock, logger } = loopWith(() => {
      runs += 1
      return Promise.reject(error)
    })
    await clock.turn(10 * MINUTE)
    loop.wake()
    await clock.turn(MINUTE)
    expect([runs, logger.lines]).toEqual([1, []])
    await loop.close()
  })

  it('goes on where the disk is full, and says so', async () => {
    let runs = 0
    const { clock, logger } = loopWith(() => {
      runs += 1
      return Promise.reject(new Database.SqliteError('x', 'SQLITE_FULL'))
    })
    await clock.turn(MINUTE)
    expect([runs, logger.lines.length]).toEqual([2, 2])
  })

  it('ends with its run, and never runs again', async () => {
    let runs = 0
    let finish: () => void = () => undefined
    const { loop, clock } = loopWith(async () => {
      runs += 1
      await new Promise<void>((resolve) => (finish = resolve))
      return 1_000
    })
    let isClosed = false
    void loop.close().then(() => (isClosed = true))
    await clock.settle()
    expect(isClosed).toBe(false)
    finish()
    await clock.turn(MINUTE)
    loop.wake()
    await clock.turn(MINUTE)
    expect([isClosed, runs]).toEqual([true, 1])
  })
})
