/** The loopback server: who may ask, calls, bytes, uploads and events. */
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import {
  bearerToken,
  createAccessGuard,
  type HttpHost,
  openHttpHost,
  subprotocolToken,
} from '../../../src-main/headless/http-server.ts'
import { SCREEN_POLICY } from '../../../src-main/station/storage/served-bytes.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { createFakeStation, type FakeStation } from './fake-station.ts'

describe('the access guard', () => {
  const guard = createAccessGuard(['127.0.0.1:4100', 'localhost:4100'], 'the-token')

  it.each([
    [{ host: '127.0.0.1:4100' }, true],
    [{ host: 'localhost:4100', origin: 'http://localhost:4100' }, true],
    // The screens were opened by one of our names and ask by the other.
    [{ host: '127.0.0.1:4100', origin: 'http://localhost:4100' }, true],
    [{}, false],
    [{ host: '' }, false],
    [{ host: '127.0.0.1' }, false],
    [{ host: '127.0.0.1:4101' }, false],
    [{ host: 'rebound.attacker.example:4100' }, false],
    [{ host: '127.0.0.1:4100.attacker.example' }, false],
    [{ host: '127.0.0.1:4100', origin: 'https://attacker.example' }, false],
    [{ host: '127.0.0.1:4100', origin: 'http://localhost:3000' }, false],
    [{ host: '127.0.0.1:4100', origin: 'https://localhost:4100' }, false],
    // A sandboxed frame or a local file.
    [{ host: '127.0.0.1:4100', origin: 'null' }, false],
    [{ host: '127.0.0.1:4100', origin: '' }, false],
  ])('takes a request with %j as ours: %j', (headers, isOurs) => {
    expect(guard.isOurs(headers)).toBe(isOurs)
  })

  it('knows one token', () => {
    const candidates = ['the-token', 'the-toke', 'the-token ', 'THE-TOKEN', '', null]
    expect(candidates.filter((token) => guard.hasToken(token))).toEqual(['the-token'])
  })

  it('reads a token from a header, or from the subprotocols of a browser', () => {
    const headers = [undefined, 'Bearer abc', 'Bearer a b', 'Bearer ', 'Basic abc', 'abc']
    const tokens = headers.map((authorization) => bearerToken({ ...(authorization && { authorization }) }))
    expect(tokens).toEqual([null, 'abc', 'a b', null, null, null])
    const offered = ['fundus-courier, token.abc', 'token.abc,fundus-courier', 'token.', 'fundus-courier']
    const found = offered.map((one) => subprotocolToken({ 'sec-websocket-protocol': one }))
    expect([...found, subprotocolToken({})]).toEqual(['abc', 'abc', '', null, null])
  })
})

type Opened = HttpHost & {
  readonly station: FakeStation
  readonly folder: string
}

async function openHost(address = '127.0.0.1'): Promise<Opened> {
  const folder = temporaryFolder()
  const station = createFakeStation()
  const logger = createRecordingLogger()
  const host = await openHttpHost({
    station,
    logger,
    address,
    port: 0,
    screensFolder: join(folder, 'screens'),
  })
  onTestFinished(() => host.close())
  return { ...host, station, folder }
}

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }
type Ask = {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  readonly token?: string | null
}

/** Asks on a connection of its own; `fetch` would not let a test set Host and Origin. */
async function ask(host: Opened, path: string, options: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(host.url)
  const { token = host.token, method = 'GET', body } = options
  const asked = request({
    host: hostname.replaceAll(/[[\]]/g, ''),
    port,
    path,
    method,
    agent: false,
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...options.headers },
  })
  asked.end(body)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  asked.on('error', reject)
  asked.on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => void chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
    })
  })
  return promise
}

