import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type WebSocket as Socket, WebSocketServer } from 'ws'
import { type HttpHost, openHttpHost } from '../../../src-main/headless/http-server.ts'
import type { CallHandlers, Station } from '../../../src-main/station/api.ts'
import { openEventStream, openHttpLink } from '../../../src-renderer/link/transports.ts'
import {
  BytesUnavailable,
  type Connection,
  type LinkMessage,
  type StationLink,
} from '../../../src-renderer/link/link.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { createFakeStation, type FakeStation } from '../../src-main/headless/fake-station.ts'
import { syntheticStatus } from '../synthetic-submission.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Node has the same fetch and WebSocket as a window; the host is the real one. */
describe('the link over HTTP', () => {
  let folder: string
  let host: HttpHost
  let link: StationLink
  let station: FakeStation
  let connections: Connection['kind'][]
  let arrivals: LinkMessage[]

  const connect = (token: string): void => {
    connections = []
    arrivals = []
    link = openHttpLink(host.url, token)
    link.onConnection(({ kind }) => connections.push(kind))
    link.onMessage((arrival) => arrivals.push(arrival))
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fundus-courier-link-'))
    await writeFile(join(folder, 'thumbnail'), 'pixels')
    station = createFakeStation()
    const handlers: Partial<CallHandlers> = {
      'station.status': async () => succeed(syntheticStatus()),
      'station.resume': async () => ({ ok: true, value: { nonsense: true } }) as never,
    }
    const bytes: Station['bytes'] = async (_kind, id) =>
      id === 'i-1' ? { path: join(folder, 'thumbnail'), contentType: 'image/jpeg', sizeBytes: 6 } : null
    host = await openHttpHost({
      station: { ...station, handlers: handlers as CallHandlers, bytes },
      logger: silent,
      address: '127.0.0.1',
      port: 0,
      screensFolder: folder,
    })
  })
  afterEach(async () => {
    link.close()
    await host.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('opens with the revision of the station, and carries its events', async () => {
    const revisions: (number | null)[] = []
    connect(host.token)
    link.onConnection((connection) => connection.kind === 'open' && revisions.push(connection.revision))
    await vi.waitFor(() => expect(revisions).toEqual([41]), 10_000)
    station.emit('7')
    const payload = { caseId: '7', submissionId: 's' }
    const event = { name: 'reportArrived', revision: 42, payload }
    await vi.waitFor(() => expect(arrivals).toEqual([{ kind: 'event', event }]), 10_000)
  })

  it('calls, and reads only what the contract promises', async () => {
    connect(host.token)
    expect(await link.call('station.status', {})).toEqual({ ok: true, value: syntheticStatus() })
    const nonsense = await link.call('station.resume', {})
    expect(nonsense.ok ? null : nonsense.failure.kind).toBe('answerUnreadable')
  })

  it('fetches bytes with the token', async () => {
    connect(host.token)
    expect(await (await link.readBytes('thumbnail', 'i-1')).text()).toBe('pixels')
    await expect(link.readBytes('thumbnail', 'gone')).rejects.toThrow(BytesUnavailable)
  })

  it('says within two seconds that the station is gone, and fails calls instead of throwing', async () => {
    connect(host.token)
    await vi.waitFor(() => expect(connections.at(-1)).toBe('open'), 10_000)
    await host.close()
    await vi.waitFor(() => expect(connections.at(-1)).toBe('lost'), { timeout: 2_000 })
    const answer = await link.call('station.status', {})
    expect(answer.ok ? null : answer.failure.message).toContain('nothing was done')
  })

  it('distinguishes a token that is not accepted from a station that is away', async () => {
    const whys: string[] = []
    connect('not-the-token')
    link.onConnection((connection) => connection.kind === 'lost' && whys.push(connection.why))
    await vi.waitFor(() => expect(whys.at(-1)).toBe('notAuthorised'), 10_000)
  })
})

describe('the event stream', () => {
  let server: Server
  let sockets: WebSocketServer
  /** Does the host answer a question whether it is there? */
  let isAlive = true
  let close: () => void = () => undefined

  beforeEach(async () => {
    server = createServer((_request, response) => response.end('{"ok":true}'))
    sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket: Socket) => {
      socket.send('{"name":"hello","revision":7}')
      socket.on('message', () => isAlive && socket.send('{"name":"heard"}'))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
  })
  afterEach(() => {
    close()
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
    server.close()
  })

  it('stays open while the host answers, and opens another socket for one that died without a word', async () => {
    const connections: Connection[] = []
    const arrivals: LinkMessage[] = []
    const heard = vi.fn<() => void>()
    sockets.on('connection', (socket: Socket) => socket.on('message', heard))
    close = openEventStream(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'token',
      (message) => arrivals.push(message),
      (connection) => connections.push(connection),
    )
    // So many questions take longer than a silence that counts as lost.
    await vi.waitFor(() => expect(heard.mock.calls.length).toBeGreaterThan(3), 10_000)
    expect(connections).toEqual([{ kind: 'open', revision: 7 }])
    expect(arrivals).toEqual([])
    isAlive = false
    await vi.waitFor(() => expect(connections.at(1)).toEqual({ kind: 'lost', why: 'unreachable' }), 10_000)
    isAlive = true
    await vi.waitFor(() => expect(connections.at(2)).toEqual({ kind: 'open', revision: 7 }), 10_000)
  })
})
