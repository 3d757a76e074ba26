import { expect, it } from 'vitest'
import type { StationLink } from '../../../src-renderer/link/station-link.ts'
import { createUrlDesk } from '../../../src-renderer/parts/loaned-urls.ts'

function desk() {
  const lent: string[] = []
  const released: string[] = []
  let isAway = false
  const link = {
    loanUrl: async (kind: string, id: string) => {
      if (isAway) throw new Error('away')
      const url = `blob:${kind}/${id}/${lent.length}`
      lent.push(url)
      return { url, release: () => void released.push(url) }
    },
  } as unknown as StationLink
  return {
    desk: createUrlDesk(link),
    lent,
    released,
    goAway: (away: boolean) => {
      isAway = away
    },
  }
}

it('lends one address to all who draw the same image, and releases it after the last', async () => {
  const { desk: urls, lent, released } = desk()
  const first = urls.borrow('thumbnail', 'a')
  const second = urls.borrow('thumbnail', 'a')
  expect(await first.url).toBe(await second.url)
  first.giveBack()
  first.giveBack()
  await Promise.resolve()
  expect([lent.length, released.length]).toEqual([1, 0])
  second.giveBack()
  await Promise.resolve()
  expect(released).toEqual(lent)
})

it('lends anew after everybody gave back', async () => {
  const { desk: urls, lent } = desk()
  const first = urls.borrow('thumbnail', 'a')
  await first.url
  first.giveBack()
  await urls.borrow('thumbnail', 'a').url
  expect(lent.length).toBe(2)
})

it('asks again after a loan that failed', async () => {
  const { desk: urls, goAway } = desk()
  goAway(true)
  const failed = urls.borrow('thumbnail', 'a')
  await expect(failed.url).rejects.toThrow('away')
  goAway(false)
  expect(await urls.borrow('thumbnail', 'a').url).toBe('blob:thumbnail/a/0')
  failed.giveBack()
})
