import { expect, it } from 'vitest'
import { createUrlCache } from '../../../src-renderer/components/photo.tsx'
import type { StationLink } from '../../../src-renderer/link/link.ts'

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

it('lends one address to all who draw the same image, and releases it after the last', async () => {
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
})

it('lends anew after everybody gave back', async () => {
  const { desk: urls, lent } = desk()
  const first = urls.acquire('thumbnail', 'a')
  await first.url
  first.release()
  await urls.acquire('thumbnail', 'a').url
  expect(lent.length).toBe(2)
})

it('asks again after a loan that failed', async () => {
  const { desk: urls, goAway } = desk()
  goAway(true)
  const failed = urls.acquire('thumbnail', 'a')
  await expect(failed.url).rejects.toThrow('away')
  goAway(false)
  expect(await urls.acquire('thumbnail', 'a').url).toBe('blob:thumbnail/a/0')
  failed.release()
})
