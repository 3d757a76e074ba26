import { writeFileSync } from 'node:fs'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type HttpHost, openHttpHost } from '../../../src-main/headless/http-server.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { createFakeStation, type FakeStation } from './fake-station.ts'

type Opened = HttpHost & {
  readonly station: FakeStation
  readonly folder: string
  readonly logger: ReturnType<typeof createRecordingLogger>
}

async function openHost(address = '127.0.0.1'): Promise<Opened> {
  const folder = temporaryFolder()
  const station = createFakeStation()
  const logger = createRecordingLogger()
  const host = await openHttpHost({ station, logger, address, port: 0, screensFolder: folder })
  onTestFinished(() => host.close())
  return { ...host, station, folder, logger }
}

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }
type Ask = {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  readonly token?: string | null
}

/** Asks as it is told to, on a connection of its own; `fetch` would not let a test set Host and Origin. */
function ask(host: Opened, path: string, given: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(host.url)
  const token = given.token === undefined ? host.token : given.token
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: hostname.replaceAll(/[[\]]/g, ''),
        port,
        path,
        method: given.method ?? 'GET',
        agent: false,
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...given.headers },
      },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => void pieces.push(piece))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(pieces).toString(),
          }),
        )
        response.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(given.body)
  })
}

const call = (host: Opened, name: string, body: string | Buffer, given: Ask = {}): Promise<Answer> =>
  ask(host, `/call/${name}`, { method: 'POST', body, ...given })

describe('a call over HTTP', () => {
  it('reaches the station, parsed, and its answer comes back', async () => {
    const host = await openHost()
    const answer = await call(host, 'submissions.list', '{"search":"x"}')
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
    expect(JSON.parse(answer.body)).toEqual({ ok: true, value: { search: 'x', limit: 100 } })
    expect(host.station.called).toEqual([['submissions.list', { search: 'x', limit: 100 }]])
  })

  it('may have no body at all', async () => {
    const host = await openHost()
    expect((await call(host, 'station.status', '')).body).toBe('{"ok":true,"value":{}}')
  })

  it.each([
    ['no JSON', 'submissions.list', '{"search":', 400, 'badRequest'],
    ['an unknown call', 'submissions.destroy', '{}', 200, 'notFound'],
    ['an inherited name', '__proto__', '{}', 200, 'notFound'],
    ['a wrong input', 'submissions.list', '{"limit":"many"}', 200, 'badRequest'],
    ['no object', 'submissions.list', '[]', 200, 'badRequest'],
    ['a bug in the station', 'settings.get', '{}', 200, 'internal'],
  ])('with %s is answered with a failure', async (_what, name, body, status, kind) => {
    const host = await openHost()
    const answer = await call(host, name, body)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, failure: { kind } })
  })

  it('of more than four megabytes is refused in words, and the host goes on', async () => {
    const host = await openHost()
    const answer = await call(host, 'submissions.list', Buffer.alloc(5 * 1024 * 1024, ' '))
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, failure: { kind: 'badRequest' } })
    expect((await call(host, 'station.status', '{}')).status).toBe(200)
    expect(host.station.called.map(([name]) => name)).toEqual(['station.status'])
  })

  it('of just under four megabytes is taken', async () => {
    const host = await openHost()
    const padded = `{"search":"x"${' '.repeat(4 * 1024 * 1024 - 20)}}`
    expect((await call(host, 'submissions.list', padded)).status).toBe(200)
  })
})

