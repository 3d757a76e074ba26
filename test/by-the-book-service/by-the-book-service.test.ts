import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openByTheBookService, type ByTheBookService } from './by-the-book-service.ts'
import { readMultipart } from './multipart-by-the-book.ts'

const BYTES = Buffer.from('\r\n--x\r\nbytes that look like a boundary\r\n--x--\0', 'latin1')

function bodyOf(...parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`)
}

const TYPE = 'multipart/form-data; boundary=x'
const GOOD = 'Content-Disposition: form-data; name="a"\r\n\r\n1'

describe('the parser by the book', () => {
  it('reads fields and files, byte for byte', () => {
    const file =
      'Content-Disposition: form-data; name="images[]"; filename="ä %22.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    const body = Buffer.concat([
      Buffer.from(`--yy\r\n${GOOD}\r\n--yy\r\n${file}`),
      BYTES,
      Buffer.from('\r\n--yy--'),
    ])
    expect(readMultipart('multipart/form-data; boundary="yy"', body)).toEqual([
      { name: 'a', fileName: null, contentType: null, bytes: Buffer.from('1') },
      { name: 'images[]', fileName: 'ä %22.jpg', contentType: 'image/jpeg', bytes: BYTES },
    ])
  })

  it.each<[string, string, Buffer]>([
    ['not multipart/form-data', 'text/plain', bodyOf(GOOD)],
    ['no boundary', 'multipart/form-data; charset=x', bodyOf(GOOD)],
    ['no boundary', 'multipart/form-data; boundary="x*"', bodyOf(GOOD)],
    ['no delimiter', TYPE, Buffer.from('--y--')],
    ['no closing delimiter', TYPE, Buffer.from(`--x\r\n${GOOD}`)],
    ['more than the delimiter', TYPE, Buffer.from(`--xy\r\n${GOOD}\r\n--x--`)],
    ['no delimiter', TYPE, Buffer.from(`\n--x\n${GOOD}`)],
    ['empty line', TYPE, bodyOf('Content-Disposition: form-data; name="a"')],
    ['not form-data', TYPE, bodyOf('Content-Type: text/plain\r\n\r\n1')],
    ['without a name', TYPE, bodyOf('Content-Disposition: form-data; name=""\r\n\r\n1')],
    ['filename*', TYPE, bodyOf(`Content-Disposition: form-data; name="a"; filename*=utf-8''b\r\n\r\n1`)],
    ['transfer-encoding in a part', TYPE, bodyOf(`Content-Transfer-Encoding: binary\r\n${GOOD}`)],
    ['twice in one part', TYPE, bodyOf(`Content-Disposition: form-data; name="b"\r\n${GOOD}`)],
    ['cannot be read', TYPE, bodyOf('Content-Disposition: form-data; name=a b\r\n\r\n1')],
  ])('refuses what breaks a rule: %s', (rule, contentType, body) => {
    expect(() => readMultipart(contentType, body)).toThrow(rule)
  })
})

describe('the service by the book', () => {
  let service: ByTheBookService
  beforeEach(async () => {
    service = await openByTheBookService()
  })
  afterEach(() => service.close())

  async function takeToken(secret = service.clientSecret): Promise<Response> {
    const credentials = { client_id: service.clientId, client_secret: secret }
    const body = new URLSearchParams({ ...credentials, grant_type: 'client_credentials' })
    return fetch(`${service.baseUrl}/authorize`, { method: 'POST', body })
  }

  it('keeps what a browser sends, under the center of its token, and shows it by its id', async () => {
    const { token } = (await (await takeToken()).json()) as { token: { access_token: string } }
    const headers = { authorization: `Bearer ${token.access_token}` }
    const change = { method: 'POST', headers, body: new URLSearchParams({ center_id: 'B9' }) }
    expect((await fetch(`${service.baseUrl}/change-center`, change)).status).toBe(204)

    const form = new FormData()
    form.append('history_number', 'Ä-1')
    form.append('images[]', new Blob([new Uint8Array(BYTES)], { type: 'image/jpeg' }), 'one.jpg')
    const created = await fetch(`${service.baseUrl}/cases`, { method: 'POST', headers, body: form })
    const caseId = created.headers.get('location')?.split('/').at(-1) ?? ''
    const sha256 = createHash('sha256').update(BYTES).digest('hex')
    expect(service.cases()).toEqual([
      {
        caseId,
        centerId: 'B9',
        fields: [['history_number', 'Ä-1']],
        images: [{ fileName: 'one.jpg', sizeBytes: BYTES.length, sha256 }],
      },
    ])
    const list = await (await fetch(`${service.baseUrl}/cases`, { headers })).json()
    expect(list).toEqual({ [caseId]: { history_number: 'Ä-1', status: 'received' } })
    expect((await fetch(`${service.baseUrl}/cases/report/${caseId}`, { headers })).status).toBe(200)
    expect(service.refusals()).toEqual([])
  })

  it('refuses wrong credentials, a token it never gave, and files under another name', async () => {
    expect((await takeToken('guess')).status).toBe(401)
    expect((await fetch(`${service.baseUrl}/cases`)).status).toBe(403)
    const { token } = (await (await takeToken()).json()) as { token: { access_token: string } }
    const form = new FormData()
    form.append('image', new Blob(['x'], { type: 'image/png' }), 'one.png')
    const headers = { authorization: `Bearer ${token.access_token}` }
    expect((await fetch(`${service.baseUrl}/cases`, { method: 'POST', headers, body: form })).status).toBe(
      422,
    )
    expect(service.refusals()).toHaveLength(3)
  })
})
