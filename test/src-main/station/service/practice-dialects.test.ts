/** The client against a service that words its answers in every way that is known. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../src-main/station/ports.ts'
import type { PostEvidence, RequestBody, ServiceClient } from '../../../../src-main/station/service/client.ts'
import { openServiceClient } from '../../../../src-main/station/service/service.ts'
import { type Dialect, STINGY, TACITURN, TALKATIVE } from '../../../practice-service/dialects.ts'
import { openPracticeService, type PracticeService } from '../../../practice-service/practice-service.ts'
import { DIRECT } from './opened-client.ts'

let service: PracticeService

beforeAll(async () => {
  service = await openPracticeService({ answerDelayMs: 0, reportDelayMs: 0, basePath: '/eye/api' })
})
afterAll(() => service.close())
beforeEach(() => service.setDialect(STINGY))

function openPracticeClient(secret = service.clientSecret): ServiceClient {
  const client = openServiceClient({
    settings: { baseUrl: service.baseUrl, clientId: service.clientId },
    readSecret: () => Promise.resolve(secret),
    proxies: DIRECT,
    clock: systemClock,
    version: '1.2.3',
  })
  onTestFinished(() => client.close())
  return client
}

function formBody(fields: Readonly<Record<string, string>>): RequestBody {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const image =
    '--b\r\ncontent-disposition: form-data; name="images[]"; filename="FC7K3M9QXAW_OD_1.jpg"\r\n' +
    'content-type: image/jpeg\r\n\r\nnot looked into\r\n'
  const bytes = Buffer.from(`${parts.join('')}${image}--b--\r\n`)
  return {
    contentType: 'multipart/form-data; boundary=b',
    contentLength: bytes.length,
    stream: async function* () {
      yield bytes
    },
  }
}

async function post(client: ServiceClient, fields = { history_number: 'H-00017' }): Promise<PostEvidence> {
  return await client.postCase({
    body: formBody(fields),
    answerTimeoutMs: 10_000,
    beforeFirstByte: () => {},
    onHandedOver: () => {},
    signal: new AbortController().signal,
  })
}

async function counted(client: ServiceClient): Promise<unknown> {
  const list = await client.listCases()
  return list.ok ? { count: list.value.cases.length, isComplete: list.value.isComplete } : list.failure
}

const dialects = <Name extends keyof Dialect>(name: Name, ...shapes: Dialect[Name][]): [Partial<Dialect>][] =>
  shapes.map((shape) => [{ [name]: shape }])

describe('the client understands', () => {
  it.each(dialects('token', 'bare', 'token', 'data', 'content', 'tokenObject', 'result', 'string'))(
    'the token in %j',
    async (dialect) => {
      service.setDialect(dialect)
      expect(await openPracticeClient().listCases()).toMatchObject({ ok: true })
    },
  )

  it.each(
    dialects(
      'expiry',
      'expiresIn',
      'expiresInText',
      'expiresEpoch',
      'expiresEpochText',
      'expiresIso',
      'none',
    ),
  )('the end of a token in %j, and replaces one that ended before it', async (dialect) => {
    service.setDialect(dialect)
    const client = openPracticeClient()
    await client.listCases()
    service.expireTokens()
    expect(await client.listCases()).toMatchObject({ ok: true })
    expect(client.tokenNumber()).toBe(2)
  })

  it.each([
    ...dialects(
      'created',
      'content',
      'id',
      'case_id',
      'caso',
      'uuid',
      'data.id',
      'content.id',
      'content.case_id',
    ),
    ...dialects('created', 'case.id', 'bare', 'location'),
    ...dialects('ids', 'number', 'text', 'numberText', 'uuid'),
  ])('the new id in %j', async (dialect) => {
    service.setDialect(dialect)
    const before = service.cases().length
    const evidence = await post(openPracticeClient())
    expect(evidence).toMatchObject({ caseId: expect.any(String), failure: null })
    expect(service.cases().length).toBe(before + 1)
    service.setDialect({ created: 'content' })
    expect(await openPracticeClient().getCase(evidence.caseId ?? '')).toMatchObject({ ok: true })
  })

  it.each([
    ...dialects(
      'list',
      'array',
      'cases',
      'content',
      'data',
      'items',
      'results',
      'data.cases',
      'content.items',
    ),
    ...dialects('list', 'keyedById', 'content.keyedById'),
    ...dialects('caseFields', 'ids', 'minimal', 'everything'),
  ])('the list in %j, on one page and on many', async (dialect) => {
    const client = openPracticeClient()
    await post(client)
    await post(client)
    service.setDialect(dialect)
    const all = { count: service.cases().length, isComplete: true }
    expect(await counted(client)).toEqual(all)
    for (const pageLink of ['next', 'links.next', 'header'] as const) {
      service.setDialect({ pageSize: 1, pageLink })
      expect(await counted(client)).toEqual(all)
    }
  })

  it.each(dialects('emptyList', 'empty', 'null'))('the empty list in %j', async (dialect) => {
    service.setDialect(dialect)
    service.switchCenter('102')
    onTestFinished(() => service.switchCenter('101'))
    for (const list of ['array', 'content', 'keyedById'] as const) {
      service.setDialect({ list })
      expect(await openPracticeClient().listCases()).toEqual({
        ok: true,
        value: { cases: [], isComplete: true },
      })
    }
  })

  it.each(dialects('oneCase', 'bare', 'content', 'data', 'case'))('one case in %j', async (dialect) => {
    const client = openPracticeClient()
    const { caseId } = await post(client)
    service.setDialect(dialect)
    expect(await client.getCase(caseId ?? '')).toMatchObject({
      ok: true,
      value: { caseId, historyNumber: 'H-00017' },
    })
  })

  it.each([
    ['pdf', 'pdf'],
    ['pdfUnlabelled', 'pdf'],
    ['base64', 'pdf'],
    ['dataUri', 'pdf'],
    ['findings', 'json'],
    ['html', 'html'],
    ['text', 'text'],
    ['image', 'image'],
    ['link', 'pdf'],
    ['foreignLink', 'link'],
  ] as const)('the report in %s', async (report, reportKind) => {
    const client = openPracticeClient()
    const { caseId } = await post(client)
    service.setDialect({ report })
    service.makeReportReady(caseId ?? '')
    expect(await client.getReport(caseId ?? '')).toMatchObject({
      ok: true,
      value: { kind: 'report', reportKind },
    })
  })

  it.each(dialects('notReady', '404', '202', '204', 'emptyContent', 'nullContent', 'successFalse'))(
    'that there is no report in %j',
    async (dialect) => {
      const unready = await openPracticeService({ answerDelayMs: 0, reportDelayMs: 1e9, dialect })
      onTestFinished(() => unready.close())
      const client = openServiceClient({
        settings: { baseUrl: unready.baseUrl, clientId: unready.clientId },
        readSecret: () => Promise.resolve(unready.clientSecret),
        proxies: DIRECT,
        clock: systemClock,
        version: '1.2.3',
      })
      onTestFinished(() => client.close())
      const { caseId } = await post(client)
      expect(await client.getReport(caseId ?? '')).toEqual({ ok: true, value: { kind: 'notReady' } })
    },
  )

  it.each([
    ...dialects('centers', 'array', 'centers', 'content', 'data', 'map', 'content.map'),
    ...dialects('centerId', 'id', 'center_id', 'uuid'),
    ...dialects('centerName', 'name', 'title', 'description'),
  ])('the centers in %j', async (dialect) => {
    service.setDialect(dialect)
    expect(await openPracticeClient().listCenters()).toEqual({
      ok: true,
      value: [
        { centerId: '101', name: 'Practice Center North', isCurrent: null },
        { centerId: '102', name: 'Practice Center South', isCurrent: null },
      ],
    })
  })

  it('the mark of the current center', async () => {
    service.setDialect({ marksCurrentCenter: true })
    const client = openPracticeClient()
    onTestFinished(() => service.switchCenter('101'))
    await client.changeCenter('102')
    const centers = await client.listCenters()
    expect(centers.ok && centers.value.map(({ isCurrent }) => isCurrent)).toEqual([false, true])
  })

  it.each(dialects('centerChanged', 'envelope', 'empty', 'noContent'))(
    'that a center is set in %j',
    async (dialect) => {
      service.setDialect(dialect)
      onTestFinished(() => service.switchCenter('101'))
      expect(await openPracticeClient().changeCenter('102')).toEqual({ ok: true, value: null })
      expect(service.currentCenterId()).toBe('102')
    },
  )

  it.each([
    ...dialects(
      'failure',
      'envelope',
      'error',
      'oauth',
      'errorMessageCode',
      'message',
      'errors',
      'codeDetail',
    ),
    ...dialects('failure', 'html', 'empty'),
    [{ failure: 'envelope', failureStatus: 'alwaysOk' }] as [Partial<Dialect>],
  ])('a refusal in %j', async (dialect) => {
    service.setDialect(dialect)
    const client = openPracticeClient()
    const before = service.cases().length
    const evidence = await post(client, { history_number: '' })
    expect(evidence).toMatchObject({ caseId: null, failure: { kind: 'serviceRefused' } })
    expect(service.cases().length).toBe(before)
    expect(await client.changeCenter('999')).toMatchObject({
      ok: false,
      failure: { kind: 'centerNotChanged' },
    })
    expect(await openPracticeClient('wrong').listCases()).toMatchObject({
      ok: false,
      failure: { kind: 'signedOut' },
    })
  })

  it.each([
    ['stingy', STINGY],
    ['talkative', TALKATIVE],
    ['taciturn', TACITURN],
  ] as const)('a whole %s service', async (_name, dialect) => {
    service.setDialect(dialect)
    const client = openPracticeClient()
    const { caseId } = await post(client)
    expect(await client.getCase(caseId ?? '')).toMatchObject({ ok: true, value: { caseId } })
    service.makeReportReady(caseId ?? '')
    expect(await client.getReport(caseId ?? '')).toMatchObject({ ok: true, value: { reportKind: 'pdf' } })
    service.expireTokens()
    expect(await post(client)).toMatchObject({ failure: { kind: 'signedOut' } })
    expect(await client.listCenters()).toMatchObject({ ok: true })
  })
})
