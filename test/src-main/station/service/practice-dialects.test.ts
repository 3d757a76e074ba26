/** One journey with a service that answers in every way that is known; what each reader takes is in its own spec. */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../src-main/station/ports.ts'
import type { PostEvidence, RequestBody, ServiceClient } from '../../../../src-main/station/service/client.ts'
import { type Dialect, STINGY, TACITURN, TALKATIVE } from '../../../practice-service/dialects.ts'
import { openPracticeService, type PracticeService } from '../../../practice-service/practice-service.ts'
import { openClient, post } from './client-with.ts'

let service: PracticeService

beforeAll(async () => {
  service = await openPracticeService({ answerDelayMs: 0, reportDelayMs: 1e9, basePath: '/eye/api' })
})
afterAll(() => service.close())
beforeEach(() => service.setDialect(STINGY))

function openPracticeClient(secret = service.clientSecret): ServiceClient {
  const { baseUrl, clientId } = service
  return openClient({ baseUrl, clientId, clock: systemClock, readSecret: () => Promise.resolve(secret) })
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

const postForm = async (
  client: ServiceClient,
  fields = { history_number: 'H-00017' },
): Promise<PostEvidence> => (await post(client, formBody(fields))).evidence

const dialects = <Name extends keyof Dialect>(name: Name, ...shapes: Dialect[Name][]): [Partial<Dialect>][] =>
  shapes.map((shape) => [{ [name]: shape }])

const DIALECTS: [Partial<Dialect>][] = [
  ...dialects('token', 'bare', 'token', 'data', 'content', 'tokenObject', 'result', 'string'),
  ...dialects(
    'expiry',
    'expiresIn',
    'expiresInText',
    'expiresEpoch',
    'expiresEpochText',
    'expiresIso',
    'none',
  ),
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
  ...dialects('list', 'array', 'cases', 'content', 'data', 'items', 'results', 'data.cases', 'content.items'),
  ...dialects('list', 'keyedById', 'content.keyedById'),
  ...dialects('caseFields', 'ids', 'minimal', 'everything'),
  [{ pageSize: 1, pageLink: 'next' }],
  [{ pageSize: 1, pageLink: 'links.next' }],
  [{ pageSize: 1, pageLink: 'header' }],
  [{ emptyList: 'empty', list: 'content' }],
  [{ emptyList: 'null', list: 'array' }],
  [{ emptyList: 'null', list: 'content' }],
  [{ emptyList: 'null', list: 'keyedById' }],
  ...dialects('oneCase', 'bare', 'content', 'data', 'case'),
  ...dialects('report', 'pdf', 'pdfUnlabelled', 'base64', 'dataUri', 'findings', 'html', 'text', 'image'),
  ...dialects('report', 'link', 'foreignLink'),
  ...dialects('notReady', '404', '202', '204', 'emptyContent', 'nullContent', 'successFalse'),
  ...dialects('centers', 'array', 'centers', 'content', 'data', 'map', 'content.map'),
  ...dialects('centerId', 'id', 'center_id', 'uuid'),
  ...dialects('centerName', 'name', 'title', 'description'),
  ...dialects('centerChanged', 'envelope', 'empty', 'noContent'),
  ...dialects('failure', 'envelope', 'error', 'oauth', 'errorMessageCode', 'message', 'errors', 'codeDetail'),
  ...dialects('failure', 'html', 'empty'),
  [{ failure: 'envelope', failureStatus: 'alwaysOk' }],
]

const REPORT_KINDS: Readonly<Record<string, string>> = {
  findings: 'json',
  html: 'html',
  text: 'text',
  image: 'image',
  foreignLink: 'link',
}

it.each(DIALECTS)('the client understands a whole journey in %j', async (dialect) => {
  service.setDialect(dialect)
  onTestFinished(() => service.switchCenter('101'))
  const client = openPracticeClient()
  const failed = (kind: string) => ({ ok: false, failure: { kind } })
  expect(await openPracticeClient('wrong').listCases()).toMatchObject(failed('signedOut'))

  const { caseId, failure } = await postForm(client)
  expect(failure).toBeNull()
  const listed = await client.listCases()
  expect(listed).toMatchObject({ ok: true, value: { isComplete: true } })
  expect(listed.ok && listed.value.cases).toHaveLength(service.cases().length)
  expect(await client.getCase(caseId ?? '')).toMatchObject({ ok: true, value: { caseId } })
  expect(await client.getReport(caseId ?? '')).toEqual({ ok: true, value: { kind: 'notReady' } })
  service.makeReportReady(caseId ?? '')
  const reportKind = REPORT_KINDS[dialect.report ?? ''] ?? 'pdf'
  expect(await client.getReport(caseId ?? '')).toMatchObject({ ok: true, value: { reportKind } })

  expect(await client.listCenters()).toEqual({
    ok: true,
    value: [
      { centerId: '101', name: 'Practice Center North', isCurrent: null },
      { centerId: '102', name: 'Practice Center South', isCurrent: null },
    ],
  })
  const before = service.cases().length
  expect(await postForm(client, { history_number: '' })).toMatchObject({
    caseId: null,
    failure: { kind: 'serviceRefused' },
  })
  expect(service.cases()).toHaveLength(before)
  expect(await client.changeCenter('999')).toMatchObject(failed('centerNotChanged'))
  expect(await client.changeCenter('102')).toEqual({ ok: true, value: null })
  expect(service.currentCenterId()).toBe('102')
  expect(await client.listCases()).toEqual({ ok: true, value: { cases: [], isComplete: true } })
  service.expireTokens()
  expect(await client.listCenters()).toMatchObject({ ok: true })
})

it('the client understands the mark of the current center', async () => {
  service.setDialect({ marksCurrentCenter: true })
  onTestFinished(() => service.switchCenter('101'))
  const client = openPracticeClient()
  await client.changeCenter('102')
  const centers = await client.listCenters()
  expect(centers.ok && centers.value.map(({ isCurrent }) => isCurrent)).toEqual([false, true])
})

it.each([
  ['stingy', STINGY],
  ['talkative', TALKATIVE],
  ['taciturn', TACITURN],
] as const)('the client understands a whole %s service', async (_name, dialect) => {
  service.setDialect(dialect)
  const client = openPracticeClient()
  const { caseId } = await postForm(client)
  expect(await client.getCase(caseId ?? '')).toMatchObject({ ok: true, value: { caseId } })
  service.makeReportReady(caseId ?? '')
  expect(await client.getReport(caseId ?? '')).toMatchObject({ ok: true, value: { reportKind: 'pdf' } })
  service.expireTokens()
  expect(await postForm(client)).toMatchObject({ failure: { kind: 'signedOut' } })
})
