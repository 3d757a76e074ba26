import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { CountingRequest } from './counting-request.ts'
import { endpointOf } from './endpoints.ts'
import { Exchange } from './exchange.ts'
import type { Faults } from './faults.ts'
import type { Journal } from './journal.ts'

const AGAIN_WITHIN_MS = 10_000

/**
 * The HTTP server in front of Fastify. Being our own, it lets faults strike before Fastify has seen anything, and
 * its port can close and open again.
 */
export function createFrontDoor(options: {
  readonly basePath: string
  readonly journal: Journal
  readonly faults: Faults
  readonly now: () => number
  readonly expireTokens: () => void
  /** Takes every exchange that no fault has taken. */
  readonly admit: (exchange: Exchange, response: ServerResponse) => void
}): Server {
  const { basePath, journal, faults } = options

  const openExchange = (request: CountingRequest, response: ServerResponse): Exchange => {
    const method = request.method ?? ''
    const url = request.url ?? ''
    const isInside = url.startsWith(`${basePath}/`)
    const path = isInside ? url.slice(basePath.length) : url
    const endpoint = isInside ? endpointOf(method, path.split('?')[0] ?? '') : null
    const { accept = null, 'content-type': contentType = null } = request.headers
    const length = request.headers['content-length']
    return new Exchange({
      request,
      response,
      entry: journal.open({
        at: options.now(),
        method,
        path,
        endpoint,
        accept,
        contentType,
        contentLength: length === undefined ? null : Number(length),
      }),
      fault: faults.take(endpoint),
      expireTokens: options.expireTokens,
      ended: (entry) => journal.ended(entry),
    })
  }

  const receive = async (exchange: Exchange, response: ServerResponse): Promise<void> => {
    if (!(await exchange.reaches('head'))) options.admit(exchange, response)
  }

  // A body may take as long as it likes: slowness is a fault that is played on purpose.
  return createServer({ IncomingMessage: CountingRequest, requestTimeout: 0 }, (request, response) => {
    void receive(openExchange(request, response), response)
  })
}

/** Any port where it is 0. */
export function listenOn(server: NetServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/**
 * Opens a port that was closed. Meanwhile it was free for everybody, and some connection of this machine may have been
 * given it for a moment.
 */
export async function listenAgain(server: NetServer, port: number): Promise<void> {
  const end = performance.now() + AGAIN_WITHIN_MS
  for (;;) {
    try {
      return await listenOn(server, port)
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isTaken || performance.now() > end) throw error
    }
    await pause(100)
  }
}

/** Closes the port and ends what is open; answers when the port is free. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
