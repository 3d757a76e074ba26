import { afterEach, expect, it } from 'vitest'
import {
  askQuestion,
  currentSignature,
  initials,
  MAX_INITIALS_LENGTH,
  questionStore,
  restoreInitials,
  writeInitials,
} from '../../../src-renderer/decisions/decisions.tsx'
import { browserOf } from '../speak.ts'

afterEach(() => initials.setState({ by: '' }))

it('go with what is decided once they are written, and are cut if they are longer', () => {
  expect(currentSignature()).toEqual({})
  writeInitials('  ')
  expect(currentSignature()).toEqual({})
  writeInitials(' QX ')
  expect(currentSignature()).toEqual({ by: 'QX' })
  writeInitials('Q'.repeat(MAX_INITIALS_LENGTH + 5))
  expect(currentSignature().by).toHaveLength(MAX_INITIALS_LENGTH)
})

it('come back after a reload of the same window', () => {
  const { window, kept } = browserOf([])
  kept.set('fundus-courier.initials', 'ZY')
  restoreInitials(window.localStorage)
  expect(currentSignature()).toEqual({ by: 'ZY' })
  writeInitials('QX')
  expect([...kept.values()]).toEqual(['QX'])
})

it('answers anyone who asked, and is closed then', async () => {
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
