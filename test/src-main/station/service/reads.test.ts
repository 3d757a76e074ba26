import { describe, expect, it, onTestFinished } from 'vitest'
import { openHttpServer, type Answer } from './loopback.ts'
import { openService, paths } from './opened-service.ts'

describe('getCase', () => {
  it('escapes an id, and asks nothing for one that is a step in a path', async () => {
    const service = await openService(() => ({ json: { id: 'a/b' } }))
    await service.client.getCase('a/b?c')
    expect(paths(service).at(-1)).toBe('GET /eye/api/cases/a%2Fb%3Fc')
    expect(await service.client.getCase('..')).toMatchObject({ ok: false, failure: { kind: 'notFound' } })
    expect(await service.client.getReport('')).toMatchObject({ ok: false, failure: { kind: 'notFound' } })
    expect(service.server.asked).toHaveLength(2)
  })

  it.each<[string, Answer, string]>([
    ['404', { status: 404 }, 'notFound'],
    ['an empty array', { json: [] }, 'notFound'],
    ['an envelope around nothing', { json: { success: true, content: null } }, 'notFound'],
    ['success:false', { json: { success: false, content: 'no such case' } }, 'serviceRefused'],
    ['a page', { text: '<html></html>' }, 'wrongAddress'],
  ])('fails with %s', async (_name, answer, kind) => {
    const { client } = await openService(() => answer)
    expect(await client.getCase('5')).toMatchObject({ ok: false, failure: { kind } })
  })
})

describe('getReport', () => {
  it('fetches a report and asks for any kind of it', async () => {
    const service = await openService(() => ({ text: '%PDF-1.4', headers: { 'content-type': 'text/plain' } }))
    expect(await service.client.getReport('5')).toMatchObject({
      ok: true,
      value: { kind: 'report', reportKind: 'pdf' },
    })
    expect(service.server.asked[1]).toMatchObject({
      path: '/eye/api/cases/report/5',
      headers: { accept: 'application/json, application/pdf;q=0.9, */*;q=0.5' },
    })
  })

  it('follows a link of its own origin, under the token', async () => {
    const service = await openService(({ path }) =>
      path.endsWith('/report/5') ? { json: { url: '/files/5.pdf' } } : { text: '%PDF-1.4' },
    )
    expect(await service.client.getReport('5')).toMatchObject({ ok: true, value: { reportKind: 'pdf' } })
    expect(service.server.asked.at(-1)).toMatchObject({
      path: '/files/5.pdf',
      headers: { authorization: 'Bearer t1' },
    })
  })

  it('leaves a link of another origin to the person', async () => {
    const other = await openHttpServer(() => ({ text: '%PDF-1.4' }))
    onTestFinished(() => other.close())
    const service = await openService(() => ({ json: { url: `${other.origin}/5.pdf` } }))
    const report = await service.client.getReport('5')
    expect(report).toMatchObject({ ok: true, value: { reportKind: 'link' } })
    expect(paths(service)).toEqual(['POST /eye/api/authorize', 'GET /eye/api/cases/report/5'])
    expect(other.connectionCount()).toBe(0)
  })

  it('gives the whole address of a link that cannot be fetched', async () => {
    const { client, server } = await openService(({ path }) =>
      path.endsWith('/report/5') ? { json: { url: '/files/5.pdf' } } : { status: 404 },
    )
    const report = await client.getReport('5')
    const address = report.ok && report.value.kind === 'report' && Buffer.from(report.value.bytes).toString()
    expect(address).toBe(`${server.origin}/files/5.pdf`)
  })

  it.each<[string, Answer, string]>([
    ['404', { status: 404 }, 'notReady'],
    ['202', { status: 202 }, 'notReady'],
    ['success:false', { json: { success: false, content: 'not yet' } }, 'notReady'],
  ])('takes %s for not ready', async (_name, answer, kind) => {
    const { client } = await openService(() => answer)
    expect(await client.getReport('5')).toEqual({ ok: true, value: { kind } })
  })

  it.each<[string, Answer, string]>([
    ['an error of the server', { status: 500 }, 'notAnswering'],
    ['a sign-in page', { text: '<html><input type=password></html>' }, 'wrongAddress'],
    ['bytes of no kind', { text: Buffer.from([0, 1, 2]) }, 'answerUnreadable'],
  ])('fails with %s', async (_name, answer, kind) => {
    const { client } = await openService(() => answer)
    expect(await client.getReport('5')).toMatchObject({ ok: false, failure: { kind } })
  })
})

describe('centers', () => {
  it('lists them', async () => {
    const { client } = await openService(() => ({
      json: { centers: [{ id: 101, name: 'North', current: true }] },
    }))
    expect(await client.listCenters()).toEqual({
      ok: true,
      value: [{ centerId: '101', name: 'North', isCurrent: true }],
    })
  })

  it('changes the center with a form', async () => {
    const { client, server } = await openService(() => ({ status: 204 }))
    expect(await client.changeCenter('101')).toEqual({ ok: true, value: null })
    expect(server.asked.at(-1)).toMatchObject({ method: 'POST', path: '/eye/api/change-center' })
    expect(server.asked.at(-1)?.body.toString()).toBe('center_id=101')
  })

  it.each<[string, Answer, string]>([
    ['success:false', { json: { success: false, content: 'unknown center' } }, 'centerNotChanged'],
    ['422', { status: 422, json: { error: 'unknown center' } }, 'centerNotChanged'],
    ['a page', { text: '<!doctype html><p>Welcome</p>' }, 'wrongAddress'],
    ['500', { status: 500 }, 'notAnswering'],
  ])('is not changed by %s', async (_name, answer, kind) => {
    const { client } = await openService(() => answer)
    expect(await client.changeCenter('9')).toMatchObject({ ok: false, failure: { kind } })
  })
})
