import { describe, expect, it } from 'vitest'
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
  const report = new RunReport('/project', {
    fileMs: 8_000,
    testMs: 3_000,
    journeyMs: 10_000,
    usualMs: 30_000,
  })
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

  it('names tests and files over their processor time, and what to do', () => {
    const tests = { 'at the limit': { processorMs: 3_000 }, 'over it': { processorMs: 3_100 } }
    const modules = [
      moduleOf('slow.test.ts', tests, { processorMs: 8_100 }),
      moduleOf('waiting.test.ts', {}, { wallMs: 60_000, processorMs: 8_000 }),
      moduleOf('test/end-to-end/way.test.ts', {}, { processorMs: 10_000 }),
    ]
    expect(reportOf([...modules, moduleOf('all.test.ts', {}, { processorMs: 8_000 })]).overLimit).toEqual([])
    expect(reportOf(modules).overLimit).toEqual([
      expect.stringMatching(/^slow\.test\.ts: 8\.1 s of processor time, at most 8\.0 s\. Share its set-up, /),
      expect.stringMatching(/^slow\.test\.ts > over it: 3\.1 s of processor time, at most 3\.0 s\. Share/),
    ])
  })
})
