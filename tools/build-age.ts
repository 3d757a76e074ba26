/** Whether what was built is younger than everything that it was built from. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  'src-shared',
  'src-main',
  'src-renderer',
  'package.json',
  'electron.vite.config.ts',
  'vite.renderer.config.ts',
]
/** Each of the three builds leaves one of these. */
const BUILT = ['out/main/main.js', 'out/preload/preload.cjs', 'out/renderer/index.html']

/** `beside`: what must have been built beside the desktop app. */
export function isBuildCurrent(folder: string, beside: readonly string[] = []): boolean {
  const built = [...BUILT, ...beside].map(
    (path) => statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return Math.min(...built) > Math.max(...SOURCES.map((path) => youngestIn(join(folder, path))))
}

/** The latest change under a path, epoch milliseconds; 0 if there is nothing. */
function youngestIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  // A folder's own time changes when a file in it goes.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => youngestIn(join(path, name))))
}
