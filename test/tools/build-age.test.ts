import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBuildCurrent } from '../../tools/build-age.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fundus-courier-age-'))
  await put('src-main/electron/main.ts', 100)
  await put('package.json', 90)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A file, and all folders above it, of that age in seconds since the epoch. */
async function put(path: string, seconds: number): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), '')
  for (let part = path; part !== '.'; part = dirname(part)) await utimes(join(folder, part), seconds, seconds)
}

async function putBuild(seconds: number): Promise<void> {
  for (const path of ['out/main/main.js', 'out/preload/preload.cjs', 'out/renderer/index.html'])
    await put(path, seconds)
}

describe('a build', () => {
  it('is not current where there is none, or only a part of it', async () => {
    expect(isBuildCurrent(folder)).toBe(false)
    await put('out/main/main.js', 200)
    expect(isBuildCurrent(folder)).toBe(false)
  })

  it('is current until a source is younger', async () => {
    await putBuild(200)
    expect(isBuildCurrent(folder)).toBe(true)
    await put('src-renderer/queue/row.tsx', 201)
    expect(isBuildCurrent(folder)).toBe(false)
  })

  it('is not current where a source has gone', async () => {
    await put('src-shared/old.ts', 100)
    await putBuild(200)
    expect(isBuildCurrent(folder)).toBe(true)
    await rm(join(folder, 'src-shared/old.ts'))
    expect(isBuildCurrent(folder)).toBe(false)
  })
})
