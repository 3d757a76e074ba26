/**
 * A TCP proxy between the station and the service that breaks requests as it is asked to.
 *
 * It speaks just enough HTTP to find the beginning and end of a body. Each connection carries one request: the service
 * is asked to close behind its answer, so that no framing of answers has to be understood.
 */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { listenAgain, listenOn } from '../practice-service/front-door.ts'
import { type Random, pick } from '../camera/random.ts'

export type ProxiedRequest = {
  readonly method: string
  readonly path: string
  readonly contentLength: number
}

/** The progress of a request, for a fault that strikes just then. */
export type ProxyMoment = 'head' | 'amid' | 'body' | 'answer'

export type ChaosProxy = {
  readonly port: number
  /** Decides what becomes of each request from now on. */
  setFaults(choose: (request: ProxiedRequest) => ProxyFault): void
  onMoment(listener: (moment: ProxyMoment, request: ProxiedRequest) => void): void
  /** How often each fault has struck, by name. */
  readonly fired: ReadonlyMap<string, number>
  /** The port is closed and what is open is reset. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** From now on all passes; what hangs is reset. */
  heal(): Promise<void>
  close(): Promise<void>
}

const HEAD_END = '\r\n\r\n'

function readHead(text: string): ProxiedRequest {
  const [line = '', ...headers] = text.split('\r\n')
  const [method = '', path = ''] = line.split(' ')
  const length = headers.find((header) => /^content-length:/i.test(header))?.split(':')[1]
  return { method, path, contentLength: Number(length ?? 0) }
}

/** The same head, asking the service to close behind its answer. */
function closingHead(text: string): string {
  const others = text.split('\r\n').filter((line) => !/^connection:/i.test(line))
  return [...others, 'connection: close'].join('\r\n') + HEAD_END
}

export async function openChaosProxy(servicePort: number): Promise<ChaosProxy> {
  let choose: (request: ProxiedRequest) => ProxyFault = () => ({ kind: 'pass' })
  let listener: (moment: ProxyMoment, request: ProxiedRequest) => void = () => undefined
  const fired = new Map<string, number>()
  const open = new Set<Socket>()

  const note = (fault: ProxyFault): void => {
    if (fault.kind !== 'pass') fired.set(nameOf(fault), (fired.get(nameOf(fault)) ?? 0) + 1)
  }
  const track = (socket: Socket): Socket => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
    return socket
  }
  const push = async (target: Socket, bytes: Uint8Array): Promise<void> => {
    if (target.destroyed || target.write(bytes)) return
    await Promise.race([once(target, 'drain'), once(target, 'close')]).catch(() => undefined)
  }

  const carry = async (station: Socket): Promise<void> => {
    const chunks = station.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    let head: Buffer = Buffer.alloc(0)
    while (!head.includes(HEAD_END)) {
      const next = await chunks.next()
      if (next.done === true) return
      head = Buffer.concat([head, next.value])
    }
    const headEnd = head.indexOf(HEAD_END)
    const headText = head.subarray(0, headEnd).toString('latin1')
    let rest: Buffer = head.subarray(headEnd + HEAD_END.length)
    const request = readHead(headText)
    const fault = choose(request)
    listener('head', request)
    const isForwarded = !(fault.kind === 'replace' && !fault.isStored)
    if (fault.kind === 'resetBefore') {
      note(fault)
      station.resetAndDestroy()
      return
    }

    const service = track(connect(servicePort, '127.0.0.1'))
    const answer: Buffer[] = []
    const answered = once(service, 'close').catch(() => undefined)
    service.on('data', (bytes: Buffer) => answer.push(bytes))
    let isBodyThrough = false
    station.once('close', () => {
      if (!isBodyThrough) service.destroy()
    })
    if (isForwarded) await push(service, Buffer.from(closingHead(headText), 'latin1'))

    const stopAt =
      fault.kind === 'resetAmid' || (fault.kind === 'hang' && fault.share < 1)
        ? Math.floor(request.contentLength * fault.share)
        : Infinity
    let forwarded = 0
    let hasReachedMiddle = false
    for (;;) {
      const count = Math.min(rest.length, stopAt - forwarded, request.contentLength - forwarded)
      if (isForwarded && count > 0) await push(service, rest.subarray(0, count))
      forwarded += count
      if (fault.kind === 'throttle') await pause((count / fault.bytesPerSecond) * 1_000)
      if (!hasReachedMiddle && forwarded * 2 >= request.contentLength) {
        hasReachedMiddle = true
        listener('amid', request)
      }
      if (forwarded >= stopAt) {
        note(fault)
        if (fault.kind === 'hang') return
        service.resetAndDestroy()
        station.resetAndDestroy()
        return
      }
      if (forwarded >= request.contentLength) break
      const next = await chunks.next()
      if (next.done === true) return
      rest = next.value
    }
    isBodyThrough = true
    listener('body', request)
    if (fault.kind === 'resetAfter') {
      note(fault)
      station.resetAndDestroy()
    }
    if (isForwarded) await answered
    else service.destroy()
    const genuine = Buffer.concat(answer)
    listener('answer', request)
    if (fault.kind !== 'pass' && fault.kind !== 'resetAfter' && fault.kind !== 'resetAmid') note(fault)
    if (fault.kind === 'delay') await pause(fault.ms)
    switch (fault.kind) {
      case 'pass':
      case 'delay':
      case 'throttle':
      case 'resetAmid':
        station.end(genuine)
        return
      case 'cutAnswer':
        station.write(genuine.subarray(0, Math.floor(genuine.length / 2)), () => station.resetAndDestroy())
        return
      case 'replace':
        station.end(replacementBytes(fault.name))
        return
      case 'swallow':
        station.resetAndDestroy()
        return
      case 'hang':
      case 'resetAfter':
        return
    }
  }

  const server = createServer((socket) => {
    carry(track(socket)).catch(() => socket.destroy())
  })
  await listenOn(server, 0)
  const { port } = server.address() as AddressInfo
  const resetAll = (): void => {
    for (const socket of open) socket.resetAndDestroy()
  }
  const goAway = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    resetAll()
    await closed
  }
  const comeBack = async (): Promise<void> => {
    if (!server.listening) await listenAgain(server, port)
  }
  return {
    port,
    setFaults: (chosen) => {
      choose = chosen
    },
    onMoment: (heard) => {
      listener = heard
    },
    fired,
    goAway,
    comeBack,
    heal: async () => {
      choose = () => ({ kind: 'pass' })
      listener = () => undefined
      resetAll()
      await comeBack()
    },
    close: goAway,
  }
}