const call = (host: Opened, name: string, body: string | Buffer, options: Ask = {}): Promise<Answer> =>
  ask(host, `/call/${name}`, { method: 'POST', body, ...options })

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
    expect((await call(host, 'station.status', '')).body).toBe('{"ok":true,"value":{}}')
  })

  it.each([
    ['no JSON', 'submissions.list', '{"search":', 400, 'badRequest'],
    ['an unknown call', 'submissions.destroy', '{}', 200, 'notFound'],
    ['an inherited name', '__proto__', '{}', 200, 'notFound'],
    ['a wrong input', 'submissions.list', '{"limit":"many"}', 200, 'badRequest'],
    ['no object', 'submissions.list', '[]', 200, 'badRequest'],
    ['a bug in the station', 'settings.get', '{}', 200, 'internal'],
    ['more than four megabytes', 'submissions.list', ' '.repeat(5 * 1024 * 1024), 413, 'badRequest'],
  ])('with %s is answered with a failure, and the host goes on', async (_what, name, body, status, kind) => {
    const host = await openHost()
    const answer = await call(host, name, body)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, failure: { kind } })
    const padded = `{"search":"x"${' '.repeat(4 * 1024 * 1024 - 20)}}`
    expect((await call(host, 'submissions.list', padded)).status).toBe(200)
  })
})

