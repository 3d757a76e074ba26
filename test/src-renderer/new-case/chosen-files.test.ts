import { describe, expect, it } from 'vitest'
import {
  type ChosenFile,
  earlierDuplicate,
  imagesOf,
  MAX_FILES,
  missingStep,
  nextUploads,
  type UploadState,
  withAdded,
  withChange,
} from '../../../src-renderer/new-case/case-in-progress.tsx'
import { MAX_IMAGE_BYTES } from '../../../src-shared/measurement-ranges.ts'

const file = (name: string, size = 5): File =>
  Object.defineProperty(new File([], name), 'size', { value: size })
const kept = (path: string, sha256 = path): UploadState => ({ kind: 'kept', path, sha256 })
const chosen = (id: string, state: UploadState = { kind: 'waiting' }): ChosenFile => ({
  id,
  file: A_FILE,
  eye: 'unknown',
  state,
})
const A_FILE = file('a.jpg')

describe('files that are added', () => {
  it('say no eye, whatever their names and their order', () => {
    const { files } = withAdded([], [file('OD_1.jpg'), file('OS_1.jpg')])
    expect(files).toMatchObject([chosen('OD'), chosen('OS')].map(({ eye, state }) => ({ eye, state })))
  })

  it('are all taken, also where their names and sizes are alike', () => {
    const { files } = withAdded(withAdded([], [A_FILE, A_FILE]).files, [A_FILE])
    expect(new Set(files.map(({ id }) => id)).size).toBe(3)
  })

  it('are refused at once if they can be no image', () => {
    const { files } = withAdded([], [file('a', 0), file('b', MAX_IMAGE_BYTES + 1)])
    expect(files).toMatchObject([{ state: { why: 'empty' } }, { state: { why: 'tooLarge' } }])
  })

  it('are no more than a case takes, and the rest is shown', () => {
    const { files, overflowCount } = withAdded([], Array<File>(MAX_FILES + 3).fill(A_FILE))
    expect([files.length, overflowCount]).toEqual([MAX_FILES, 3])
  })
})

describe('handing over', () => {
  it('goes in order, two at a time', () => {
    const sending: UploadState = { kind: 'sending', sentBytes: 1 }
    const ids = (files: readonly ChosenFile[]) => nextUploads(files).map(({ id }) => id)
    expect(ids([chosen('a'), chosen('b'), chosen('c')])).toEqual(['a', 'b'])
    expect(ids([chosen('a', sending), chosen('b'), chosen('c')])).toEqual(['b'])
    expect(ids([chosen('a', sending), chosen('b', sending), chosen('c')])).toEqual([])
    expect(ids([chosen('a', kept('/a')), chosen('b')])).toEqual(['b'])
  })

  it('changes nothing of a file that was taken out meanwhile', () => {
    expect(withChange([chosen('a')], 'gone', { eye: 'right' })).toEqual([chosen('a')])
  })
})

describe('a case of chosen files', () => {
  it('is made of all of them or not at all', () => {
    const refused: UploadState = { kind: 'refused', why: 'empty', mayTryAgain: false }
    expect(missingStep([])).toBe('needsImages')
    expect(missingStep([chosen('a', kept('/a')), chosen('b')])).toBe('needsHandingOver')
    expect(missingStep([chosen('a', kept('/a')), chosen('b', refused)])).toBe('needsHandingOver')
    expect(missingStep([chosen('a', kept('/a'))])).toBeNull()
  })

  it('holds no image twice, which is seen by the bytes alone', () => {
    const files = [chosen('a', kept('/a', 'x')), chosen('b', kept('/b', 'y')), chosen('c', kept('/c', 'x'))]
    expect(files.map((one) => earlierDuplicate(files, one)?.id ?? null)).toEqual([null, null, 'a'])
    expect(missingStep(files)).toBe('needsEachOnce')
    expect(missingStep(files.slice(0, 2))).toBeNull()
  })

  it('has the eyes that a person said, and no others', () => {
    const files = withChange([chosen('a', kept('/a')), chosen('b', kept('/b'))], 'b', { eye: 'left' })
    expect(imagesOf(files)).toEqual([
      { path: '/a', eye: 'unknown' },
      { path: '/b', eye: 'left' },
    ])
  })
})
