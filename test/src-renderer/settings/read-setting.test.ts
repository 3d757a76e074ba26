import { expect, it } from 'vitest'
import { readSetting } from '../../../src-renderer/settings/settings-form.tsx'

it.each([
  ['2', 2],
  ['8', 8],
  ['0', null],
  ['9', null],
  ['2.5', null],
  ['', null],
  ['two', null],
])('reads %j as %s between 1 and 8', (text, value) => {
  expect(readSetting(text, { min: 1, max: 8, isWhole: true })).toBe(value)
})
