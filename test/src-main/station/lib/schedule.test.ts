import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import {
  eachTimeSlice,
  limitedWaits,
  openLoop,
  serially,
  ShareSilent,
} from '../../../../src-main/station/lib/schedule.ts'
import { StorageStopped } from '../../../../src-main/station/lib/storage-faults.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'

function loopWith(run: (runs: number, now: number) => Promise<number | null>) {
  const clock = new ManualClock({ now: 0 })
  const logger = createRecordingLogger()
  /** The instants of all runs. */
  const ranAt: number[] = []
  const runNow = () => run(ranAt.push(clock.now()), clock.now())
  const loop = openLoop({ name: 'the work', clock, logger, run: runNow })
  return { loop, clock, logger, ranAt }
}

describe('a loop', () => {
  it('runs at once and then at the instants that it names', async () => {
    const { clock, ranAt } = loopWith((runs, now) => Promise.resolve(runs < 4 ? now + 1_000 * runs : null))
    await clock.turn(MINUTE)
    expect(ranAt).toEqual([0, 1_000, 3_000, 6_000])
  })

  it('trusts no sleep for longer than a minute, since clocks jump and machines sleep', async () => {
    const { clock, ranAt } = loopWith(() => Promise.resolve(60 * MINUTE))
    await clock.turn(10 * MINUTE)
    expect(ranAt).toHaveLength(11)
  })

  it('never runs twice at a time, and a wake in the middle of a run causes one more', async () => {
    let running = 0
    const gates: (() => void)[] = []
    const { loop, clock, ranAt } = loopWith(async () => {
      running += 1
      expect(running).toBe(1)
      await new Promise<void>((resolve) => void gates.push(resolve))
      running -= 1
      return null
    })
    for (let wakes = 0; wakes < 3; wakes += 1) loop.wake()
    gates.shift()?.()
    await clock.settle()
    expect(ranAt).toHaveLength(2)
    gates.shift()?.()
    await clock.turn(MINUTE)
    expect(ranAt).toHaveLength(2)
  })

  it('is woken before its time, and forgets that time', async () => {
    const { loop, clock, ranAt } = loopWith((runs) => Promise.resolve(runs === 1 ? 10_000 : null))
    await clock.turn(2_000)
    loop.wake()
    await clock.turn(MINUTE)
    expect(ranAt).toEqual([0, 2_000])
    expect(clock.timerCount).toBe(0)
  })

  it('logs an error by its class alone, and goes on after a minute', async () => {
    const { clock, logger, ranAt } = loopWith((runs) =>
      runs === 1 ? Promise.reject(new RangeError('H-00017 is too long')) : Promise.resolve(null),
    )
    await clock.turn(MINUTE)
    expect(ranAt).toEqual([0, MINUTE])
    expect(logger.lines).toEqual([
      { level: 'error', message: 'the work stopped unexpectedly', facts: { error: 'RangeError' } },
    ])
  })

  it.each([
    [new StorageStopped(), 1],
    [new Database.SqliteError('x', 'SQLITE_CORRUPT'), 1],
    [new Database.SqliteError('x', 'SQLITE_IOERR_READ'), 1],
    // A full disk may have space again.
    [new Database.SqliteError('x', 'SQLITE_FULL'), 12],
  ])('ends silently if the outbox has failed, which was reported already: %s', async (error, runs) => {
    const { loop, clock, logger, ranAt } = loopWith(async () => {
      throw error
    })
    await clock.turn(10 * MINUTE)
    loop.wake()
    await clock.settle()
    expect([ranAt.length, logger.lines.length]).toEqual([runs, runs === 1 ? 0 : runs])
    await loop.close()
  })

  it('ends with its run, and never runs again', async () => {
    const gate = Promise.withResolvers<number>()
    const { loop, clock, ranAt } = loopWith(() => gate.promise)
    let isClosed = false
    void loop.close().then(() => (isClosed = true))
    await clock.settle()
    expect(isClosed).toBe(false)
    gate.resolve(1_000)
    await clock.turn(MINUTE)
    loop.wake()
    await clock.turn(MINUTE)
    expect([isClosed, ranAt.length]).toEqual([true, 1])
  })
})

