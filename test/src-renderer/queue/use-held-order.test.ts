import { expect, it } from 'vitest'
import { stableOrder } from '../../../src-renderer/queue/queue-table.tsx'

it('keeps every row in its place, puts new ones last, and lets go of what is gone', () => {
  expect(stableOrder(['a', 'b', 'c'], ['new', 'c', 'a'])).toEqual(['a', 'c', 'new'])
})
