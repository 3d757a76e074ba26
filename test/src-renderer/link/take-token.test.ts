import { expect, it } from 'vitest'
import { readToken } from '../../../src-renderer/link/link.ts'

function tab(hash: string, before: Record<string, string> = {}) {
  const stored = new Map(Object.entries(before))
  const replaced: unknown[] = []
  const token = readToken(
    { hash, pathname: '/', search: '' },
    { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) },
    { replaceState: (_data, _title, url) => void replaced.push(url) },
  )
  return { token, stored: [...stored.values()], replaced }
}

it('takes the token out of the address and keeps it for the tab', () => {
  expect(tab('#token=a-b_c%3D')).toEqual({ token: 'a-b_c=', stored: ['a-b_c='], replaced: ['/'] })
})

it('finds it again after a reload', () => {
  const kept = tab('#/queue', { 'fundus-courier.token': 'kept' })
  expect(kept).toEqual({ token: 'kept', stored: ['kept'], replaced: [] })
})

it('prefers a new one to the one that was kept', () => {
  expect(tab('#token=new', { 'fundus-courier.token': 'kept' }).stored).toEqual(['new'])
})

it('has none where none was given', () => {
  expect(tab('#/queue').token).toBeNull()
})
