/** What `npm run serve` runs, in a project that has only what that decides. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../../tools/step.ts'
import { temporaryFolder } from './temporary-folder.ts'

const BUILT = [
  'out/main/main.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
  'out/headless/main.js',
]

/** `builtAt`: in seconds, beside sources of the second 1,000; null if nothing was built. */
function servedIn(builtAt: number | null): string {
  const folder = temporaryFolder()
  const write = (path: string, content: string, at: number): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
    utimesSync(join(folder, path), at, at)
  }
  for (const name of ['serve.ts', 'step.ts', 'build-age.ts'])
    cpSync(join(projectFolder, 'tools', name), join(folder, 'tools', name))
  write('package.json', '{"type":"module"}', 1_000)
  write('src-main/headless/main.ts', "console.log('sources')", 1_000)
  for (const path of ['src-main/headless', 'src-main']) utimesSync(join(folder, path), 1_000, 1_000)
  if (builtAt !== null) for (const path of BUILT) write(path, "console.log('bundle')", builtAt)
  const { stdout } = spawnSync(process.execPath, ['tools/serve.ts'], { cwd: folder, encoding: 'utf8' })
  return stdout.trim()
}

it.each([
  ['what was built of its sources', 2_000, 'bundle'],
  ['its sources if what was built is of older ones, and nothing is there to build with', 500, 'sources'],
  ['its sources if nothing was built', null, 'sources'],
] as const)('the host is served from %s', (_what, builtAt, served) => {
  expect(servedIn(builtAt)).toBe(served)
})
