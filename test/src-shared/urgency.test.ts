import { expect, it } from 'vitest'
import { readUrgency } from '../../src-shared/submission.ts'

it.each([
  ['urgent', 'urgent'],
  [' URGENTE ', 'urgent'],
  ['stat', 'urgent'],
  ['Preferente', 'preferential'],
  ['high', 'preferential'],
  ['not urgent', 'routine'],
  ['normal', 'routine'],
  ['', 'routine'],
  [null, 'routine'],
])('%j is %s', (text, urgency) => {
  expect(readUrgency(text)).toBe(urgency)
})
