import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { PracticeOptions } from './desk.ts'
import { openPracticeService, type PracticeService } from './practice-service.ts'

type CaseImage = { readonly partName?: string; readonly fileName: string; readonly bytes: Buffer }
type CaseParts = {
  readonly fields?: Readonly<Record<string, string>>
  readonly images?: readonly CaseImage[]
}

const IMAGE: CaseImage = {
  fileName: 'FC7K3M9QXAW_OD_1.jpg',
  bytes: Buffer.from('not looked into'),
}

function formOf(parts: CaseParts): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts.fields ?? { history_number: 'H-00017' }))
    form.append(name, value)
  for (const { partName = 'images[]', fileName, bytes } of parts.images ?? [IMAGE])
    form.append(partName, new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), fileName)
  return form
}

async function authorise(service: PracticeService, secret = service.clientSecret): Promise<Response> {
  return fetch(`${service.baseUrl}/authorize`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: service.clientId,
      client_secret: secret,
      grant_type: 'client_credentials',
    }),
  })
}

type Call = (path: string, init?: RequestInit) => Promise<Response>

/** Calls with a token taken once. */
async function openCalls(service: PracticeService): Promise<Call> {
  const { access_token: token } = (await (await authorise(service)).json()) as { access_token: string }
  return (path, init = {}) =>
    fetch(service.baseUrl + path, { ...init, headers: { authorization: `Bearer ${token}` } })
}

async function postCase(call: Call, parts: CaseParts = {}): Promise<Response> {
  return call('/cases', { method: 'POST', body: formOf(parts) })
}

let service: PracticeService
let call: Call

async function open(options: PracticeOptions = {}): Promise<void> {
  service = await openPracticeService({ answerDelayMs: 0, ...options })
  call = await openCalls(service)
}

afterEach(() => service.close())

describe('the practice service', () => {
  it('keeps a case as it was sent, below a base address that has a path', async () => {
    await open({ basePath: '/eye/api' })
    const fields = { history_number: 'H-00017', od_iop: '14.5', gender: '1', visit_date: '2026-11-20' }
    const answer = await postCase(call, { fields, images: [IMAGE, { ...IMAGE, fileName: 'b.png' }] })

    expect([answer.status, await answer.json()]).toEqual([201, { success: true, content: 4001 }])
    const entry = service.journal.of('POST /cases')[0]
    expect(entry).toMatchObject({ token: 'good', isBodyComplete: true, caseId: '4001', centerId: '101' })
    expect(entry?.bodyBytes).toBe(entry?.contentLength)
    expect(service.cases()[0]?.fields).toEqual(fields)
    expect(service.cases()[0]?.images[1]).toEqual({
      partName: 'images[]',
      fileName: 'b.png',
      contentType: 'image/jpeg',
      sizeBytes: IMAGE.bytes.length,
      sha256: createHash('sha256').update(IMAGE.bytes).digest('hex'),
    })
  })

  it.each([
    ['an unknown field', { fields: { history_number: '1', patient: 'x' } }],
    ['a missing required field', { fields: { first_name: 'Synthia' } }],
    ['a day that no calendar has', { fields: { history_number: '1', visit_date: '2026-02-30' } }],
    ['a decimal comma', { fields: { history_number: '1', od_va: '0,8' } }],
    ['a code that is none', { fields: { history_number: '1', gender: '2' } }],
    ['no image', { images: [] }],
    ['an image that is not under images[]', { images: [{ ...IMAGE, partName: 'images' }] }],
    ['an empty image', { images: [{ ...IMAGE, bytes: Buffer.alloc(0) }] }],
  ])('refuses %s and stores nothing', async (_what, parts) => {
    await open()
    expect((await postCase(call, parts)).status).toBe(422)
    expect(service.cases()).toEqual([])
  })

  it('refuses an image part without a file name', async () => {
    await open()
    const form = formOf({ images: [] })
    form.append('images[]', 'bytes')
    expect((await call('/cases', { method: 'POST', body: form })).status).toBe(422)
  })

  it('refuses a case that is no multipart form, and credentials that are no URL-encoded form', async () => {
    await open()
    const encoded = new URLSearchParams({ history_number: '1' })
    expect((await call('/cases', { method: 'POST', body: encoded })).status).toBe(415)
    const credentials = { method: 'POST', body: formOf({ images: [] }) }
    expect((await fetch(`${service.baseUrl}/authorize`, credentials)).status).toBe(415)
  })

  it('gives no token for a wrong secret, and takes none that it did not give', async () => {
    await open()
    expect((await authorise(service, 'guess')).status).toBe(401)
    const headers = { authorization: 'Bearer guess' }
    expect((await fetch(`${service.baseUrl}/cases`, { headers })).status).toBe(401)
    expect((await fetch(`${service.baseUrl}/cases/report/1`)).status).toBe(401)
    expect(service.journal.of('GET /cases').map((entry) => entry.token)).toEqual(['wrong'])
    expect(JSON.stringify(service.journal.entries())).not.toContain('guess')
  })

  it('has one center switch for all its clients, and shows the cases of the current center only', async () => {
    await open()
    const elsewhere = await openCalls(service)
    await postCase(call)
    const change = { method: 'POST', body: new URLSearchParams({ center_id: '102' }) }
    expect((await elsewhere('/change-center', change)).status).toBe(200)
    await postCase(call)

    expect(service.cases().map((stored) => stored.centerId)).toEqual(['101', '102'])
    expect(await (await call('/cases')).json()).toMatchObject({ content: [{ id: 4002 }] })
    expect((await call('/cases/4001')).status).toBe(404)
    const unknown = { method: 'POST', body: new URLSearchParams({ center_id: '9' }) }
    expect((await call('/change-center', unknown)).status).toBe(404)
  })
})
