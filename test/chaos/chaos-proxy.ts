/**
 * A TCP proxy between the station and the service that does to each request what it is told.
 *
 * It speaks just enough HTTP to know where a body begins and ends. Each connection carries one request: the service
 * is asked to close behind its answer, so that no framing of answers has to be understood.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { listenAgain, listenOn } from '../practice-service/front-door.ts'
import { nameOf, replacementBytes, type ProxyFault } from './proxy-fault.ts'

export type ProxiedRequest = {
  readonly method: string
  readonly path: string
  readonly contentLength: number
}

/** How far a request has come, for whoever wants to break something just then. */
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
  const kept = text.split('\r\n').filter((line) => !/^connection:/i.test(line))
  return [...kept, 'connection: close'].join('\r\n') + HEAD_END
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
    let held: Buffer = Buffer.alloc(0)
    while (!held.includes(HEAD_END)) {
      const next = await chunks.next()
      if (next.done === true) return
      held = Buffer.concat([held, next.value])
    }
    const headEnd = held.indexOf(HEAD_END)
    const headText = held.subarray(0, headEnd).toString('latin1')
    let rest: Buffer = held.subarray(headEnd + HEAD_END.length)
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
    let passed = 0
    let hasToldAmid = false
    for (;;) {
      const room = Math.min(rest.length, stopAt - passed, request.contentLength - passed)
      if (isForwarded && room > 0) await push(service, rest.subarray(0, room))
      passed += room
      if (fault.kind === 'throttle') await pause((room / fault.bytesPerSecond) * 1_000)
      if (!hasToldAmid && passed * 2 >= request.contentLength) {
        hasToldAmid = true
        listener('amid', request)
      }
      if (passed >= stopAt) {
        note(fault)
        if (fault.kind === 'hang') return
        service.resetAndDestroy()
        station.resetAndDestroy()
        return
      }
      if (passed >= request.contentLength) break
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
    switch (fault.kind) {
      case 'pass':
      case 'throttle':
      case 'resetAmid':
        station.end(genuine)
        return
      case 'delay':
        await pause(fault.ms)
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
