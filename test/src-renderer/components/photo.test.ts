import { expect, it } from 'vitest'
import { boardImages, downloadName, eyeWithoutImage } from '../../../src-renderer/components/photo.tsx'
import type { Image } from '../../../src-shared/submission.ts'
import { syntheticImage } from '../synthetic-submission.ts'

const image = (id: string, rest: Partial<Image> = {}) => syntheticImage(id, 'right', rest)

it('shows each photograph once, with the files that show it once more, and a twin whose photograph is elsewhere', () => {
  const shown = boardImages([image('a'), image('b', { twinOf: 'a' }), image('c', { twinOf: 'gone' })])
  expect(shown.map((one) => [one.image.id, one.twins.map(({ id }) => id)])).toEqual([
    ['a', ['b']],
    ['c', []],
  ])
})

it.each<[string, readonly Image[], 'right' | 'left' | null]>([
  ['both have one', [image('a'), image('b', { eye: 'left' })], null],
  ['only the right one has', [image('a'), image('b')], 'left'],
  ['only the left one has', [image('a', { eye: 'left' })], 'right'],
  ['one is not assigned', [image('a'), image('b', { eye: 'unknown' })], null],
  ['the left one is left out', [image('a'), image('b', { eye: 'left', excludedBecause: 'Blurred' })], 'left'],
  ['the left one is but a twin', [image('a'), image('b', { eye: 'left', twinOf: 'a' })], 'left'],
  ['none has', [], null],
])('knows the eye without image where %s', (_what, images, expected) => {
  expect(eyeWithoutImage(images)).toBe(expected)
})

it('names what is saved without the names that the camera gave', () => {
  const dicom = image('a', { fileName: 'SAMPLETON_SYNTHIA/1.dcm', contentType: 'application/dicom' })
  expect(downloadName('FC7K3M9QXAW', 'OD', 2, dicom)).toBe('FC7K3M9QXAW_OD_2.dcm')
})
