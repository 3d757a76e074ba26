/** Commits that become durable together: who waits for which flush, on a disk whose flushes a test ends. */
import type * as Fs from 'node:fs'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { openCommitFlush } from '../../../../src-main/station/outbox/flush.ts'

type End = (error: Error | null) => void

const { disk } = vi.hoisted(() => ({ disk: { ends: [] as End[], isHeld: false } }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>()
  return {
    ...real,
    fdatasync: (file: number, end: End) =>
      disk.isHeld ? void disk.ends.push(end) : real.fdatasync(file, end),
  }
})

beforeEach(() => {
  disk.ends = []
  disk.isHeld = true
})

function opened() {
  const log = join(mkdtempSync(join(tmpdir(), 'fundus-courier-flush-')), 'log')
  writeFileSync(log, '')
  const failed = vi.fn()
  const flush = openCommitFlush(log, failed)
  const done: string[] = []
  return {
    flush,
    failed,
    done,
    wait: (name: string): void =>
      void flush.durable().then(
        () => done.push(name),
        () => done.push(`${name} refused`),
      ),
    /** Ends the flush that runs. */
    end: async (error: Error | null = null): Promise<void> => {
      disk.ends.shift()?.(error)
      await new Promise((resolve) => setImmediate(resolve))
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

it('one flush serves all who waited before it began; who comes amid it waits for the next', async () => {
  const { flush, done, wait, end, turn } = opened()
  flush.committed()
  flush.committed()
  wait('one')
  wait('two')
  await turn()
  expect([disk.ends.length, done]).toEqual([1, []])
  flush.committed()
  wait('late')
  await end()
  expect(done).toEqual(['one', 'two'])
  await end()
  expect([done, disk.ends.length]).toEqual([['one', 'two', 'late'], 0])
})

it('a commit that no one waits for is flushed all the same, and nothing is flushed without one', async () => {
  const { flush, done, wait, end, turn } = opened()
  await turn()
  expect(disk.ends).toHaveLength(0)
  wait('nothing to wait for')
  await turn()
  expect([done, disk.ends.length]).toEqual([['nothing to wait for'], 0])
  flush.committed()
  await turn()
  expect(disk.ends).toHaveLength(1)
  flush.committed()
  flush.committed()
  await turn()
  // One at a time.
  expect(disk.ends).toHaveLength(1)
  await end()
  expect(disk.ends).toHaveLength(1)
  await end()
  expect(disk.ends).toHaveLength(0)
})

it('a flush that the disk refuses is refused to all who wait, and reported', async () => {
  const { flush, failed, done, wait, end, turn } = opened()
  flush.committed()
  wait('one')
  await turn()
  await end(Object.assign(new Error('EIO'), { code: 'EIO' }))
  expect([done, failed.mock.calls.length]).toEqual([['one refused'], 1])
})

it('after a close nothing counts as durable any more', async () => {
  disk.isHeld = false
  const { flush, done, wait, turn } = opened()
  flush.committed()
  flush.makeDurable()
  wait('one')
  flush.committed()
  flush.close()
  wait('two')
  await turn()
  expect(done).toEqual(['one', 'two refused'])
})

it('what a blocking flush made durable stays so when the one that ran before it ends', async () => {
  const { flush, done, wait, end, turn } = opened()
  flush.committed()
  await turn()
  flush.committed()
  wait('late')
  flush.makeDurable()
  flush.close()
  await end()
  expect(done).toEqual(['late'])
})
