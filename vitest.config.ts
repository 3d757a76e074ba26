import { defineConfig } from 'vitest/config'

/** The rooms of the test house: a folder belongs to exactly one, so that no test is run twice or never. */
const rooms = {
  shared: ['test/src-shared'],
  station: ['test/src-main/station'],
  hosts: ['test/src-main/headless', 'test/src-main/electron'],
  renderer: ['test/src-renderer'],
  practice: ['test/practice-service', 'test/by-the-book-service', 'test/camera', 'test/demo'],
  architecture: ['test/architecture', 'test/tools'],
} as const

const QUICK = { testTimeout: 15_000, hookTimeout: 15_000 }

export default defineConfig({
  test: {
    projects: [
      ...Object.entries(rooms).map(([name, folders]) => ({
        test: {
          name,
          include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          // Order 0 would be run after order 1 where a machine with two cores gives one worker.
          sequence: { groupOrder: 1 },
          maxWorkers: '100%',
          // Starting tsc and the linters takes seconds on a busy machine with two cores.
          ...(name === 'architecture' ? { testTimeout: 60_000, hookTimeout: 60_000 } : QUICK),
        },
      })),
      {
        test: {
          name: 'end-to-end',
          include: ['test/end-to-end/**/*.test.{ts,tsx}'],
          // Each starts a station and a browser: one at a time, after all others, with the machine to itself.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
