/** A vitest reporter that counts results and finds slow files; vitest's own prints failures. */
import { relative } from 'node:path'
import type { TaskMeta } from 'vitest'
import type { Reporter } from 'vitest/node'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface TaskMeta {
    /** Set by test/tools/processor-time.ts. */
    processorMs?: number
  }
}

/** What is read of vitest's modules, suites and tests. */
type Group = {
  readonly type: 'module' | 'suite'
  readonly parent?: Group
  errors(): readonly unknown[]
}

export type ReportedTest = {
  readonly fullName: string
  readonly parent: Group
  meta(): TaskMeta
  result(): { readonly state: string; readonly note?: string | undefined }
}

export type ReportedModule = Group & {
  readonly moduleId: string
  readonly children: { allSuites(): Iterable<Group>; allTests(): Iterable<ReportedTest> }
  meta(): TaskMeta
  diagnostic(): { readonly duration: number; readonly collectDuration: number }
}

type SkippedTest = { readonly test: string; readonly reason: string }

export type FileTime = {
  readonly file: string
  /** From its start to its end, waiting included. */
  readonly wallMs: number
  readonly processorMs: number
}

/**
 * The most processor time that a test, a file, and a file that starts a station and drives a browser may take, so that a
 * run stays quick. They hold if all files together take `usualMs`: a slower machine widens them alike.
 */
export type ProcessorLimits = {
  readonly fileMs: number
  readonly testMs: number
  readonly journeyMs: number
  readonly usualMs: number
}

const SLOWEST_FILES = 10

const TOO_SLOW_ADVICE =
  'Share its set-up, make it a table test of the decision, or move it to the long run in tools/test-projects.ts.'

/** Adds up the vitest runs that report to it. */
export class RunReport implements Reporter {
  succeeded = 0
  failed = 0
  readonly skipped: SkippedTest[] = []
  readonly files: FileTime[] = []
  readonly #measured: { readonly what: string; readonly processorMs: number; readonly most: number }[] = []
  readonly #folder: string
  readonly #limits: ProcessorLimits | null

  /** Null: nothing is limited. */
  constructor(folder: string, limits: ProcessorLimits | null) {
    this.#folder = folder
    this.#limits = limits
  }

  /**
   * A file that cannot be loaded and an error outside of any test each count as a failed test: no test can fail for
   * them.
   */
  onTestRunEnd(modules: readonly ReportedModule[], unhandledErrors: readonly unknown[]): void {
    this.failed += unhandledErrors.length
    for (const module of modules) this.#addFile(module)
  }

  /** The files that took longest, slowest first, as lines to print. */
  slowestFiles(): readonly string[] {
    return this.files
      .toSorted((one, other) => other.wallMs - one.wallMs)
      .slice(0, SLOWEST_FILES)
      .map(
        ({ file, wallMs, processorMs }) =>
          `${inSeconds(wallMs).padStart(9)}, ${inSeconds(processorMs)} of processor time  ${file}`,
      )
  }

  #addFile(module: ReportedModule): void {
    const file = relative(this.#folder, module.moduleId)
    const { duration, collectDuration } = module.diagnostic()
    const { processorMs = 0 } = module.meta()
    this.files.push({ file, wallMs: duration + collectDuration, processorMs })
    const isJourney = file.startsWith('test/end-to-end/')
    this.#limit(file, processorMs, isJourney ? this.#limits?.journeyMs : this.#limits?.fileMs)
    this.failed += module.errors().length
    for (const suite of module.children.allSuites()) this.failed += suite.errors().length
    for (const test of module.children.allTests()) this.#addTest(test, `${file} > ${test.fullName}`)
  }

  #limit(what: string, processorMs: number, most = Infinity): void {
    this.#measured.push({ what, processorMs, most })
  }

  /** Of all files. */
  get processorMs(): number {
    return this.files.reduce((sum, { processorMs }) => sum + processorMs, 0)
  }

  /** Tests and files over their limit of processor time, as lines to print. Each fails the run. */
  get overLimit(): readonly string[] {
    const slowness = Math.max(1, this.processorMs / (this.#limits?.usualMs ?? Infinity))
    return this.#measured.flatMap(({ what, processorMs, most }) =>
      processorMs > most * slowness
        ? `${what}: ${inSeconds(processorMs)} of processor time, at most ${inSeconds(most * slowness)}. ${TOO_SLOW_ADVICE}`
        : [],
    )
  }

  #addTest(test: ReportedTest, name: string): void {
    this.#limit(name, test.meta().processorMs ?? 0, this.#limits?.testMs)
    const result = test.result()
    if (result.state === 'passed') this.succeeded += 1
    else if (result.state === 'skipped')
      this.skipped.push({
        test: name,
        reason: result.note ?? (hasBrokenStart(test) ? 'a hook before it failed' : 'no reason given'),
      })
    else this.failed += 1
  }
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** A hook around the test has failed, so that vitest did not run it. */
function hasBrokenStart(test: ReportedTest): boolean {
  for (let around: Group | undefined = test.parent; around !== undefined; around = around.parent)
    if (around.errors().length > 0) return true
  return false
}
