import { defineConfig } from 'vitest/config'
import { quickRooms, slowRooms, testFiles } from './tools/test-rooms.ts'

/** What is polled for comes soon on a quiet machine, and in its own time beside others. */
const polls = (timeout: number): object => ({ expect: { poll: { timeout } } })
const QUICK = { testTimeout: 15_000, hookTimeout: 15_000, ...polls(10_000) }
/** Starting tsc, linters and builds takes seconds on a busy machine with two cores. */
const WITH_TOOLS = { testTimeout: 60_000, hookTimeout: 60_000, ...polls(20_000) }
const WITH_BROWSER = { testTimeout: 120_000, hookTimeout: 120_000, ...polls(20_000) }

/** What measures has the machine to itself; the others wait for stations and browsers most of the time, so two share it. */
const ROOMS: Record<
  keyof typeof slowRooms,
  { readonly maxWorkers?: number; readonly fileParallelism?: boolean; readonly globalSetup?: string[] }
> = {
  'end-to-end': { maxWorkers: 2, globalSetup: ['test/end-to-end/screens-once.ts'] },
  packaging: { fileParallelism: false },
  bench: { fileParallelism: false },
  chaos: { fileParallelism: false },
}

export default defineConfig({
  test: {
    projects: [
      ...Object.entries(quickRooms).map(([name, folders]) => ({
        test: {
          name,
          include: testFiles(folders),
          // Order 0 would be run after order 1 where a machine with two cores gives one worker.
          sequence: { groupOrder: 1 },
          maxWorkers: '100%',
          ...(name === 'renderer' && { setupFiles: ['test/src-renderer/speak-english.ts'] }),
          ...(name === 'architecture' ? WITH_TOOLS : QUICK),
        },
      })),
      ...Object.entries(slowRooms).map(([name, folders], index) => ({
        test: {
          name,
          include: testFiles(folders),
          // One room after the other, since each is asked for more than one core.
          sequence: { groupOrder: 2 + index },
          ...ROOMS[name as keyof typeof slowRooms],
          ...WITH_BROWSER,
        },
      })),
    ],
  },
})
