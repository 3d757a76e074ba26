import { expect, it } from 'vitest'
import { ask, asked } from '../../../src-renderer/who/question.ts'

it('answers whoever asked, and is closed then', async () => {
  const answer = ask({ kind: 'discard', submissions: [] })
  asked.getState().open?.answer({ by: 'QX', why: 'Test images' })
  expect(await answer).toEqual({ by: 'QX', why: 'Test images' })
  expect(asked.getState().open).toBeNull()
})

it('that another one takes the place of was not decided', async () => {
  const first = ask({ kind: 'discard', submissions: [] })
  const second = ask({ kind: 'cancel', submissions: [] })
  expect(await first).toBeNull()
  expect(asked.getState().open?.question.kind).toBe('cancel')
  asked.getState().open?.answer(null)
  expect(await second).toBeNull()
})
