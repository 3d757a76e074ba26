import { describe, expect, it } from 'vitest'
import { centerChoices } from '../../../src-renderer/setup/setup-steps.ts'

const LISTED = [
  { centerId: '101', name: 'North', isCurrent: true },
  { centerId: '205', name: null, isCurrent: null },
]

describe('the centers to choose from', () => {
  it.each([
    [LISTED, '101', ['101', '205', '']],
    [LISTED, null, ['101', '205', '']],
    [LISTED, '999', ['101', '205', '999', '']],
    [null, '101', ['101', '']],
    [null, null, ['']],
    [[], null, ['']],
  ])('of the list %o, with %o set, are %o', (listed, set, values) => {
    expect(centerChoices(listed, set).map(({ value }) => value)).toEqual(values)
  })

  it('say which one the service does not list, only where there is a list', () => {
    expect(centerChoices(LISTED, '999')[2]?.description).toBe('Not in the list of the service')
    expect(centerChoices(null, '999')[0]?.description).toBe('')
    expect(centerChoices(LISTED, null).map(({ label }) => label)).toEqual([
      'North',
      '205',
      'This station never switches',
    ])
  })
})