describe('who may not', () => {
  it.each([
    ['without a token', { token: null }, 401],
    ['with a wrong token', { token: 'wrong' }, 401],
    ['with the token in another way', { token: null, headers: { cookie: 'token=x', 'x-token': 'x' } }, 401],
    ['by a foreign name of this machine', { headers: { host: 'attacker.example' } }, 403],
    ['from a foreign page', { headers: { origin: 'https://attacker.example' } }, 403],
    ['from a sandboxed page', { headers: { origin: 'null' } }, 403],
  ] as const)('ask %s reaches nothing', async (_what, options, status) => {
    const host = await openHost()
    for (const [method, path] of [
      ['POST', '/call/station.stop'],
      ['GET', '/bytes/image/1'],
      ['POST', '/files?name=OD.jpg'],
    ] as const)
      expect((await ask(host, path, { method, ...options })).status, path).toBe(status)
    const { called, bytesAsked, uploads } = host.station
    expect([called, bytesAsked, uploads]).toEqual([[], [], []])
  })

  it('asks for the screens by a foreign name gets nothing either', async () => {
    const host = await openHost()
    mkdirSync(join(host.folder, 'screens'))
    writeFileSync(join(host.folder, 'screens', 'index.html'), '<p>screens')
    const foreign = await ask(host, '/', { token: null, headers: { host: 'attacker.example' } })
    expect([foreign.status, foreign.body.includes('screens')]).toEqual([403, false])
    expect((await ask(host, '/', { token: null })).body).toBe('<p>screens')
  })

  it('has the token of another run', async () => {
    const [first, second] = [await openHost(), await openHost()]
    expect(first.token).not.toBe(second.token)
    expect(first.token.length).toBeGreaterThanOrEqual(43)
    expect((await call(second, 'station.status', '{}', { token: first.token })).status).toBe(401)
  })

  it('never gets headers that let a foreign page read an answer', async () => {
    const host = await openHost()
    const headers = { origin: host.url }
    const answers = [
      await call(host, 'station.status', '{}', { headers }),
      await ask(host, '/call/station.status', { method: 'OPTIONS', headers }),
      await ask(host, '/health'),
    ]
    for (const answer of answers) expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('other requests', () => {
  it('of bytes get the file, with a policy by which a report may do nothing', async () => {
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

  it('upload a file with its name and its bytes', async () => {
    const host = await openHost()
    const path = '/files?name=OD%20%C3%B1.jpg'
    const answer = await ask(host, path, { method: 'POST', body: 'an image' })
    const value = { path: '/uploads', sizeBytes: 8, sha256: '0'.repeat(64) }
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { ok: true, value }])
    expect(host.station.uploads).toEqual([{ name: 'OD \u00f1.jpg', sizeBytes: 8, length: 8 }])
  })

  it('are answered by method and path, of the health without a token', async () => {
    const host = await openHost()
    expect(await ask(host, '/health', { token: null })).toMatchObject({ status: 200, body: '{"ok":true}' })
    expect((await ask(host, '/metrics', { token: null })).status).toBe(401)
    expect(await ask(host, '/metrics')).toMatchObject({ status: 200, body: '# EOF\n' })
    const unbuilt = await ask(host, '/')
    expect([unbuilt.status, unbuilt.body]).toEqual([404, expect.stringContaining('npm run')])
    for (const line of `GET /bytes/secrets/1 404|GET /bytes/image 404|GET /bytes/image/none 404|POST /bytes/image/1 404
      GET /call/station.status 404|PUT /files?name=x 404|GET /files?name=x 404|PUT / 405|GET /none.js 404
      GET /../../etc/passwd 404|GET /%2e%2e/%2e%2e/etc/passwd 404`.split(/[|\n]/)) {
      const [method = '', path = '', status] = line.trim().split(' ')
      expect([line, (await ask(host, path, { method })).status]).toEqual([line, Number(status)])
    }
    // Paths that are no address do no harm.
    for (const path of ['//', '///', '/\\', '//[', '/%'])
      expect((await ask(host, path)).status, path).toBeGreaterThanOrEqual(400)
    expect((await ask(host, '/health')).status).toBe(200)
  })
})

describe('the screens', () => {
  const screensHost = async (): Promise<Opened> => {
    const host = await openHost()
    mkdirSync(join(host.folder, 'screens', 'assets'), { recursive: true })
    writeFileSync(join(host.folder, 'screens', 'index.html'), '<p>screens')
    writeFileSync(join(host.folder, 'screens', 'assets', 'app-1a2b.js'), 'start()')
    writeFileSync(join(host.folder, 'screens', 'assets', 'a b..bin'), 'x')
    writeFileSync(join(host.folder, 'secret.txt'), 'secret')
    return host
  }

  it.each([
    ['/', '<p>screens', 'text/html; charset=utf-8', 'no-store'],
    [
      '/a/../assets/app-1a2b.js',
      'start()',
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ],
    ['/./assets/a%20b..bin', 'x', 'application/octet-stream', 'public, max-age=31536000, immutable'],
  ])(
    '%s are served with their type, a policy for scripts and no guessing',
    async (path, body, type, caching) => {
      const headers = {
        'content-type': type,
        'content-length': String(body.length),
        'cache-control': caching,
        'content-security-policy': SCREEN_POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      }
      expect(await ask(await screensHost(), path)).toMatchObject({ status: 200, body, headers })
    },
  )

  it.each([
    ['/', 'gzip, deflate, br', 'gzip'],
    ['/assets/app-1a2b.js', 'gzip', 'gzip'],
    ['/assets/app-1a2b.js', 'br', undefined],
    ['/assets/a%20b..bin', 'gzip', undefined],
  ])('%s for a browser that takes %j have the encoding %s', async (path, accepted, encoding) => {
    const { url } = await screensHost()
    const read = await fetch(`${url}${path}`, { headers: { 'accept-encoding': accepted } })
    expect(read.headers.get('content-encoding') ?? undefined).toBe(encoding)
    expect(['<p>screens', 'start()', 'x']).toContain(await read.text())
  })

  it('are nothing outside of their folder, by no path and no link', async () => {
    const host = await screensHost()
    if (process.platform !== 'win32')
      symlinkSync(join(host.folder, 'secret.txt'), join(host.folder, 'screens', 'link.txt'))
    const paths =
      `/assets /none.js /../secret.txt /%2e%2e/secret.txt /..%2fsecret.txt /assets/../../secret.txt
      /link.txt /index.html%00.html /%00 /% /%E0%A4 /..%5csecret.txt /${'x'.repeat(5_000)}`.split(/\s+/)
    for (const path of paths) expect([path, (await ask(host, path)).status]).toEqual([path, 404])
  })

  it('and bytes that vanish while they are served end the answer, and never pretend to be whole', async () => {
    const host = await openHost()
    host.station.served = { path: '/nowhere', contentType: 'image/jpeg', sizeBytes: 10 }
    await expect(ask(host, '/bytes/image/1')).rejects.toThrow()
  })
})

it('the host listens on an IPv6 address, too, and names itself so that a browser understands', async () => {
  const host = await openHost('::1')
  expect(URL.canParse(host.url)).toBe(true)
  expect((await ask(host, '/health')).status).toBe(200)
})

/** Listens to the events; a refusal rejects with its status. */
async function listen(
  url: string,
  protocols: readonly string[],
  options: ClientOptions = {},
  path = '/events',
) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, [...protocols], options)
  onTestFinished(() => socket.terminate())
  const messages: unknown[] = []
  let arrived = Promise.withResolvers<void>()
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()))
    arrived.resolve()
    arrived = Promise.withResolvers<void>()
  })
  await once(socket, 'open')
  const until = async (count: number): Promise<unknown[]> => {
    while (messages.length < count) await arrived.promise
    return messages
  }
  return { socket, until }
}

