import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RunReport } from '../../tools/run-report.ts'

const projectFolder = resolve(import.meta.dirname, '../..')
const inOwnProcess = `
  const { startVitest } = await import('vitest/node')
  const { RunReport } = await import(${JSON.stringify(join(projectFolder, 'tools/run-report.ts'))})
  const folder = process.argv[1]
  const report = new RunReport(folder, { fileMs: 60_000, testMs: 100 })
  const vitest = await startVitest('test', [], { root: folder, watch: false, reporters: ['default', report] })
  await vitest.close()
  const { passed, failed, skipped, overLimit } = report
  process.stdout.write('TALLY ' + JSON.stringify({ passed, failed, skipped }) + '\\n')
  process.stdout.write('OVER ' + JSON.stringify(overLimit) + '\\n')
  process.exit(0)
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fundus-courier-tally-'))
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function run(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, code] of Object.entries(files))
    await writeFile(join(folder, name), `import { describe, expect, it } from 'vitest'\n${code}`)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', inOwnProcess, folder],
    { cwd: folder },
  )
  return stdout
}

async function tallyOf(files: Readonly<Record<string, string>>): Promise<unknown> {
  return JSON.parse(/^TALLY (.*)$/m.exec(await run(files))?.[1] ?? 'null')
}

describe('the sum of a test run', () => {
  it('counts what passed and failed, and keeps the reason of what was skipped', async () => {
    const tally = await tallyOf({
      'some.test.mjs': `
        it('passes', () => {})
        it('fails', () => { expect(1).toBe(2) })
        describe('a group', () => {
          it('is skipped for a reason', (context) => context.skip('no browser here'))
          it.skip('is skipped without one', () => {})
        })`,
    })
    expect(tally).toEqual({
      passed: 1,
      failed: 1,
      skipped: [
        { test: 'some.test.mjs > a group > is skipped for a reason', reason: 'no browser here' },
        { test: 'some.test.mjs > a group > is skipped without one', reason: 'no reason given' },
      ],
    })
  })

  it('counts a file that cannot be loaded, a hook that throws and a stray rejection as failed', async () => {
    const tally = await tallyOf({
      'broken.test.mjs': `throw new Error('cannot be loaded')`,
      'hook.test.mjs': `
        import { beforeAll } from 'vitest'
        describe('a group', () => { beforeAll(() => { throw new Error('hook') }); it('never runs', () => {}) })`,
      'stray.test.mjs': `it('passes', () => { void Promise.reject(new Error('stray')) })`,
    })
    expect(tally).toEqual({
      passed: 1,
      failed: 3,
      skipped: [{ test: 'hook.test.mjs > a group > never runs', reason: 'what comes before it failed' }],
    })
  })

  it('names the files that took longest, the slowest first', () => {
    const report = new RunReport(folder, null)
    for (let seconds = 1; seconds <= 12; seconds += 1)
      report.files.push({ file: `${seconds}.test.ts`, wallMs: seconds * 1_000, processorMs: 500 })
    const lines = report.slowestFiles()
    expect(lines).toHaveLength(10)
    expect(lines[0]).toMatch(/12\.0 s, 0\.5 s of processor time {2}12\.test\.ts$/)
    expect(lines.at(-1)).toMatch(/3\.0 s, 0\.5 s of processor time {2}3\.test\.ts$/)
  })

  it('names a test that takes too much of the processor, by itself or by a process, and none that only waits', async () => {
    const work = 'for (const until = process.cpuUsage().user + 200_000; process.cpuUsage().user < until; );'
    const setup = JSON.stringify(join(projectFolder, 'test/tools/processor-time.ts'))
    const output = await run({
      'vitest.config.mjs': `export default { test: { testTimeout: 30_000, setupFiles: [${setup}] } }`,
      'slow.test.mjs': `
        import { spawnSync } from 'node:child_process'
        it('works', () => { ${work} })
        it('lets work', () => { spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}]) })
        it('waits', () => new Promise((resolve) => setTimeout(resolve, 400)))`,
    })
    const over = JSON.parse(/^OVER (.*)$/m.exec(output)?.[1] ?? '[]') as string[]
    const children =
      process.platform === 'linux' ? [expect.stringMatching(/^slow\.test\.mjs > lets work: /)] : []
    expect(over).toEqual([expect.stringMatching(/^slow\.test\.mjs > works: .* at most 0\.1 s$/), ...children])
  })

  it('is nothing where there are no tests', async () => {
    expect(await tallyOf({})).toEqual({ passed: 0, failed: 0, skipped: [] })
  })
})
