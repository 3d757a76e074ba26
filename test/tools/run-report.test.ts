import { spawnSync } from 'node:child_process'
import { describe, expect, it, type TestContext } from 'vitest'
import { RunReport, type ReportedModule, type ReportedTest } from '../../tools/run-report.ts'

type Result = Partial<ReturnType<ReportedTest['result']>> & { readonly processorMs?: number }

/** A module of one suite, with these tests by name. */
function moduleOf(
  name: string,
  tests: Readonly<Record<string, Result>>,
  { errors = 0, suiteErrors = 0, processorMs = 0, wallMs = 0 } = {},
): ReportedModule {
  const listOf = (count: number) => () => Array<unknown>(count).fill('an error')
  const module: ReportedModule = {
    type: 'module',
    moduleId: `/project/${name}`,
    errors: listOf(errors),
    meta: () => ({ processorMs }),
    diagnostic: () => ({ duration: wallMs, collectDuration: 0 }),
    children: {
      allSuites: () => [suite],
      allTests: () =>
        Object.entries(tests).map(([fullName, { state = 'passed', note, processorMs = 0 }]) => ({
          fullName,
          parent: suite,
          meta: () => ({ processorMs }),
          result: () => ({ state, note }),
        })),
    },
  }
  const suite = { type: 'suite', parent: module, errors: listOf(suiteErrors) } as const
  return module
}

function reportOf(modules: readonly ReportedModule[], errors: readonly unknown[] = []): RunReport {
  const report = new RunReport('/project', { fileMs: 8_000, testMs: 3_000 })
  report.onTestRunEnd(modules, errors)
  return report
}

describe('the sum of a test run', () => {
  it('counts results, and remembers why a test was skipped', () => {
    const skipped = { state: 'skipped' }
    const module = moduleOf('some.test.ts', {
      succeeds: {},
      fails: { state: 'failed' },
      explained: { ...skipped, note: 'no browser here' },
      unexplained: skipped,
    })
    expect(reportOf([module])).toMatchObject({
      succeeded: 1,
      failed: 1,
      skipped: [
        { test: 'some.test.ts > explained', reason: 'no browser here' },
        { test: 'some.test.ts > unexplained', reason: 'no reason given' },
      ],
    })
  })

  it('counts a file that cannot be loaded, a hook that throws and a stray rejection as failed', () => {
    const modules = [
      moduleOf('broken.test.ts', {}, { errors: 1 }),
      moduleOf('hook.test.ts', { 'never runs': { state: 'skipped' } }, { suiteErrors: 1 }),
    ]
    expect(reportOf(modules, ['stray'])).toMatchObject({
      succeeded: 0,
      failed: 3,
      skipped: [{ test: 'hook.test.ts > never runs', reason: 'a hook before it failed' }],
    })
  })

  it('names the slowest files first', () => {
    const modules = Array.from({ length: 12 }, (_, index) =>
      moduleOf(`${index + 1}.test.ts`, {}, { wallMs: (index + 1) * 1_000, processorMs: 500 }),
    )
    const lines = reportOf(modules).slowestFiles()
    expect(lines).toHaveLength(10)
    expect(lines[0]).toMatch(/12\.0 s, 0\.5 s of processor time {2}12\.test\.ts$/)
    expect(lines.at(-1)).toMatch(/3\.0 s, 0\.5 s of processor time {2}3\.test\.ts$/)
  })

  it('names tests and files over their processor time, and what to do', () => {
    const tests = { 'at the limit': { processorMs: 3_000 }, 'over it': { processorMs: 3_100 } }
    const modules = [
      moduleOf('slow.test.ts', tests, { processorMs: 8_100 }),
      moduleOf('waiting.test.ts', {}, { wallMs: 60_000, processorMs: 8_000 }),
    ]
    expect(reportOf(modules).overLimit).toEqual([
      expect.stringMatching(/^slow\.test\.ts: 8\.1 s of processor time, at most 8\.0 s\. Share its set-up, /),
      expect.stringMatching(/^slow\.test\.ts > over it: 3\.1 s of processor time, at most 3\.0 s\. Share/),
    ])
  })
})

describe('the processor time of a test', () => {
  const work = (): void => {
    const usedMicroseconds = (): number => process.cpuUsage().user + process.cpuUsage().system
    const until = usedMicroseconds() + 60_000
    while (usedMicroseconds() < until);
  }
  const tasks: Partial<Record<'works' | 'spawns' | 'waits', TestContext['task']>> = {}

  it('counts its own work', ({ task }) => {
    tasks.works = task
    work()
  })

  it('counts the processes that it started', ({ task }) => {
    tasks.spawns = task
    spawnSync(process.execPath, ['-e', `(${String(work)})()`])
  })

  it('does not count waiting', async ({ task }) => {
    tasks.waits = task
    await new Promise((resolve) => setTimeout(resolve, 120))
  })

  it('is in its meta data afterwards', () => {
    expect(tasks.works?.meta.processorMs).toBeGreaterThan(50)
    if (process.platform === 'linux') expect(tasks.spawns?.meta.processorMs).toBeGreaterThan(50)
    expect(tasks.waits?.meta.processorMs).toBeLessThan(50)
  })
})
