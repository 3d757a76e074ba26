import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, win32 } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { inspectFile } from '../../../../src-main/station/intake/inspect-file.ts'
import { readFactsOf } from '../../../../src-main/station/intake/profile/dry-run.ts'
import { spoolFile } from '../../../../src-main/station/intake/spool.ts'
import { listZip, ZIP_LIMITS } from '../../../../src-main/station/intake/zip.ts'
import {
  chosenFile,
  companionKind,
  diskCodeOf,
  isJunkFile,
  isJunkFolder,
  isSidecar,
  NotAFile,
  openSource,
  openSourceNow,
  readSource,
  sanitiseFileName,
  writeDurably,
} from '../../../../src-main/station/lib/files.ts'
import { fc } from '../../../tools/property.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

describe('a file that is written durably', () => {
  it('is there whole, for its owner only, in folders that are made for it', async () => {
    const path = join(folder, 'a', 'b', 'file')
    await writeDurably(path, 'first')
    await writeDurably(path, Buffer.from([0, 255]))
    expect(readFileSync(path)).toEqual(Buffer.from([0, 255]))
    expect(statSync(path).mode & 0o077).toBe(0)
    expect(readdirSync(join(path, '..'))).toEqual(['file'])
  })

  it('leaves nothing behind if it cannot be written', async () => {
    mkdirSync(join(folder, 'file', 'inside'), { recursive: true })
    await expect(writeDurably(join(folder, 'file'), 'x')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(readdirSync(folder)).toEqual(['file'])
  })
})

describe('a file name', () => {
  it.each([
    ['OD_1.jpg', 'OD_1.jpg'],
    ['Fondo ojo derecho \u00d1.JPG', 'Fondo ojo derecho \u00d1.JPG'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\Windows\\OD.jpg', 'OD.jpg'],
    ['C:\\scans\\OD.jpg', 'OD.jpg'],
    ['/', 'image'],
    ['..', 'image'],
    ['...', 'image'],
    ['', 'image'],
    ['.hidden.jpg', 'hidden.jpg'],
    ['OD.jpg. . ', 'OD.jpg'],
    ['OD\u0000.jpg\n', 'OD.jpg'],
    ['OD\u202egpj.exe', 'ODgpj.exe'],
    ['a:b|c?.jpg', 'a_b_c_.jpg'],
    ['CON', '_CON'],
    ['nul.jpg', '_nul.jpg'],
    ['COM1.tif', '_COM1.tif'],
    ['console.jpg', 'console.jpg'],
    ['\ud800OD.jpg', 'OD.jpg'],
    [`OD_${'\u00f1'.repeat(300)}.tiff`, `OD_${'\u00f1'.repeat(86)}.tiff`],
  ])('%j becomes %j', (name, plain) => {
    expect(sanitiseFileName(name)).toBe(plain)
  })

  it('becomes one plain name on every system, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const plain = sanitiseFileName(name)
        expect([basename(plain), win32.basename(plain)]).toEqual([plain, plain])
        expect(plain).not.toMatch(/^\.|[. ]$|[\p{Cc}<>:"|?*/\\]/u)
        expect(plain.length).toBeGreaterThan(0)
        expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(181)
        expect(sanitiseFileName(plain)).toBe(plain)
      }),
    )
  })
})

it.each([
  [
    true,
    '._a.jpg .DS_Store Thumbs.db desktop.ini a.jpg.tmp a.jpg.PART ~$a.docx a.jpg~ .a.jpg.swp a.download',
  ],
  [false, 'a.jpg tmp.jpg part.jpg a.tmp.jpg Thumbs.db.jpg noextension 00000001'],
])('a file is junk (%s): %s', (isJunk, names) => {
  expect(names.split(' ').filter((name) => isJunkFile(name) !== isJunk)).toEqual([])
})

it('folders of operating systems are junk', () => {
  const names = ['.Trashes', '$RECYCLE.BIN', 'System Volume Information', '@eaDir', 'H-00017', 'tmp']
  expect(names.filter((name) => !isJunkFolder(name))).toEqual(['H-00017', 'tmp'])
})