describe('who may not', () => {
  it.each([
    ['without a token', { token: null }, 401],
    ['with a wrong token', { token: 'wrong' }, 401],
    ['with the token in another way', { token: null, headers: { cookie: 'token=x', 'x-token': 'x' } }, 401],
    ['under a foreign name of this machine', { headers: { host: 'attacker.example' } }, 403],
    ['from a foreign page', { headers: { origin: 'https://attacker.example' } }, 403],
    ['from a sandboxed page', { headers: { origin: 'null' } }, 403],
  ] as const)('ask %s reaches nothing', async (_what, given, status) => {
    const host = await openHost()
    for (const [method, path] of [
      ['POST', '/call/station.stop'],
      ['GET', '/bytes/image/1'],
    ] as const)
      expect((await ask(host, path, { method, ...given })).status, path).toBe(status)
    expect(host.station.called).toEqual([])
    expect(host.station.bytesAsked).toEqual([])
  })

  it('ask a page of the screens under a foreign name gets nothing either', async () => {
    const host = await openHost()
    writeFileSync(join(host.folder, 'index.html'), '<p>screens')
    const strange = await ask(host, '/', { token: null, headers: { host: 'attacker.example' } })
    expect([strange.status, strange.body.includes('screens')]).toEqual([403, false])
    expect((await ask(host, '/', { token: null })).body).toBe('<p>screens')
  })

  it('knows no token of another run', async () => {
    const [first, second] = [await openHost(), await openHost()]
    expect(first.token).not.toBe(second.token)
    expect(first.token.length).toBeGreaterThanOrEqual(43)
    expect((await call(second, 'station.status', '{}', { token: first.token })).status).toBe(401)
  })

  it('never gets headers that let a foreign page read an answer', async () => {
    const host = await openHost()
    const answers = [
      await call(host, 'station.status', '{}', { headers: { origin: host.url } }),
      await ask(host, '/call/station.status', { method: 'OPTIONS', headers: { origin: host.url } }),
      await ask(host, '/health'),
    ]
    for (const { headers } of answers) expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('other requests', () => {
  it('of the health need no token', async () => {
    const host = await openHost()
    expect(await ask(host, '/health', { token: null })).toMatchObject({ status: 200, body: '{"ok":true}' })
  })

  it('of bytes get the file, with a policy under which a report may do nothing', async () => {
    const host = await openHost()
    const path = join(host.folder, 'report')
    writeFileSync(path, '<script>')
    host.station.served = { path, contentType: 'text/html', sizeBytes: 8 }
    expect(await ask(host, '/bytes/report/v1')).toMatchObject({
      status: 200,
      body: '<script>',
      headers: {
        'content-type': 'text/html',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      },
    })
    expect(host.station.bytesAsked).toEqual(['report v1'])
  })

  it.each([
    ['GET', '/bytes/secrets/1', 404],
    ['GET', '/bytes/image', 404],
    ['GET', '/bytes/image/none', 404],
    ['POST', '/bytes/image/1', 404],
    ['GET', '/call/station.status', 404],
    ['PUT', '/', 405],
    ['GET', '/none.js', 404],
    ['GET', '/../../etc/passwd', 404],
    ['GET', '/%2e%2e/%2e%2e/etc/passwd', 404],
  ])('%s %s is answered with %i', async (method, path, status) => {
    const host = await openHost()
    expect((await ask(host, path, { method })).status).toBe(status)
  })

  it('of screens that were not built say how to build them', async () => {
    const host = await openHost()
    expect(await ask(host, '/')).toMatchObject({
      status: 404,
      body: expect.stringContaining('npm run') as string,
    })
  })

  it('with a path that is no address do no harm', async () => {
    const host = await openHost()
    for (const path of ['//', '///', '/\\', '//[', '/%'])
      expect((await ask(host, path)).status, path).toBeGreaterThanOrEqual(400)
    expect((await ask(host, '/health')).status).toBe(200)
  })
})

it('listens on an address of the newer kind, too, and names itself so that a browser understands', async () => {
  const host = await openHost('::1')
  expect(URL.canParse(host.url)).toBe(true)
  expect((await ask(host, '/health')).status).toBe(200)
})

it('says that a port is taken', async () => {
  const host = await openHost()
  const port = Number(new URL(host.url).port)
  const again = openHttpHost({
    station: createFakeStation(),
    logger: createRecordingLogger(),
    address: '127.0.0.1',
    port,
    screensFolder: host.folder,
  })
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

describe('a file that is handed over', () => {
  const handOver = (host: Opened, given: Ask = {}): Promise<Answer> =>
    ask(host, '/files?name=OD%20%C3%B1.jpg', { method: 'POST', body: 'an image', ...given })

  it('reaches the station with its name and its bytes', async () => {
    const host = await openHost()
    const answer = await handOver(host)
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      200,
      { ok: true, value: { path: '/kept', sizeBytes: 8, sha256: '0'.repeat(64) } },
    ])
    expect(host.station.handed).toEqual([{ name: 'OD \u00f1.jpg', sizeBytes: 8, length: 8 }])
  })

  it('is taken from nobody without the token, from no stranger\u2019s page, and under no other address', async () => {
    const host = await openHost()
    expect((await handOver(host, { token: null })).status).toBe(401)
    expect((await handOver(host, { token: 'wrong' })).status).toBe(401)
    expect((await handOver(host, { headers: { origin: 'http://elsewhere.example' } })).status).toBe(403)
    expect((await handOver(host, { headers: { host: 'elsewhere.example' } })).status).toBe(403)
    expect((await handOver(host, { method: 'PUT' })).status).toBe(404)
    expect((await handOver(host, { method: 'GET' })).status).toBe(404)
    expect(host.station.handed).toEqual([])
  })
})
