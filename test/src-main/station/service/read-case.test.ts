import { describe, expect, it } from 'vitest'
import { readCase, saysNoCase } from '../../../../src-main/station/service/cases.ts'
import { fc } from '../../../tools/property.ts'
import { answerLike } from './hostile-json.ts'

describe('readCase', () => {
  it.each<[string, unknown]>([
    ['bare', { id: 55, state: 'pending' }],
    ['in content', { success: true, content: { id: 55, state: 'pending' } }],
    ['in data', { data: { id: '55', state: 'pending' } }],
    ['in case', { case: { id: 55, state: 'pending' } }],
    ['in case in content', { content: { case: { id: 55, state: 'pending' } } }],
    ['without an id of its own', { content: { history_number: 'H-1', state: 'pending' } }],
    ['under another of its names', { id: 9, uuid: '55', state: 'pending' }],
  ])('reads a case %s', (_name, json) => {
    expect(readCase(json, '55')).toMatchObject({ caseId: '55', state: 'pending' })
  })

  it('tells the id of another case', () => {
    expect(readCase({ id: 56 }, '55')?.caseId).toBe('56')
  })

  it.each<[string, unknown]>([
    ['success:false', { success: false, content: { id: 55 } }],
    ['an error', { error: 'x', history_number: 'H-1' }],
    ['a message', { message: 'ok' }],
    ['an array', [{ id: 55 }]],
    ['null', null],
    ['an envelope around nothing', { success: true, content: null }],
    ['an empty array', []],
    ['a text', 'x'],
  ])('finds no case in %s', (_name, json) => {
    expect(readCase(json, '55')).toBeNull()
  })

  it('never throws', () => {
    fc.assert(fc.property(answerLike, (json) => void readCase(json, '55')))
  })
})

describe('saysNoCase', () => {
  it.each<[unknown, boolean]>([
    [null, true],
    [[], true],
    [{}, true],
    [{ success: true, content: [] }, true],
    [{ data: null }, true],
    [{ success: false, content: null }, false],
    [{ content: { id: 5 } }, false],
    [{ message: 'x' }, false],
    ['x', false],
  ])('of %j is %s', (json, isNone) => {
    expect(saysNoCase(json)).toBe(isNone)
  })
})