it('a sidecar is known by its extension', () => {
  const names = ['case.json', 'v/EXAM.XML', 'list.csv', 'case.json.jpg', 'case']
  expect(names.filter((name) => isSidecar(name))).toEqual(['case.json', 'v/EXAM.XML', 'list.csv'])
})

it.each([
  ['pdf', 'r.pdf'],
  ['report', 'R.HTML'],
  ['rawFile', '1442.fda a.E2E'],
  ['rawPhotograph', 'a.CR2'],
  // Left to their content.
  [null, 'a.jpg a.JPEG a.dcm a.bmp noextension pdf a.constructor case.json.jpg e.csv e.xml'],
])('a companion of the kind %s: %s', (kind, names) => {
  expect(names.split(' ').map((name) => companionKind(name))).toEqual(names.split(' ').map(() => kind))
})

describe('a foreign file', () => {
  /** Windows has neither pipes nor links in a folder that a camera writes. */
  const onPosix = it.skipIf(process.platform === 'win32')

  function makePipe(): string {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    // A reader that waits for another end of the pipe, because a guard is missing, gets one and can end.
    onTestFinished(() => closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)))
    return pipe
  }

  it('is opened and read, up to a bound', async () => {
    const path = join(folder, 'a')
    writeFileSync(path, 'abcdef')
    const handle = await openSource(path)
    expect((await handle.stat()).size).toBe(6)
    await handle.close()
    closeSync(openSourceNow(path))
    expect(String(await readSource(path, 100))).toBe('abcdef')
    expect(String(await readSource(path, 4))).toBe('abcd')
    await expect(openSource(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  onPosix('that is a folder or a link by now is refused, unless a person chose the link', async () => {
    expect(() => openSourceNow(folder)).toThrow(NotAFile)
    await expect(openSource(folder)).rejects.toBeInstanceOf(NotAFile)
    writeFileSync(join(folder, 'a'), 'abcdef')
    const link = join(folder, 'link')
    symlinkSync(join(folder, 'a'), link)
    await expect(openSource(link)).rejects.toMatchObject({ code: 'ELOOP' })
    expect(() => openSourceNow(link)).toThrow(/ELOOP/)
    expect(String(await readSource(await chosenFile(link), 9))).toBe('abcdef')
    expect(await chosenFile(join(folder, 'none'))).toBe(join(folder, 'none'))
  })

  onPosix('that became a pipe between check and open does not block any reader', async () => {
    const pipe = makePipe()
    const expected = { sizeBytes: 1, mtimeMs: 1 }
    await expect(openSource(pipe)).rejects.toBeInstanceOf(NotAFile)
    expect(await inspectFile(pipe, expected)).toEqual({ kind: 'changed' })
    const spooled = await spoolFile({ sourcePath: pipe, spoolFolder: folder, expected })
    expect(spooled).toMatchObject({ ok: false, why: 'changed' })
    await expect(readSource(pipe, 9)).rejects.toBeInstanceOf(NotAFile)
    await expect(readFactsOf(pipe, 'lastFirst')).rejects.toBeInstanceOf(NotAFile)
    await expect(listZip(pipe, ZIP_LIMITS)).rejects.toBeInstanceOf(NotAFile)
  })

  it.each([
    [Object.assign(new Error(), { code: 'EIO' }), 'EIO'],
    [Object.assign(new Error(), { code: 'UNKNOWN' }), 'UNKNOWN'],
    [new NotAFile(), 'EFTYPE'],
    [Object.assign(new RangeError(), { code: 'ERR_OUT_OF_RANGE' }), null],
    [Object.assign(new Error(), { code: 'SQLITE_BUSY' }), null],
    [new RangeError(), null],
    ['EIO', null],
  ])('fails with %s, of which the code of the disk is %s', (error, code) => {
    expect(diskCodeOf(error)).toBe(code)
  })
})
