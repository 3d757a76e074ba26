import { expect, it } from 'vitest'
import { askQuestion, questionStore } from '../../../src-renderer/decisions/decisions.tsx'

it('answers whoever asked, and is closed then', async () => {
  const answer = askQuestion({ kind: 'discard', submissions: [] })
  questionStore.getState().open?.answer({ by: 'QX', why: 'Test images' })
  expect(await answer).toEqual({ by: 'QX', why: 'Test images' })
  expect(questionStore.getState().open).toBeNull()
})

it('that another one takes the place of was not decided', async () => {
  const first = askQuestion({ kind: 'discard', submissions: [] })
  const second = askQuestion({ kind: 'cancel', submissions: [] })
  expect(await first).toBeNull()
  expect(questionStore.getState().open?.question.kind).toBe('cancel')
  questionStore.getState().open?.answer(null)
  expect(await second).toBeNull()
})
