/** Runs all vitest projects of a folder inside this process and counts what became of each test. */
import { relative } from 'node:path'
import { startVitest, type TestCase } from 'vitest/node'

export type TestTally = {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly { readonly test: string; readonly reason: string }[]
}

/**
 * Progress and failures are printed by vitest's own reporter as they happen.
 *
 * A file that cannot be loaded and an error outside of any test each count as a failed test: neither has a test
 * that could fail in its place.
 */
export async function runVitest(folder: string): Promise<TestTally> {
  const vitest = await startVitest('test', [], { root: folder, watch: false, reporters: ['default'] })
  let passed = 0
  let failed = vitest.state.getUnhandledErrors().length
  const skipped: { test: string; reason: string }[] = []
  for (const module of vitest.state.getTestModules()) {
    failed += module.errors().length
    for (const suite of module.children.allSuites()) failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const result = test.result()
      if (result.state === 'passed') passed += 1
      else if (result.state === 'skipped')
        skipped.push({
          test: `${relative(folder, module.moduleId)} > ${test.fullName}`,
          reason: result.note ?? (hasBrokenStart(test) ? 'what comes before it failed' : 'no reason given'),
        })
      else failed += 1
    }
  }
  await vitest.close()
  return { passed, failed, skipped }
}

/** A hook around the test has failed, so that vitest did not run it. */
function hasBrokenStart(test: TestCase): boolean {
  for (let around = test.parent; ; around = around.parent) {
    if (around.errors().length > 0) return true
    if (around.type === 'module') return false
  }
}
