import { expect, it } from 'vitest'
import { refusalMessages } from '../../../src-renderer/queue/run-action.ts'

const because = (message: string) => ({ id: 'a', failure: { kind: 'notAllowed' as const, message } })

it('tells a reason that holds for all once, and of several how many each holds for', () => {
  expect(refusalMessages([because('Too late.'), because('Too late.')])).toEqual(['Too late.'])
  expect(refusalMessages([because('Too late.'), because('Gone.'), because('Too late.')])).toEqual([
    '2: Too late.',
    '1: Gone.',
  ])
})
