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
import { inspectFile } from '../../../../src-main/reader/inspect-file.ts'
import { openedHere } from '../../../../src-main/reader/foreign-files.ts'
import { spoolFile } from '../../../../src-main/reader/copy.ts'
import { expandZip } from '../../../../src-main/reader/formats/zip.ts'
import {
  chosenFile,
  companionKind,
  diskCodeOf,
  isFolderOfDeleted,
  isInLeftFolder,
  isJunkFile,
  isJunkFolder,
  isSidecar,
  NotAFile,
  openSource,
  openSourceNow,
  reads,
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

it.each([
  ['SYNOPHOTO_THUMB_XL.jpg', true],
  ['$RA1B2C3.JPG', true],
  ['$IA1B2C3.JPG', true],
  [':2eDS_Store', true],
  ['#OD.jpg#', true],
  ['OD.jpg.~3~', true],
  ['OD.dcm.~1f2a', true],
  ['OD.jpg.sb-1a2b3c4d-Xy12Zz', true],
  ['OD.tiff.uploading', true],
  ['case.json.bak2', true],
  ['OD.JPG.orig', true],
  // Names of cameras, DOS and people.
  ['SMITHJ~1', false],
  ['OD~1.JPG', false],
  ['#4711 OD.jpg', false],
  ['$R12.jpg', false],
  ['Synott_Ana.jpg', false],
  ['backup.jpg', false],
  ['old.bak', false],
])('%s is kept by a server, a system or a sync tool: %s', (name, isJunk) => {
  expect(isJunkFile(name)).toBe(isJunk)
})

it.each([
  ['.Trashes', 'junk'],
  ['.Trash-1001', 'junk'],
  ['.zfs', 'junk'],
  ['$RECYCLE.BIN', 'junk'],
  ['#Recycle', 'junk'],
  ['@Recently-Snapshot', 'junk'],
  ['~snapshot', 'junk'],
  ['@GMT-2026.11.20-07.00.00', 'junk'],
  ['@__thumb', 'junk'],
  ['@eaDir', 'junk'],
  ['@SynoDrive', 'junk'],
  ['System Volume Information', 'junk'],
  ['DfsrPrivate', 'junk'],
  ['S-1-5-21-10-20-30-1001', 'junk'],
  ['found.000', 'junk'],
  ['RECYCLER', 'deleted'],
  ['Recycle Bin', 'deleted'],
  ['Network Recycle Bin 1', 'deleted'],
  ['_NAS_Recycle_RAID', 'deleted'],
  ['trashbox', 'deleted'],
  ['Network Trash Folder', 'deleted'],
  ['Deleted Items', 'deleted'],
  ['Gelöscht'.normalize('NFD'), 'deleted'],
  ['Papelera de reciclaje', 'deleted'],
  // Folders of cameras, archives and people.
  ['H-00017', 'taken'],
  ['tmp', 'taken'],
  ['Snapshots', 'taken'],
  ['Versions', 'taken'],
  ['#4711 Snape', 'taken'],
  ['#Snape_Ana', 'taken'],
  ['@Tempel', 'taken'],
  ['@Ward 3', 'taken'],
  ['Trasher_John', 'taken'],
  ['Corbeille_Anne', 'taken'],
  ['S-1-5', 'taken'],
  ['PAPELE~1', 'taken'],
  ['old', 'taken'],
])('a folder %s is %s', (name, what) => {
  const found = isJunkFolder(name) ? 'junk' : isFolderOfDeleted(name) ? 'deleted' : 'taken'
  expect(found).toBe(what)
  expect(isInLeftFolder(['2026', name])).toBe(what !== 'taken')
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

  it('is read in pieces that are counted: a slow share shows that it does not hang', async () => {
    const megabyte = 1_024 * 1_024
    const path = join(folder, 'large')
    writeFileSync(path, Buffer.alloc(5 * megabyte, 'x'))
    const before = reads.steps
    expect(await readSource(path, 16 * megabyte)).toHaveLength(5 * megabyte)
    expect(reads.steps - before).toBeGreaterThanOrEqual(5)
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
    await expect(openedHere.elementsOf(pipe)).rejects.toBeInstanceOf(NotAFile)
    await expect(expandZip(pipe, folder, () => false).next()).rejects.toBeInstanceOf(NotAFile)
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