it('tasks of one queue run one after the other, also after one that failed', async () => {
  const inTurn = serially()
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = inTurn(async () => {
    await first.promise
    log.push('first')
    throw new Error('failed')
  })
  const second = inTurn(() => Promise.resolve(log.push('second')))
  first.resolve()
  await expect(failing).rejects.toThrow('failed')
  expect(await second).toBe(2)
  expect(log).toEqual(['first', 'second'])
})

describe('a list in time slices', () => {
  const ITEMS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

  /** A clock on which every reading is so much later. */
  function clockWith(stepMs: number): { readonly monotonicMs: () => number } {
    let now = 0
    return { monotonicMs: () => (now += stepMs) }
  }

  it.each([
    [5, '1-4 5-8 9-10'],
    [100, '1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 9-9 10-10'],
    [0, '1-10'],
  ])('has as many as fit into twenty milliseconds of %i each, and at least one', async (stepMs, expected) => {
    const slices: string[] = []
    await eachTimeSlice(ITEMS, clockWith(stepMs), (slice) => {
      const items = [...slice]
      slices.push(`${items[0]}-${items.at(-1)}`)
    })
    expect(slices.join(' ')).toBe(expected)
  })

  it('repeats a slice if its work is run again, and resumes after its end', async () => {
    const slices: string[] = []
    await eachTimeSlice(ITEMS, clockWith(10), (slice) => {
      slices.push([...slice].join(), [...slice].join())
    })
    expect(slices).toEqual(['1,2', '3,4', '5,6', '7,8', '9,10'].flatMap((slice) => [slice, slice]))
  })

  it('yields the thread between two slices, and not before the first', async () => {
    const order: string[] = []
    const done = eachTimeSlice([1, 2, 3], clockWith(100), (slice) => void order.push([...slice].join()))
    order.push('called')
    setImmediate(() => order.push('others'))
    await done
    expect(order.slice(0, 3)).toEqual(['1', 'called', '2'])
    expect(order).toContain('others')
  })

  it('does nothing with nothing, and stops if a slice is not worked through', async () => {
    await eachTimeSlice([], clockWith(1), () => expect.unreachable())
    await expect(eachTimeSlice(ITEMS, clockWith(1), () => undefined)).rejects.toThrow('not worked through')
  })
})

describe('a limited wait', () => {
  const begun: string[] = []
  const ask = (name: string, answer: Promise<string>) => () => {
    begun.push(name)
    return answer
  }

  it('answers in time, and passes errors on, however long it could have waited', async () => {
    const clock = new ManualClock()
    const wait = limitedWaits(clock, MINUTE)
    expect(await wait('/a', ask('one', Promise.resolve('here')))).toBe('here')
    await expect(wait('/a', ask('two', Promise.reject(new Error('gone'))))).rejects.toThrow('gone')
    await clock.turn(2 * MINUTE)
    expect(await wait('/a', ask('three', Promise.resolve('still here')))).toBe('still here')
  })

  it('ends at once for what cannot even begin, and that hangs no longer', async () => {
    const clock = new ManualClock()
    const wait = limitedWaits(clock, MINUTE)
    const begin = (): Promise<string> => {
      throw new Error('not a path')
    }
    await expect(wait('/a', begin)).rejects.toThrow('not a path')
    await clock.turn(2 * MINUTE)
    expect(await wait('/a', ask('again', Promise.resolve('here')))).toBe('here')
  })

  it('ends for what hangs; nothing else is begun at that path until all of that ends, elsewhere it is', async () => {
    const clock = new ManualClock()
    const wait = limitedWaits(clock, MINUTE)
    const [one, two] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const failed: unknown[] = []
    for (const hanging of [one, two]) wait('/a', () => hanging.promise).catch((error) => failed.push(error))
    await clock.turn(MINUTE - 1)
    expect(failed).toEqual([])
    await clock.turn(1)
    expect(failed.map((error) => [error instanceof ShareSilent, (error as ShareSilent).code])).toEqual([
      [true, 'ETIMEDOUT'],
      [true, 'ETIMEDOUT'],
    ])
    begun.length = 0
    const next = (path: string) => wait(path, ask(path, Promise.resolve('here'))).catch(() => 'silent')
    expect([await next('/a'), await next('/b')]).toEqual(['silent', 'here'])
    one.resolve('late')
    await clock.settle()
    expect(await next('/a')).toBe('silent')
    two.reject(new Error('gone'))
    await clock.settle()
    expect(await next('/a')).toBe('here')
    expect(begun).toEqual(['/b', '/a'])
  })
})
