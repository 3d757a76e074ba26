import { expect, it } from 'vitest'
import { companionKind, isJunkFile, isJunkFolder, isSidecar } from '../../../../src-main/station/lib/files.ts'

it.each([
  [
    true,
    '._a.jpg .DS_Store Thumbs.db desktop.ini a.jpg.tmp a.jpg.PART ~$a.docx a.jpg~ .a.jpg.swp a.crdownload',
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
