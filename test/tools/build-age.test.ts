import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { isBuildCurrent } from '../../tools/build-age.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('a build is current if it is whole, until a source is younger or gone', () => {
  const folder = temporaryFolder()
  /** A file, and all folders above it, of that age in seconds since the epoch. */
  const put = (seconds: number, ...paths: readonly string[]): void => {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), '')
      for (let part = path; part !== '.'; part = dirname(part))
        utimesSync(join(folder, part), seconds, seconds)
    }
  }
  put(100, 'src-main/electron/main.ts', 'src-shared/old.ts', 'package.json')
  expect(isBuildCurrent(folder)).toBe(false)
  put(200, 'out/main/main.js')
  expect(isBuildCurrent(folder)).toBe(false)
  put(200, 'out/preload/preload.cjs', 'out/renderer/index.html')
  expect(isBuildCurrent(folder)).toBe(true)
  expect(isBuildCurrent(folder, ['out/headless/main.js'])).toBe(false)
  put(200, 'out/headless/main.js')
  expect(isBuildCurrent(folder, ['out/headless/main.js'])).toBe(true)
  rmSync(join(folder, 'src-shared/old.ts'))
  expect(isBuildCurrent(folder)).toBe(false)
  put(100, 'src-shared/old.ts')
  expect(isBuildCurrent(folder)).toBe(true)
  put(201, 'src-renderer/queue/row.tsx')
  expect(isBuildCurrent(folder)).toBe(false)
})
