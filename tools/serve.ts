/**
 * `npm run serve`: the headless host from its bundle, which is built first if a source is younger. Node remembers what it has
 * compiled of it. Without the tools that build, as after `npm ci --omit=dev`, it runs what was built of these sources, or the
 * sources themselves: never what was built of older ones.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBuildCurrent } from './build-age.ts'
import { projectFolder } from './step.ts'

const BUNDLE = join('out', 'headless', 'main.js')
const SOURCES = join('src-main', 'headless', 'main.ts')

const isCurrent = isBuildCurrent(projectFolder, [BUNDLE])
const isBuilding = !isCurrent && existsSync(join(projectFolder, 'node_modules', 'vite'))
if (isBuilding) {
  console.error('Building the station and its screens …')
  // Its output goes to stderr: stdout carries the one line that scripts wait for.
  const child = spawn(process.execPath, [join(projectFolder, 'tools', 'build.ts')], {
    stdio: ['ignore', 2, 2],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) process.exit(1)
}

const main = join(projectFolder, isCurrent || isBuilding ? BUNDLE : SOURCES)
// Beside the build and not in a folder for all accounts: what lies there is run. Its processes take it from the environment.
process.env['NODE_COMPILE_CACHE'] = join(projectFolder, 'out', 'compile-cache')
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
process.argv[1] = main
await import(pathToFileURL(main).href)
