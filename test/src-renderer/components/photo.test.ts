import { expect, it } from 'vitest'
import {
  boardImages,
  createUrlCache,
  downloadName,
  eyeWithoutImage,
} from '../../../src-renderer/components/photo.tsx'
import type { StationLink } from '../../../src-renderer/link/link.ts'
import type { Image } from '../../../src-shared/submission.ts'
import { syntheticImage } from '../synthetic-submission.ts'

function desk() {
  const lent: string[] = []
  const released: string[] = []
  let isAway = false
  const link = {
    createBytesUrl: async (kind: string, id: string) => {
      if (isAway) throw new Error('away')
      const url = `blob:${kind}/${id}/${lent.length}`
      lent.push(url)
      return { url, release: () => void released.push(url) }
    },
  } as unknown as StationLink
  return {
    desk: createUrlCache(link),
    lent,
    released,
    goAway: (away: boolean) => {
      isAway = away
    },
  }
}

it('lends one address to all who draw the same image, releases it after the last, and lends again then', async () => {
  const { desk: urls, lent, released } = desk()
  const first = urls.acquire('thumbnail', 'a')
  const second = urls.acquire('thumbnail', 'a')
  expect(await first.url).toBe(await second.url)
  first.release()
  first.release()
  await Promise.resolve()
  expect([lent.length, released.length]).toEqual([1, 0])
  second.release()
  await Promise.resolve()
  expect(released).toEqual(lent)
  await urls.acquire('thumbnail', 'a').url
  expect(lent).toHaveLength(2)
})

it('asks again after a failed read', async () => {
  const { desk: urls, goAway } = desk()
  goAway(true)
  const failed = urls.acquire('thumbnail', 'a')
  await expect(failed.url).rejects.toThrow('away')
  goAway(false)
  expect(await urls.acquire('thumbnail', 'a').url).toBe('blob:thumbnail/a/0')
  failed.release()
})

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
