import { describe, expect, it } from 'vitest'
import { askFreeBytes } from '../../../../src-main/station/lib/files.ts'
import {
  classifySpace,
  formatBytes,
  hasSpaceFor,
  lowSpaceFailure,
  mayMakeBallast,
  openDiskMonitor,
  type Space,
} from '../../../../src-main/station/storage/disk.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const MEBIBYTE = 1_024 * 1_024

describe('the space of a volume', () => {
  it.each([
    // Before, free, low water, then.
    ['enough', 1_000, 1_000, 'enough'],
    ['enough', 999, 1_000, 'low'],
    ['low', 1_000, 1_000, 'low'],
    ['low', 1_099, 1_000, 'low'],
    ['low', 1_101, 1_000, 'enough'],
    ['enough', 0, 1_000, 'low'],
    ['enough', 0, 0, 'enough'],
    ['low', 0, 0, 'enough'],
    ['enough', null, 1_000, 'enough'],
    ['low', null, 1_000, 'enough'],
  ] as const)('that was %s, with %s free and a mark at %s, is %s', (before, free, mark, expected) => {
    expect(classifySpace(before, free, mark)).toBe(expected)
  })

  it.each([
    [100, 1_200, 1_000, true],
    [101, 1_200, 1_000, false],
    [10 ** 12, null, 1_000, true],
    [0, 1_000, 1_000, true],
  ] as const)('for a file of %s, with %s free and a mark at %s: %s', (bytes, free, mark, expected) => {
    expect(hasSpaceFor(bytes, free, mark)).toBe(expected)
  })

  it.each([
    [100, 1_200, 1_000, 0, true],
    [101, 1_200, 1_000, 0, false],
    // Of another size before: what it holds it gives back.
    [200, 1_200, 1_000, 100, true],
    [10, null, 1_000, 0, false],
  ] as const)(
    'for a ballast of %s, with %s free, a mark at %s and %s held: %s',
    (bytes, free, mark, held, expected) => {
      expect(mayMakeBallast(bytes, free, mark, held)).toBe(expected)
    },
  )

  it('is asked of the system, and of what is no folder no one knows', async () => {
    expect(await askFreeBytes(temporaryFolder())).toBeGreaterThan(0)
    expect(await askFreeBytes('/nowhere/at/all')).toBeNull()
  })

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_536, '1.5 KB'],
    [812 * MEBIBYTE, '812 MB'],
    [1_024 * MEBIBYTE, '1.0 GB'],
    [15 * 1_024 * MEBIBYTE, '15 GB'],
  ] as const)('of %s bytes reads %s', (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected)
  })
})

async function setUp(free: number | null) {
  const clock = new ManualClock()
  const notified: Space[] = []
  const made = { clock, notified, free, mark: 1_024 * MEBIBYTE, asked: 0 }
  const watch = openDiskMonitor({
    clock,
    logger: createRecordingLogger(),
    settings: () => ({ ...settingsSchema.parse({}).storage, lowWaterBytes: made.mark }),
    askFree: () => {
      made.asked += 1
      return Promise.resolve(made.free)
    },
    onChanged: (space) => void notified.push(space),
  })
  await clock.settle()
  return Object.assign(made, { watch })
}

describe('the watch over the disk', () => {
  it('says with the free space what waits and what to do, and stops saying it on its own', async () => {
    const made = await setUp(812 * MEBIBYTE)
    expect(made.watch.failure()).toMatchObject({
      kind: 'diskLow',
      message: expect.stringContaining('Only 812 MB are free') as string,
      wording: { key: 'outbox:disk.low', values: { free: '812 MB', reserve: '1.0 GB' } },
    })
    expect(made.watch.failure()).toEqual(lowSpaceFailure(812 * MEBIBYTE, 1_024 * MEBIBYTE))
    made.free = 1_050 * MEBIBYTE
    await made.clock.turn(30_000)
    expect(made.watch.failure()?.message).toContain('Only 1.0 GB')
    made.free = 2_000 * MEBIBYTE
    await made.clock.turn(30_000)
    expect([made.watch.failure(), made.notified]).toEqual([null, ['low', 'enough']])
    await made.watch.close()
  })

  it('asks every half minute, and before a large file', async () => {
    const made = await setUp(2_000 * MEBIBYTE)
    expect(made.asked).toBe(1)
    expect(await made.watch.mayIngest(MEBIBYTE)).toBe(true)
    expect(made.asked).toBe(1)
    made.free = 1_100 * MEBIBYTE
    expect(await made.watch.mayIngest(50 * MEBIBYTE)).toBe(false)
    expect(await made.watch.mayIngest(30 * MEBIBYTE)).toBe(true)
    expect(made.notified).toEqual([])
    made.free = 900 * MEBIBYTE
    expect(await made.watch.mayIngest(30 * MEBIBYTE)).toBe(false)
    expect(made.notified).toEqual(['low'])
    expect(await made.watch.mayIngest(1)).toBe(false)
    await made.clock.turn(60_000)
    expect(made.asked).toBe(6)
    await made.watch.close()
  })

  it('counts what it grants between two looks, so that many small files stay above the mark, too', async () => {
    const made = await setUp(1_124 * MEBIBYTE)
    const granted = async (files: number): Promise<number> => {
      let count = 0
      for (let file = 0; file < files; file += 1) if (await made.watch.mayIngest(8 * MEBIBYTE)) count += 1
      return count
    }
    // Nothing of it is on the disk yet, and the disk is not asked for each.
    expect([await granted(6), made.asked]).toEqual([6, 1])
    // At the mark the disk is asked: only one copy was made of each, and there is space for another.
    made.free = 1_076 * MEBIBYTE
    expect([await granted(1), made.asked]).toEqual([1, 2])
    // A copy that is being made while the disk is asked is not forgotten.
    made.free = 1_060 * MEBIBYTE
    const both = await Promise.all([made.watch.mayIngest(16 * MEBIBYTE), made.watch.mayIngest(8 * MEBIBYTE)])
    expect(both.filter(Boolean)).toHaveLength(1)
    await made.watch.close()
  })

  it('goes by a mark that was changed, at once', async () => {
    const made = await setUp(500 * MEBIBYTE)
    made.mark = 100 * MEBIBYTE
    made.watch.check()
    await made.clock.settle()
    expect([made.watch.failure(), made.notified]).toEqual([null, ['low', 'enough']])
    await made.watch.close()
  })

  it('has no trouble with a volume that does not say, or does not answer', async () => {
    const made = await setUp(null)
    expect([made.watch.failure(), await made.watch.mayIngest(10 ** 12)]).toEqual([null, true])
    await made.watch.close()
    const clock = new ManualClock()
    const silent = openDiskMonitor({
      clock,
      logger: createRecordingLogger(),
      settings: () => settingsSchema.parse({}).storage,
      askFree: () => new Promise(() => undefined),
      onChanged: () => undefined,
    })
    const large = silent.mayIngest(100 * MEBIBYTE)
    await clock.turn(5_000)
    expect(await large).toBe(true)
    await silent.close()
  })
})