export type ProxyFault =
  | { readonly kind: 'pass' }
  /** The head has come, nothing is passed on, both ends are reset. */
  | { readonly kind: 'resetBefore' }
  /** So great a share of the body is passed on, then both ends are reset. */
  | { readonly kind: 'resetAmid'; readonly share: number }
  /** The service gets everything; the station is reset as soon as its last byte was read. */
  | { readonly kind: 'resetAfter' }
  /** The service gets everything and answers; the station is reset in place of the answer. */
  | { readonly kind: 'swallow' }
  /** After so great a share of the body nothing moves any more until healing; 1: only the answer is missing. */
  | { readonly kind: 'hang'; readonly share: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** The answer breaks off in its middle. */
  | { readonly kind: 'cutAnswer' }
  /** The station reads another answer; `isStored`: the service has stored the case. */
  | { readonly kind: 'replace'; readonly name: ReplacementName; readonly isStored: boolean }

export const REPLACEMENTS = {
  '400': 'HTTP/1.1 400 Bad Request',
  '403': 'HTTP/1.1 403 Forbidden',
  '413': 'HTTP/1.1 413 Payload Too Large',
  '500': 'HTTP/1.1 500 Internal Server Error',
  '502': 'HTTP/1.1 502 Bad Gateway',
  '302': 'HTTP/1.1 302 Found',
  '200 HTML': 'HTTP/1.1 200 OK',
  '200 without id': 'HTTP/1.1 200 OK',
  garbage: '',
} as const
export type ReplacementName = keyof typeof REPLACEMENTS

const PAGE = '<!doctype html><title>Gateway</title><h1>A gateway speaks</h1>'

/** The bytes of an answer that does not come from the service. */
export function replacementBytes(name: ReplacementName): Buffer {
  if (name === 'garbage')
    return Buffer.from('\u0000\u0001\u0002 this is no HTTP at all \r\n\r\n\u0007', 'latin1')
  const isJson = name === '200 without id'
  const body = isJson ? '{"success":true,"content":null}' : PAGE
  const headers = [
    REPLACEMENTS[name],
    `content-type: ${isJson ? 'application/json' : 'text/html'}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...(name === '302' ? ['location: http://127.0.0.1:9/login'] : []),
    'connection: close',
  ]
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`)
}

export function nameOf(fault: ProxyFault): string {
  return fault.kind === 'replace'
    ? `answer replaced by ${fault.name}${fault.isStored ? ', stored' : ''}`
    : fault.kind
}

export function isCaseUpload({ method, path }: Pick<ProxiedRequest, 'method' | 'path'>): boolean {
  return method === 'POST' && path.endsWith('/cases')
}

/** Any fault that a network is known for; `replace` only by answers that are no refusal, so that a refusal is the service's own. */
export function anyProxyFault(random: Random): ProxyFault {
  return pick<ProxyFault>(random, [
    { kind: 'pass' },
    { kind: 'pass' },
    { kind: 'resetBefore' },
    { kind: 'resetAmid', share: random() },
    { kind: 'resetAfter' },
    { kind: 'swallow' },
    { kind: 'delay', ms: Math.round(random() * 800) },
    { kind: 'throttle', bytesPerSecond: 8_000_000 + Math.round(random() * 8_000_000) },
    { kind: 'cutAnswer' },
    { kind: 'replace', name: '200 without id', isStored: true },
    ...(['500', '502', '302', '200 HTML', 'garbage'] as const).map(
      (name) => ({ kind: 'replace', name, isStored: random() < 0.5 }) as const,
    ),
  ])
}
