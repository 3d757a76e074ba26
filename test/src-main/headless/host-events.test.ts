import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { openHttpHost } from '../../../src-main/headless/http-server.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { createFakeStation, type FakeStation } from './fake-station.ts'

async function openHost(): Promise<{
  url: string
  token: string
  station: FakeStation
  close(): Promise<void>
}> {
  const station = createFakeStation()
  const logger = createRecordingLogger()
  const host = await openHttpHost({
    station,
    logger,
    address: '127.0.0.1',
    port: 0,
    screensFolder: '/nowhere',
  })
  onTestFinished(() => host.close())
  return { ...host, station }
}

type Heard = {
  readonly socket: WebSocket
  readonly messages: unknown[]
  until(count: number): Promise<unknown[]>
}

/** Listens to the events; a refusal rejects with its status. */
async function listen(
  url: string,
  protocols: string[],
  options: ClientOptions = {},
  path = '/events',
): Promise<Heard> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols, options)
  onTestFinished(() => socket.terminate())
  const messages: unknown[] = []
  let arrived = Promise.withResolvers<void>()
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()))
    arrived.resolve()
    arrived = Promise.withResolvers<void>()
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  return {
    socket,
    messages,
    until: async (count) => {
      while (messages.length < count) await arrived.promise
      return messages
    },
  }
}

describe('the events', () => {
  it('begin with a hello that says the revision, and come in order', async () => {
    const host = await openHost()
    const heard = await listen(host.url, ['fundus-courier', `token.${host.token}`])
    expect(heard.socket.protocol).toBe('fundus-courier')
    expect(await heard.until(1)).toEqual([{ name: 'hello', revision: 41 }])
    host.station.tell('1')
    host.station.tell('2')
    expect(await heard.until(3)).toEqual([
      { name: 'hello', revision: 41 },
      { name: 'reportArrived', revision: 42, payload: { caseId: '1', submissionId: 's' } },
      { name: 'reportArrived', revision: 43, payload: { caseId: '2', submissionId: 's' } },
    ])
  })

  it('go to everybody who listens, also with a header as scripts have it', async () => {
    const host = await openHost()
    const browser = await listen(host.url, ['fundus-courier', `token.${host.token}`])
    const script = await listen(host.url, [], { headers: { authorization: `Bearer ${host.token}` } })
    await Promise.all([browser.until(1), script.until(1)])
    browser.socket.close()
    await once(browser.socket, 'close')
    host.station.tell('1')
    expect(await script.until(2)).toHaveLength(2)
  })

  it('stand beside an answer to whoever asks whether the host is there', async () => {
    const host = await openHost()
    const heard = await listen(host.url, ['fundus-courier', `token.${host.token}`])
    await heard.until(1)
    heard.socket.send('')
    expect((await heard.until(2))[1]).toEqual({ name: 'heard' })
  })

  it.each([
    ['without a token', ['fundus-courier'], {}],
    ['with a wrong token', ['fundus-courier', 'token.wrong'], {}],
    ['from a foreign page', ['fundus-courier', 'token.RIGHT'], { origin: 'https://attacker.example' }],
    ['under a foreign name', ['fundus-courier', 'token.RIGHT'], { headers: { host: 'attacker.example' } }],
  ])('are kept from who listens %s', async (_what, protocols, options) => {
    const host = await openHost()
    const given = protocols.map((one) => one.replace('RIGHT', host.token))
    await expect(listen(host.url, given, options)).rejects.toThrow(/401|403/)
  })

  it('are at their own address only', async () => {
    const host = await openHost()
    const protocols = ['fundus-courier', `token.${host.token}`]
    await expect(listen(host.url, protocols, {}, '/other')).rejects.toThrow(/40\d/)
  })

  it('end with the host, which then listens to the station no more', async () => {
    const host = await openHost()
    const heard = await listen(host.url, ['fundus-courier', `token.${host.token}`])
    const closed = once(heard.socket, 'close')
    await host.close()
    expect((await closed)[0]).toBe(1001)
    expect(host.station.listenerCount()).toBe(0)
  })

  it('end for whoever sends more than a listener has to say', async () => {
    const host = await openHost()
    const heard = await listen(host.url, ['fundus-courier', `token.${host.token}`])
    const closed = once(heard.socket, 'close')
    heard.socket.send('x'.repeat(2_000))
    await closed
    host.station.tell('1')
    const other = await listen(host.url, ['fundus-courier', `token.${host.token}`])
    expect(await other.until(1)).toEqual([{ name: 'hello', revision: 42 }])
  })
})

/** What a page of a stranger, or any program of this machine, may send without knowing the token. */
const STRANGE_UPGRADES: readonly (readonly [what: string, target: string])[] = [
  ['to a path that is no address', '//'],
  ['to a path of brackets', '//['],
  ['without a token', '/events'],
]

describe('a process that is asked to upgrade', () => {
  async function hostProcess(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'run-host.ts')], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill())
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url } = JSON.parse(line.toString()) as { url: string }
    return { child, port: Number(new URL(url).port) }
  }

  async function isAlive(port: number): Promise<boolean> {
    return fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.ok,
      () => false,
    )
  }

  async function upgrade(port: number, target: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(
      `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
        'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    return socket
  }

  it.each(STRANGE_UPGRADES)('%s refuses, and lives on', async (_what, target) => {
    const { port } = await hostProcess()
    const socket = await upgrade(port, target)
    socket.resume()
    await once(socket, 'close')
    expect(await isAlive(port)).toBe(true)
  })

  it('by somebody who hangs up rudely lives on', async () => {
    const { port } = await hostProcess()
    for (let count = 0; count < 20; count += 1) {
      const socket = await upgrade(port, '/events')
      socket.resetAndDestroy()
    }
    expect(await isAlive(port)).toBe(true)
  })
})
