import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../tools/temporary-folder.ts'
import type { Figure } from './figures.ts'

const PROJECT = resolve(import.meta.dirname, '../..')

async function bench(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const main = join(PROJECT, 'test/bench/main.ts')
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

it.runIf(process.platform === 'linux')(
  'the smallest bench shows every row, writes its results, and leaves nothing behind',
  async () => {
    const [out, work] = [temporaryFolder(), temporaryFolder()]
    const { code, output } = await bench('--quick', '--out', out, '--work', work)
    expect(output).toContain('verdict')
    expect(code).toBe(0)
    const results = JSON.parse(await readFile(join(out, 'bench-results.json'), 'utf8')) as {
      readonly figures: readonly (Figure & { readonly verdict: string })[]
    }
    expect([...new Set(results.figures.map(({ row }) => row))]).toEqual([
      'intake',
      'old-files',
      'visible',
      'outbox',
      'screens',
      'delivery',
    ])
    expect(results.figures.filter(({ value }) => value === null).map(({ what }) => what)).toEqual([
      'side by side: at rest, first start',
      'side by side: at rest, second start',
    ])
    expect(results.figures.filter(({ verdict }) => verdict === 'not measured')).toEqual([])
    for (const { what } of results.figures) expect(output).toContain(what)
    expect(await readdir(work)).toEqual([])
  },
  400_000,
)
