import { afterEach, expect, it } from 'vitest'
import {
  initials,
  keepInitials,
  LONGEST_INITIALS,
  signature,
  writeInitials,
} from '../../../src-renderer/who/initials.ts'

afterEach(() => initials.setState({ by: '' }))

it('go with what is decided once they are written, and not before', () => {
  expect(signature()).toEqual({})
  writeInitials('  ')
  expect(signature()).toEqual({})
  writeInitials(' QX ')
  expect(signature()).toEqual({ by: 'QX' })
})

it('are cut where they are longer than initials', () => {
  writeInitials('Q'.repeat(LONGEST_INITIALS + 5))
  expect(signature().by).toHaveLength(LONGEST_INITIALS)
})

it('come back after a reload of the same window', () => {
  const kept = new Map([['fundus-courier.initials', 'ZY']])
  keepInitials({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  })
  expect(signature()).toEqual({ by: 'ZY' })
  writeInitials('QX')
  expect([...kept.values()]).toEqual(['QX'])
})
