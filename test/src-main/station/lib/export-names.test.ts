import { describe, expect, it } from 'vitest'
import {
  companionMessage,
  isJunkFile,
  isJunkFolder,
  isSidecar,
} from '../../../../src-main/station/lib/export-names.ts'
import { otherNote } from '../../../../src-main/station/watch/notes.ts'

describe('the name of an export', () => {
  it.each([
    '._a.jpg',
    '.DS_Store',
    'Thumbs.db',
    'desktop.ini',
    'a.jpg.tmp',
    'a.jpg.PART',
    '~$a.docx',
    'a.jpg~',
    '.a.jpg.swp',
    'a.crdownload',
  ])('tells that %s is junk', (name) => expect(isJunkFile(name)).toBe(true))

  it.each(['a.jpg', 'tmp.jpg', 'part.jpg', 'a.tmp.jpg', 'Thumbs.db.jpg', 'noextension', '00000001'])(
    'tells that %s is none',
    (name) => expect(isJunkFile(name)).toBe(false),
  )

  it('tells which folders belong to an operating system', () => {
    const names = ['.Trashes', '$RECYCLE.BIN', 'System Volume Information', '@eaDir', 'H-00017', 'tmp']
    expect(names.map((name) => isJunkFolder(name))).toEqual([true, true, true, true, false, false])
  })

  it('tells a sidecar', () => {
    expect(
      ['case.json', 'v/EXAM.XML', 'list.csv', 'case.json.jpg', 'case'].map((name) => isSidecar(name)),
    ).toEqual([true, true, true, false, false])
  })

  it.each([
    ['r.pdf', /PDF/],
    ['R.HTML', /report/],
    ['1442.fda', /export it as an image/],
    ['a.E2E', /export it as an image/],
    ['a.CR2', /JPEG as well/],
  ])('tells what %s is, and that it is left alone', (name, words) => {
    expect(companionMessage(name)).toMatch(words)
    expect(companionMessage(name)).toMatch(/left where it is/)
  })

  it.each([
    'a.jpg',
    'a.JPEG',
    'a.dcm',
    'a.bmp',
    'noextension',
    'pdf',
    'a.constructor',
    'case.json.jpg',
    'e.csv',
    'e.xml',
  ])('leaves %s to its content', (name) => expect(companionMessage(name)).toBeNull())
})

describe('the content of a file that is not taken', () => {
  it.each([
    ['dicomOct', /OCT volume/],
    ['dicomSegmentation', /segmentation/],
    ['dicomReport', /report/],
    ['dicomDirectory', /table of contents/],
    ['dicomOther', /without a photograph/],
    ['gif', /GIF/],
    ['heif', /HEIF/],
    ['jpeg2000', /JPEG 2000/],
    ['webp', /WebP/],
    ['pdf', /PDF/],
  ] as const)('%s is named as what it is and left alone', (content, words) => {
    expect(otherNote(content).kind).toBe('ignored')
    expect(otherNote(content).message).toMatch(words)
    expect(otherNote(content).message).toMatch(/left where it is/)
  })

  it.each(['text', 'unknown'] as const)('%s is no image, with a word about what to do', (content) => {
    expect(otherNote(content)).toMatchObject({
      kind: 'notAnImage',
      message: expect.stringMatching(/Export the (image|photograph)/),
    })
  })
})
