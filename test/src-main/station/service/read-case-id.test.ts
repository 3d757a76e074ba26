import { describe, expect, it } from 'vitest'
import { readCaseId } from '../../../../src-main/station/service/cases.ts'
import { fc } from '../../../tools/property.ts'
import { answerLike, anyBytes, bytesOf, withoutIds } from './hostile-json.ts'

const read = (json: unknown, status = 201, headers: Record<string, string> = {}): string | null =>
  readCaseId({ status, headers, body: bytesOf(json), isComplete: true })

const UUID = '3f0c8f5e-0a4b-4b9c-9f63-0d5b6c1f2a77'

describe('readCaseId', () => {
  it.each<[string, unknown, string]>([
    ['a number in content', { success: true, content: 55 }, '55'],
    ['a text in content', { success: true, content: 'C-55' }, 'C-55'],
    ['id', { id: 55 }, '55'],
    ['case_id', { case_id: '55' }, '55'],
    ['caso', { caso: 55 }, '55'],
    ['uuid', { uuid: UUID }, UUID],
    ['id inside data', { data: { id: 55 } }, '55'],
    ['id inside content', { success: true, content: { id: 'abc' } }, 'abc'],
    ['id inside case', { case: { id: 55, state: 'pending' } }, '55'],
    ['case inside content', { success: true, content: { case: { case_id: 55 } } }, '55'],
    ['caso as an object', { caso: { id: 55 } }, '55'],
    ['the same id twice', { id: 55, case: { id: '55' } }, '55'],
    ['an array of one', { content: [{ id: 55 }] }, '55'],
    ['a bare number', 55, '55'],
    ['a bare JSON text', '"c55"', 'c55'],
    ['a bare uuid that is no JSON', UUID, UUID],
    ['an id beside a message', { id: 55, message: 'Case created', content: 'Case created' }, '55'],
    ['the first name on one object', { id: 55, uuid: UUID, case_id: 'X9' }, '55'],
    ['more digits than JavaScript holds', '{"id":90071992547409931234}', '90071992547409931234'],
  ])('reads %s', (_name, json, id) => {
    expect(read(json)).toBe(id)
  })

  it.each<[string, unknown]>([
    ['success:false', { success: false, content: 55 }],
    ['success:"false"', { success: 'false', id: 55 }],
    ['an error beside the id', { id: 55, error: 'image could not be stored' }],
    ['a message in content', { success: true, content: 'Case created' }],
    ['one word in content', { success: true, content: 'created' }],
    ['a date in content', { success: true, content: '2026-11-20' }],
    ['true in content', { success: true, content: true }],
    ['zero', { id: 0 }],
    ['a negative number', { id: -5 }],
    ['a fraction', { id: 5.5 }],
    ['a path', { id: '../55' }],
    ['a sentence', { id: 'number 55' }],
    ['a giant text', { id: '5'.repeat(5_000) }],
    ['two different ids', { id: 55, content: { id: 56 } }],
    ['several cases', { content: [{ id: 55 }, { id: 56 }] }],
    ['an id on the prototype', '{"__proto__":{"id":55}}'],
    ['nothing', ''],
    ['null', null],
    ['a page', '<html>55</html>'],
    ['a word', 'OK'],
    ['a list of images', { images: [{ id: 1 }, { id: 2 }] }],
  ])('finds no id in %s', (_name, json) => {
    expect(read(json)).toBeNull()
  })

  it.each([
    ['https://host/eye/api/cases/55', '55'],
    ['/cases/55/', '55'],
    ['cases/a%2Db?x=1', 'a-b'],
    ['/cases/', null],
    ['/login', null],
    ['/cases/%E0%A4%A', null],
    ['/cases/a%2Fb', null],
  ])('reads Location %s as %s', (location, id) => {
    expect(read('', 201, { location })).toBe(id)
  })

  it('prefers the body to Location', () => {
    expect(read({ id: 7 }, 201, { location: '/cases/8' })).toBe('7')
  })

  it('reads no id of an answer that is no success or not whole', () => {
    expect(read({ id: 55 }, 302)).toBeNull()
    expect(read({ id: 55 }, 500)).toBeNull()
    expect(readCaseId({ status: 201, headers: {}, body: bytesOf({ id: 55 }), isComplete: false })).toBeNull()
  })

  it('never throws, and an id that it finds stands in the answer', () => {
    fc.assert(
      fc.property(fc.oneof(anyBytes, answerLike.map(bytesOf)), (body) => {
        const id = readCaseId({ status: 200, headers: {}, body, isComplete: true })
        if (id !== null)
          expect(JSON.stringify(Buffer.from(body).toString())).toContain(JSON.stringify(id).slice(1, -1))
      }),
    )
  })

  it('never makes an id out of nothing', () => {
    fc.assert(
      fc.property(withoutIds, (json) => {
        expect(read(json)).toBeNull()
      }),
    )
  })
})
