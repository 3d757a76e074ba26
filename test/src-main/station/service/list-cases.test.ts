import { describe, expect, it, onTestFinished } from 'vitest'
import { openHttpServer, type Answer } from './loopback.ts'
import { openService, paths, tokensSeen } from './opened-service.ts'

describe('listCases', () => {
  it('follows the links of its own origin, with the token, and says that the list is whole', async () => {
    const service = await openService(({ path }) => {
      if (path === '/eye/api/cases') return { json: { data: [{ id: 1 }], links: { next: '?page=2' } } }
      if (path === '/eye/api/cases?page=2') {
        return { json: [{ id: 2 }, { id: 1 }], headers: { link: '</eye/api/cases?page=3>; rel="next"' } }
      }
      return { json: { data: [{ id: 3 }], links: { next: null } } }
    })
    const list = await service.client.listCases()
    expect(list).toMatchObject({ ok: true, value: { isComplete: true } })
    expect(list.ok && list.value.cases.map((item) => item.caseId)).toEqual(['1', '2', '3'])
    expect(new Set(tokensSeen(service).slice(1))).toEqual(new Set(['Bearer t1']))
  })

  it('never takes the token to another origin, and says that the list is not whole', async () => {
    const other = await openHttpServer(() => ({ json: [{ id: 2 }] }))
    onTestFinished(() => other.close())
    const { client } = await openService(() => ({
      json: { data: [{ id: 1 }], next: `${other.origin}/cases?page=2` },
    }))
    expect(await client.listCases()).toMatchObject({
      ok: true,
      value: { cases: [{ caseId: '1' }], isComplete: false },
    })
    expect(other.connectionCount()).toBe(0)
  })

  it.each<[string, (path: string) => Answer]>([
    ['a link in a circle', () => ({ json: { data: [{ id: 1 }], next: '?page=1' } })],
    [
      'pages that bring nothing new',
      (path) => ({ json: { data: [{ id: 1 }], next: `?page=${path.length}` } }),
    ],
    ['a total beyond the page', () => ({ json: { data: [{ id: 1 }], total: 100 } })],
    ['an item without an id', () => ({ json: { data: [{ id: 1 }, { state: 'x' }] } })],
  ])('comes to an end with %s, and says that the list is not whole', async (_name, answer) => {
    const service = await openService(({ path }) => answer(path))
    expect(await service.client.listCases()).toMatchObject({ ok: true, value: { isComplete: false } })
    expect(service.server.asked.length).toBeLessThan(6)
  })

  it('comes to an end where there is always another page', async () => {
    let page = 0
    const service = await openService(() => ({ json: { data: [{ id: ++page }], next: `?page=${page}` } }))
    const list = await service.client.listCases()
    expect(list.ok && [list.value.cases.length, list.value.isComplete]).toEqual([200, false])
  })

  it('takes an empty page after the last for the end', async () => {
    const { client } = await openService(({ path }) => ({
      json: path.includes('page') ? { data: [], next: '?page=3' } : { data: [{ id: 1 }], next: '?page=2' },
    }))
    expect(await client.listCases()).toMatchObject({
      ok: true,
      value: { cases: [{ caseId: '1' }], isComplete: true },
    })
  })

  it.each<[string, Answer, string]>([
    ['a page', { text: '<!doctype html><title>Hotel Wi-Fi</title>' }, 'wrongAddress'],
    ['a redirect', { status: 302, headers: { location: '/login' } }, 'wrongAddress'],
    ['an empty 200', {}, 'answerUnreadable'],
    ['something else', { json: { hello: 'world' } }, 'answerUnreadable'],
    ['an error of the gateway', { status: 502, text: '<html>Bad Gateway</html>' }, 'notAnswering'],
    ['a refusal', { json: { success: false, content: 'Closed on Sundays' } }, 'serviceRefused'],
  ])('fails with %s', async (_name, answer, kind) => {
    const service = await openService(() => answer)
    expect(await service.client.listCases()).toMatchObject({ ok: false, failure: { kind } })
    expect(paths(service)).toEqual(['POST /eye/api/authorize', 'GET /eye/api/cases'])
  })

  it('reads 204 as no cases', async () => {
    const { client } = await openService(() => ({ status: 204 }))
    expect(await client.listCases()).toEqual({ ok: true, value: { cases: [], isComplete: true } })
  })
})
