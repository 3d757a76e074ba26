import { describe, expect, it } from 'vitest'
import { nextLinkOfHeader, parseCaseList } from '../../../../src-main/station/service/cases.ts'
import { fc } from '../../../tools/property.ts'
import { answerLike, withoutIds } from './hostile-json.ts'

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
