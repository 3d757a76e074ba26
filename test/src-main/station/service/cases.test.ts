import { describe, expect, it } from 'vitest'
import {
  nextLinkOfHeader,
  parseCaseList,
  readCase,
  readCaseId,
  saysNoCase,
} from '../../../../src-main/station/service/cases.ts'
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
    ['a failure that names another case', { status: 'error', message: 'duplicate case', case_id: 55 }],
    ['a failed result beside an id', { result: 'failed', id: 55 }],
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

  it('never throws, and an id that it finds is in the answer', () => {
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

  it('states the id of another case', () => {
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

const ids = (value: unknown): unknown => parseCaseList(value)?.cases.map((item) => item.caseId) ?? null
const TWO = [{ id: 1 }, { id: '2' }]

describe('readCaseList', () => {
  it.each<[string, unknown]>([
    ['a bare array', TWO],
    ['cases', { cases: TWO }],
    ['content', { success: true, content: TWO }],
    ['data', { data: TWO, meta: { total: 2 } }],
    ['items', { items: TWO }],
    ['results', { results: TWO }],
    ['one level deeper', { success: true, content: { cases: TWO } }],
    ['data of data', { data: { data: TWO } }],
    ['an object keyed by id', { 1: { state: 'pending' }, 2: { state: 'reported' } }],
    ['an object keyed by id in content', { content: { 1: { id: 1 }, 2: { id: 2 } } }],
    ['bare ids', [1, 2]],
    ['each wrapped', { cases: [{ case: { id: 1 } }, { case: { id: 2 } }] }],
    ['case_id and uuid', [{ case_id: 1 }, { uuid: '2' }]],
  ])('reads %s', (_name, json) => {
    expect(ids(json)).toEqual(['1', '2'])
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['an empty array', []],
    ['an empty object', {}],
    ['null in content', { success: true, content: null }],
    ['an empty array in cases', { cases: [] }],
  ])('reads %s as none', (_name, json) => {
    expect(ids(json)).toEqual([])
  })

  it.each<[string, unknown]>([
    ['success:false', { success: false, content: [] }],
    ['an error', { error: 'x' }],
    ['a message', { message: 'hello' }],
    ['success without content', { success: true }],
    ['a single case', { content: { id: 5, state: 'pending' } }],
    ['a list of something else', [{ name: 'x' }, { name: 'y' }]],
    ['a list of words', ['error', 'pending']],
    ['groups by date', { '2026-11-20': { state: 'x' } }],
    ['a number', 5],
    ['a text', 'none'],
    ['true', true],
  ])('finds no list in %s', (_name, json) => {
    expect(parseCaseList(json)).toBeNull()
  })

  it('counts the items that have no id', () => {
    expect(parseCaseList([{ id: 1 }, { state: 'x' }, null])).toMatchObject({
      cases: [{ caseId: '1' }],
      unreadableCount: 2,
    })
  })

  it('reads what it knows and keeps what it does not', () => {
    const item = {
      id: 7,
      status: 'rejected',
      history_number: 'H-1',
      patient: { first_name: 'Ada', last_name: 'Example' },
      visit_date: '2026-11-20',
      created_at: 1_795_132_800,
      urgency: { name: 'urgent' },
      od_iop: 14,
      odd: { deep: [1] },
    }
    expect(parseCaseList([item])?.cases).toEqual([
      {
        caseId: '7',
        state: 'rejected',
        historyNumber: 'H-1',
        firstName: 'Ada',
        lastName: 'Example',
        visitDate: '2026-11-20',
        createdAt: '1795132800',
        urgency: 'urgent',
        raw: item,
      },
    ])
  })

  it('keeps a prototype out of the raw fields', () => {
    const [item] = parseCaseList(JSON.parse('[{"id":1,"__proto__":{"isAdmin":true}}]'))?.cases ?? []
    expect(item?.raw).toEqual({ id: 1 })
    expect(item?.raw['isAdmin']).toBeUndefined()
  })

  it.each<[string, unknown, string | null]>([
    ['next', { cases: TWO, next: '/cases?page=2' }, '/cases?page=2'],
    ['links.next', { data: TWO, links: { next: 'https://x/2' } }, 'https://x/2'],
    ['links.next.href', { data: TWO, _links: { next: { href: '/2' } } }, '/2'],
    ['next_page_url', { content: { data: TWO, next_page_url: '/2' } }, '/2'],
    ['meta.links.next', { data: TWO, meta: { links: { next: '/2' } } }, '/2'],
    ['pagination.next', { data: TWO, pagination: { next: '/2' } }, '/2'],
    [
      'rel in an array',
      {
        data: TWO,
        links: [
          { rel: 'self', href: '/1' },
          { rel: 'next', href: '/2' },
        ],
      },
      '/2',
    ],
    ['null', { data: TWO, links: { next: null } }, null],
    ['a page number', { data: TWO, next: 2 }, null],
    ['a giant', { data: TWO, next: `/${'x'.repeat(5_000)}` }, null],
    ['none', { data: TWO }, null],
  ])('reads the page link %s', (_name, json, link) => {
    expect(parseCaseList(json)?.nextLink).toBe(link)
  })

  it.each<[string, unknown, { total: number | null; saysMore: boolean }]>([
    ['a total', { data: TWO, total: 120 }, { total: 120, saysMore: false }],
    ['a total in meta', { data: TWO, meta: { total: 120 } }, { total: 120, saysMore: false }],
    ['has_more', { data: TWO, has_more: true }, { total: null, saysMore: true }],
    ['a last page', { data: TWO, meta: { current_page: 1, last_page: 3 } }, { total: null, saysMore: true }],
    [
      'the last page',
      { data: TWO, meta: { current_page: 3, last_page: 3 } },
      { total: null, saysMore: false },
    ],
  ])('notices %s', (_name, json, expected) => {
    expect(parseCaseList(json)).toMatchObject(expected)
  })

  it('never throws, and every case it finds has an id', () => {
    fc.assert(
      fc.property(answerLike, (json) => {
        for (const item of parseCaseList(json)?.cases ?? []) expect(item.caseId).not.toBe('')
      }),
    )
  })

  it('never makes a case out of nothing', () => {
    fc.assert(
      fc.property(withoutIds, (json) => {
        expect(parseCaseList(json)?.cases ?? []).toEqual([])
      }),
    )
  })
})

describe('nextLinkOfHeader', () => {
  it.each<[string | undefined, string | null]>([
    ['<https://x/cases?page=2>; rel="next"', 'https://x/cases?page=2'],
    ['</1>; rel="prev", </3>; rel="next"; title="n"', '/3'],
    ['</2>; title="a, b"; rel="last next"', '/2'],
    ['</2>; rel=next', '/2'],
    ['</1>; rel="prev"', null],
    ['rubbish', null],
    [undefined, null],
  ])('reads %s', (header, link) => {
    expect(nextLinkOfHeader(header)).toBe(link)
  })

  it('takes no time over a hostile header', () => {
    const before = performance.now()
    nextLinkOfHeader(`<${'<'.repeat(100_000)}`)
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})
