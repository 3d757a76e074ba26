import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { STINGY, TACITURN, TALKATIVE, type Dialect } from './dialects.ts'
import { authorise, openCalls, postCase, type Call } from './practice-client.ts'
import { openPracticeService, type PracticeService } from './practice-service.ts'

let service: PracticeService
let call: Call

beforeAll(async () => {
  service = await openPracticeService({ answerDelayMs: 0, reportDelayMs: 0, basePath: '/api' })
  call = await openCalls(service)
  await postCase(call)
  await postCase(call)
})
afterAll(() => service.close())
beforeEach(() => service.setDialect(STINGY))

async function textOf(path: string): Promise<string> {
  const answer = await call(path)
  return `${String(answer.status)} ${await answer.text()}`
}

const A = '{"id":4001,"history_number":"H-00017","visit_date":null,"state":"reported"}'
const B = A.replace('4001', '4002')
const KEYED = `{"4001":${A.replace('"id":4001,', '')},"4002":${B.replace('"id":4002,', '')}}`

describe('the dialects', () => {
  it.each<[Partial<Dialect>, RegExp]>([
    [{}, /^\{"access_token":"[\w-]{32}","token_type":"Bearer","expires_in":3600\}$/],
    [{ token: 'token' }, /^\{"token":"[\w-]{32}","expires_in":3600\}$/],
    [
      { token: 'tokenObject', expiry: 'expiresInText' },
      /^\{"token":\{"access_token".*"expires_in":"3600"\}\}$/,
    ],
    [{ token: 'result', expiry: 'expiresIso' }, /^\{"result":\{"access_token".*"expires":"20..-/],
    [{ token: 'data', expiry: 'expiresEpoch' }, /^\{"data":\{.*"expires":\d{10}\}\}$/],
    [
      { token: 'content', expiry: 'expiresEpochText' },
      /^\{"success":true,"content":\{.*"expires":"\d{10}"\}\}$/,
    ],
    [{ token: 'string' }, /^"[\w-]{32}"$/],
  ])('a token as %j', async (dialect, expected) => {
    service.setDialect(dialect)
    expect(await (await authorise(service)).text()).toMatch(expected)
  })

  it.each<[Partial<Dialect>, string]>([
    [{}, `200 {"success":true,"content":[${A},${B}]}`],
    [{ list: 'array' }, `200 [${A},${B}]`],
    [{ list: 'data.cases' }, `200 {"data":{"cases":[${A},${B}]}}`],
    [{ list: 'results' }, `200 {"results":[${A},${B}]}`],
    [{ list: 'keyedById' }, `200 ${KEYED}`],
    [{ list: 'content.keyedById' }, `200 {"success":true,"content":${KEYED}}`],
    [{ list: 'array', caseFields: 'ids' }, '200 [{"id":4001},{"id":4002}]'],
  ])('a list as %j', async (dialect, expected) => {
    service.setDialect(dialect)
    expect(await textOf('/cases')).toBe(expected)
  })

  it('pages, by a link in the body or in a header', async () => {
    const next = `${service.baseUrl}/cases?page=2`
    service.setDialect({ pageSize: 1, list: 'items' })
    expect(await textOf('/cases')).toBe(`200 {"items":[${A}],"next":"${next}"}`)
    expect(await textOf('/cases?page=2')).toBe(`200 {"items":[${B}]}`)
    service.setDialect({ list: 'array' })
    expect((await call('/cases')).headers.get('link')).toBe(`<${next}>; rel="next"`)
    service.setDialect({ pageSize: null })
    expect((await call('/cases?page=2')).status).toBe(400)
  })

  it('has null for an empty list', async () => {
    service.switchCenter('102')
    service.setDialect({ emptyList: 'null', list: 'array' })
    expect(await textOf('/cases')).toBe('200 null')
    service.switchCenter('101')
  })

  it.each<[Partial<Dialect>, RegExp]>([
    [{ created: 'bare' }, /^200 \d+ null$/],
    [{ created: 'bare', ids: 'text' }, /^200 "C-\d+" null$/],
    [{ created: 'caso', ids: 'numberText' }, /^201 \{"caso":"\d+"\} null$/],
    [{ created: 'case.id', ids: 'uuid' }, /^201 \{"case":\{"id":"[\da-f-]{36}"\}\} null$/],
    [{ created: 'location' }, /^201 {2}\/api\/cases\/\d+$/],
  ])('a new case as %j', async (dialect, expected) => {
    service.setDialect(dialect)
    service.switchCenter('102')
    const answer = await postCase(call)
    service.switchCenter('101')
    const location = String(answer.headers.get('location'))
    expect(`${String(answer.status)} ${await answer.text()} ${location}`).toMatch(expected)
  })

  it.each<[Partial<Dialect>, RegExp]>([
    [{ report: 'pdfUnlabelled' }, /^application\/octet-stream %PDF-1\.4/],
    [{ report: 'base64' }, /^application\/json.* \{"success":true,"content":"JVBERi0.{69}\\r\\n/],
    [{ report: 'dataUri' }, /\{"report":"data:application\/pdf;base64,JVBERi0/],
    [{ report: 'findings' }, /\{"case_id":4001,"version":1,"findings":\[\{"eye":"OD"/],
    [{ report: 'html' }, /^text\/html.* <!doctype html>.*<script>/],
    [{ report: 'text' }, /^text\/plain; charset=utf-8 Practice report/],
    [{ report: 'image' }, /^image\/png .PNG/],
    [{ report: 'foreignLink' }, /"https:\/\/viewer\.example\/reports\/4001"/],
  ])('a report as %j', async (dialect, expected) => {
    service.setDialect(dialect)
    const answer = await call('/cases/report/4001')
    const body = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    expect(`${String(answer.headers.get('content-type'))} ${body}`).toMatch(expected)
  })

  it('serves the file that a link of its own leads to', async () => {
    service.setDialect({ report: 'link' })
    const { content } = (await (await call('/cases/report/4001')).json()) as { content: { url: string } }
    const path = content.url.slice(service.baseUrl.length)
    expect(await textOf(path)).toMatch(/^200 %PDF/)
    expect((await fetch(content.url)).status).toBe(401)
  })

  it.each<[Partial<Dialect>, string]>([
    [{ centers: 'array' }, '200 [{"id":"101","name":"Practice Center North"},{"id":"102"'],
    [{ centers: 'map' }, '200 {"101":"Practice Center North","102":"Practice Center South"}'],
    [{ centers: 'data', centerId: 'uuid', centerName: 'title' }, '200 {"data":[{"uuid":"101","title":"Prac'],
    [
      { centers: 'centers', marksCurrentCenter: true },
      '200 {"centers":[{"id":"101","name":"Practice Center North","current":true}',
    ],
  ])('centers as %j', async (dialect, expected) => {
    service.setDialect(dialect)
    expect((await textOf('/centers')).startsWith(expected)).toBe(true)
  })

  it.each<[Partial<Dialect>, RegExp]>([
    [
      { failure: 'envelope', failureStatus: 'alwaysOk' },
      /^200 \{"success":false,"content":"No such case\."\}$/,
    ],
    [{ failure: 'oauth' }, /^404 \{"error":"invalid_request","error_description":"No such case\."\}$/],
    [{ failure: 'errors' }, /^404 \{"errors":\{"request":\["No such case\."\]\}\}$/],
    [{ failure: 'codeDetail' }, /^404 \{"code":"invalid_request","detail":"No such case\."\}$/],
    [{ failure: 'html' }, /^404 <!doctype html>/],
    [{ failure: 'empty' }, /^404 $/],
  ])('a failure as %j', async (dialect, expected) => {
    service.setDialect(dialect)
    expect(await textOf('/cases/9999')).toMatch(expected)
  })

  it('come in three sets that differ wherever they can', () => {
    const keys = Object.keys(STINGY) as (keyof Dialect)[]
    const same = keys.filter((key) => STINGY[key] === TALKATIVE[key] && STINGY[key] === TACITURN[key])
    expect(same).toEqual(['pageSize', 'pageLink', 'centerName'])
  })
})