describe('the events', () => {
  const HELLO = { name: 'hello', revision: 41 }
  const reported = (caseId: string, revision: number): object => ({
    name: 'reportArrived',
    revision,
    payload: { caseId, submissionId: 's' },
  })
  async function listening() {
    const host = await openHost()
    const protocols = ['fundus-courier', `token.${host.token}`]
    return { host, protocols, client: await listen(host.url, protocols) }
  }

  it('begin with a hello that says the revision, and come in order, also to scripts with a header', async () => {
    const { host, client } = await listening()
    expect(client.socket.protocol).toBe('fundus-courier')
    const script = await listen(host.url, [], { headers: { authorization: `Bearer ${host.token}` } })
    for (const one of [client, script]) expect(await one.until(1)).toEqual([HELLO])
    host.station.emit('1')
    await client.until(2)
    client.socket.close()
    await once(client.socket, 'close')
    host.station.emit('2')
    expect(await script.until(3)).toEqual([HELLO, reported('1', 42), reported('2', 43)])
  })

  it('have an answer for a client that asks whether the host is there', async () => {
    const { client } = await listening()
    await client.until(1)
    client.socket.send('')
    expect((await client.until(2))[1]).toEqual({ name: 'heard' })
  })

  it.each([
    ['without a token', ['fundus-courier'], {}],
    ['with a wrong token', ['fundus-courier', 'token.wrong'], {}],
    ['from a foreign page', ['fundus-courier', 'token.RIGHT'], { origin: 'https://attacker.example' }],
    ['by a foreign name', ['fundus-courier', 'token.RIGHT'], { headers: { host: 'attacker.example' } }],
    ['at another path', ['fundus-courier', 'token.RIGHT'], {}, '/other'],
  ])('are refused to a client that listens %s', async (_what, protocols, options, path = '/events') => {
    const host = await openHost()
    const offered = protocols.map((one) => one.replace('RIGHT', host.token))
    await expect(listen(host.url, offered, options, path)).rejects.toThrow(/40\d/)
  })

  it('end with the host, which then listens to the station no more', async () => {
    const { host, client } = await listening()
    const closed = once(client.socket, 'close')
    await host.close()
    expect((await closed)[0]).toBe(1001)
    expect(host.station.listenerCount()).toBe(0)
  })

  it('end for a client that sends more than a listener has to say', async () => {
    const { host, client, protocols } = await listening()
    const closed = once(client.socket, 'close')
    client.socket.send('x'.repeat(2_000))
    await closed
    const other = await listen(host.url, protocols)
    expect(await other.until(1)).toEqual([HELLO])
  })

  // An error that nothing catches fails the run of the tests, as it would end the host.
  it.each(['//', '//[', '/events'])(
    'a foreign upgrade of %s is refused, and the host lives on',
    async (target) => {
      const host = await openHost()
      const { port } = new URL(host.url)
      const upgrade = async () => {
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        socket.write(
          `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
            'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        )
        return socket
      }
      const refused = await upgrade()
      refused.resume()
      await once(refused, 'close')
      for (let count = 0; count < 20; count += 1) (await upgrade()).resetAndDestroy()
      expect((await ask(host, '/health')).status).toBe(200)
    },
  )
})
