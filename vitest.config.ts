import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestUserConfig } from 'vitest/config'
import { testProjects, type ProjectName } from './tools/test-projects.ts'

// A station starts threads, and reading their sources takes longer than all else of its start; Node remembers them here.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')

/** What is polled for comes soon on a quiet machine, and in its own time beside others. */
const polls = (timeout: number): TestUserConfig => ({ expect: { poll: { timeout } } })
const QUICK: TestUserConfig = { testTimeout: 15_000, hookTimeout: 15_000, ...polls(10_000) }
/** Starting tsc, linters and builds takes seconds on a busy machine with two cores. */
const WITH_TOOLS: TestUserConfig = { testTimeout: 60_000, hookTimeout: 60_000, ...polls(20_000) }
const WITH_BROWSER: TestUserConfig = { testTimeout: 120_000, hookTimeout: 120_000, ...polls(20_000) }

/**
 * Specs of modules without a state of their own share one module graph in a thread: most of their time was the import of
 * the same modules.
 */
const SHARED_THREADS: TestUserConfig = { pool: 'threads', isolate: false }
const SPEAK_ENGLISH = 'test/src-renderer/speak-english.ts'
const NO_ELECTRON = fileURLToPath(new URL('test/src-main/electron/no-electron.ts', import.meta.url))
const ONE_SHARP = fileURLToPath(new URL('test/tools/one-sharp.ts', import.meta.url))
/** First, so that its hooks are the outermost. */
const PROCESSOR_TIME = 'test/tools/processor-time.ts'

/** One more than cores: a spec waits for a disk or a process part of its time. */
const WORKERS = availableParallelism() + 1

/** The package only finds Electron's runtime, or loads it from the network: no spec may have it do so. */
const WITHOUT_ELECTRON: TestUserConfig = { alias: { electron: NO_ELECTRON } }

const BROWSER_AND_APP: TestUserConfig = {
  ...WITH_BROWSER,
  ...WITHOUT_ELECTRON,
  // A journey waits for its station and its browser most of the time.
  maxWorkers: 2,
  globalSetup: ['test/end-to-end/screens-once.ts'],
}
/** What measures has the machine to itself. */
const ALONE: TestUserConfig = { fileParallelism: false }

const OPTIONS: Readonly<Record<ProjectName, TestUserConfig>> = {
  shared: { ...QUICK, ...SHARED_THREADS },
  renderer: { ...QUICK, ...SHARED_THREADS, setupFiles: [PROCESSOR_TIME, SPEAK_ENGLISH] },
  components: {
    ...QUICK,
    ...SHARED_THREADS,
    environment: 'happy-dom',
    setupFiles: [PROCESSOR_TIME, SPEAK_ENGLISH],
  },
  isolated: { ...QUICK, ...WITHOUT_ELECTRON, setupFiles: [PROCESSOR_TIME, SPEAK_ENGLISH] },
  /** A process for each core, which keeps its modules from file to file. */
  hosts: { ...QUICK, ...WITHOUT_ELECTRON, isolate: false },
  tools: { ...WITH_TOOLS, isolate: false },
  clinical: { ...QUICK, ...SHARED_THREADS },
  /** In processes: most specs start some, which is the slower the more memory their own has (`fork`). */
  station: { ...QUICK, isolate: false },
  /** A page for each process, which keeps its modules from file to file. */
  'end-to-end': { ...BROWSER_AND_APP, maxWorkers: WORKERS, isolate: false },
  'station-long': QUICK,
  damage: QUICK,
  'end-to-end-long': BROWSER_AND_APP,
  packaging: { ...WITH_BROWSER, ...ALONE },
  chaos: { ...WITH_BROWSER, ...ALONE },
}

/** Order 0 would be run after order 1 where a machine with two cores gives one worker. */
const orderOf = (name: string, index: number): number =>
  testProjects[name as ProjectName].layer === 'processes' ? 2 + index : 1

export default defineConfig({
  test: {
    projects: Object.entries(testProjects).map(([name, { include, exclude, layer }], index) => ({
      resolve: { alias: { sharp: ONE_SHARP } },
      test: {
        name,
        include: [...include],
        ...(exclude && { exclude: [...exclude] }),
        // One project after the other if each asks for more than one core.
        sequence: { groupOrder: orderOf(name, index) },
        setupFiles: [PROCESSOR_TIME],
        ...(layer !== 'processes' && { maxWorkers: WORKERS }),
        ...OPTIONS[name as ProjectName],
      },
    })),
  },
})
