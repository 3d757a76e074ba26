import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspectFile } from '../../../../src-main/station/intake/inspect-file.ts'
import { readFactsOf } from '../../../../src-main/station/intake/profile/dry-run.ts'
import { spoolFile } from '../../../../src-main/station/intake/spool.ts'
import { listZip, ZIP_LIMITS } from '../../../../src-main/station/intake/zip.ts'
import {
  chosenFile,
  diskCodeOf,
  NotAFile,
  openSource,
  openSourceNow,
  readSource,
} from '../../../../src-main/station/lib/files.ts'

const LOOK = { sizeBytes: 1, mtimeMs: 1 }
/** Windows has neither pipes nor links in a folder that a camera writes. */
const onPosix = it.skipIf(process.platform === 'win32')

let folder: string
let pipe: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-'))
  pipe = join(folder, 'pipe')
  if (process.platform !== 'win32') execFileSync('mkfifo', [pipe])
})
afterEach(async () => {
  // Whatever waits for another end of the pipe, because a guard is missing, gets one and can end.
  if (process.platform !== 'win32') closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
  await rm(folder, { recursive: true })
})

describe('a source', () => {
  it('is opened and read, up to a bound', async () => {
    const path = join(folder, 'a')
    await writeFile(path, 'abcdef')
    const handle = await openSource(path)
    expect((await handle.stat()).size).toBe(6)
    await handle.close()
    closeSync(openSourceNow(path))
    expect((await readSource(path, 100)).toString()).toBe('abcdef')
    expect((await readSource(path, 4)).toString()).toBe('abcd')
    await expect(openSource(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  onPosix('that is a pipe by now is refused, and nobody waits for its other end', async () => {
    await expect(openSource(pipe)).rejects.toBeInstanceOf(NotAFile)
  })

  onPosix('that is a folder or a link by now is refused', async () => {
    await mkdir(join(folder, 'b'))
    await expect(openSource(join(folder, 'b'))).rejects.toBeInstanceOf(NotAFile)
    expect(() => openSourceNow(join(folder, 'b'))).toThrow(NotAFile)
    await writeFile(join(folder, 'a'), 'abcdef')
    const link = join(folder, 'link')
    await symlink(join(folder, 'a'), link)
    await expect(openSource(link)).rejects.toMatchObject({ code: 'ELOOP' })
    expect(() => openSourceNow(link)).toThrow(/ELOOP/)
    // A person who chose the link meant the file.
    expect((await readSource(await chosenFile(link), 9)).toString()).toBe('abcdef')
    expect(await chosenFile(join(folder, 'none'))).toBe(join(folder, 'none'))
  })

  onPosix('that became a pipe between look and open keeps no reader waiting', async () => {
    expect(await inspectFile(pipe, LOOK)).toEqual({ kind: 'changed' })
    expect(await spoolFile({ sourcePath: pipe, spoolFolder: folder, expected: LOOK })).toMatchObject({
      ok: false,
      why: 'changed',
    })
    await expect(readSource(pipe, 9)).rejects.toBeInstanceOf(NotAFile)
    await expect(readFactsOf(pipe, 'lastFirst')).rejects.toBeInstanceOf(NotAFile)
    await expect(listZip(pipe, ZIP_LIMITS)).rejects.toBeInstanceOf(NotAFile)
  })
})

describe('the code of the disk', () => {
  it.each([
    [Object.assign(new Error(), { code: 'EIO' }), 'EIO'],
    [Object.assign(new Error(), { code: 'UNKNOWN' }), 'UNKNOWN'],
    [new NotAFile(), 'EFTYPE'],
    [Object.assign(new RangeError(), { code: 'ERR_OUT_OF_RANGE' }), null],
    [Object.assign(new Error(), { code: 'SQLITE_BUSY' }), null],
    [new RangeError(), null],
    ['EIO', null],
  ])('of %s is %s', (error, code) => {
    expect(diskCodeOf(error)).toBe(code)
  })
})
