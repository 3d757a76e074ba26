import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from './answers.ts'
import type { Fault, Faults, Moment } from './faults.ts'
import { endpointOf, type Journal, type JournalEntry } from './journal.ts'

/**
 * A request that counts the bytes of its body as they arrive.
 *
 * Fastify's multipart reads the raw request itself, so there is no stream to put a counter between; but Node's
 * HTTP parser hands each piece of a body to `push`, and `http.createServer` takes this class in place of its own.
 */
class CountingRequest extends IncomingMessage {
  arrivedBytes = 0
  onBytes: ((arrivedBytes: number) => void) | null = null
  #isHeld = false

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk instanceof Uint8Array) {
      this.arrivedBytes += chunk.byteLength
      this.onBytes?.(this.arrivedBytes)
    }
    return super.push(chunk, encoding)
  }

  /** Nothing is read from the wire any more. */
  hold(): void {
    this.#isHeld = true
    this.socket.pause()
  }

  override _read(size: number): void {
    // A reader that wants more would let the wire go on.
    // oxlint-disable-next-line no-underscore-dangle -- Node's own name
    if (!this.#isHeld) super._read(size)
  }
}

/** How long the rest of a body is read after an early answer, so that the client gets to see the answer. */
const LINGER_MS = 5_000

/** One request on its way: its wire, its line in the journal, and the fault that lies in wait for it. */
export class Exchange {
  readonly request: CountingRequest
  readonly entry: JournalEntry
  readonly #response: ServerResponse
  readonly #fault: Fault | null
  readonly #expireTokens: () => void
  /** True from when a fault has taken the connection over: nothing else may be written to it. */
  isTaken = false

  constructor(options: {
    readonly request: CountingRequest
    readonly response: ServerResponse
    readonly entry: JournalEntry
    readonly fault: Fault | null
    readonly expireTokens: () => void
    readonly ended: (entry: JournalEntry) => void
  }) {
    this.request = options.request
    this.entry = options.entry
    this.#response = options.response
    this.#fault = options.fault
    this.#expireTokens = options.expireTokens
    this.request.onBytes = (arrivedBytes) => this.#arrived(arrivedBytes)
    this.request.once('end', () => this.#measure())
    this.#response.once('close', () => {
      this.#measure()
      const isSent = this.entry.outcome.kind === 'answered' && this.#response.writableFinished
      if (!isSent) this.entry.outcome = { kind: 'broken', status: this.#statusSent() }
      options.ended(this.entry)
    })
  }

  /** To be asked at each moment but `body`; true: the fault has taken the exchange over. */
  async reaches(moment: Exclude<Moment, 'body'>, answer?: Answer): Promise<boolean> {
    if (!this.isTaken && this.#fault?.moment === moment) await this.#strike(this.#fault, answer)
    return this.isTaken
  }

  /** The true answer. */
  send(answer: Answer): void {
    if (this.isTaken || this.#response.destroyed) return
    this.#measure()
    this.entry.outcome = { kind: 'answered', status: answer.status }
    this.#response.writeHead(answer.status, headersOf(answer)).end(answer.body)
  }

  #measure(): void {
    this.entry.bodyBytes = this.request.arrivedBytes
    this.entry.isBodyComplete = this.request.complete
  }

  #statusSent(): number | null {
    return this.#response.headersSent ? this.#response.statusCode : null
  }

  #arrived(arrivedBytes: number): void {
    this.entry.bodyBytes = arrivedBytes
    const fault = this.#fault
    if (fault?.moment !== 'body' || this.entry.fault !== null || arrivedBytes < (fault.afterBytes ?? 0))
      return
    void this.#strike(fault)
  }

  async #strike(fault: Fault, answer?: Answer): Promise<void> {
    this.entry.fault = fault.name
    const { act } = fault
    const { socket } = this.request
    switch (act.kind) {
      case 'expireTokens':
        this.#expireTokens()
        return
      case 'wait':
      case 'hold':
        await (act.kind === 'wait' ? pause(act.delayMs) : act.until)
        return
      case 'hang':
        this.isTaken = true
        if (fault.moment === 'body') this.request.hold()
        return
      case 'reset':
        this.isTaken = true
        socket.resetAndDestroy()
        return
      case 'drop':
        this.isTaken = true
        socket.destroy()
        return
      case 'cutAnswer':
        this.isTaken = true
        this.#cut(answer)
        return
      case 'answer':
        this.isTaken = true
        this.#answerEarly(act.answer)
    }
  }

  #cut(answer: Answer | undefined): void {
    if (!answer) throw new Error('Only at the moment `done` is there an answer to cut.')
    this.#response.writeHead(answer.status, headersOf(answer)).flushHeaders()
    const half = answer.body.subarray(0, Math.max(1, Math.floor(answer.body.length / 2)))
    // Only what the callback has seen has left: a destroyed response takes its unsent bytes along.
    this.#response.write(half, () => this.#response.destroy())
  }

  /** Answers at once and goes on reading: a closed socket with unread bytes would reset the answer away. */
  #answerEarly(answer: Answer): void {
    this.entry.outcome = { kind: 'answered', status: answer.status }
    const response = this.#response.writeHead(answer.status, { ...headersOf(answer), connection: 'close' })
    if (this.request.complete) {
      response.end(answer.body)
      return
    }
    response.flushHeaders()
    if (answer.body.length > 0) response.write(answer.body)
    const end = (): void => {
      clearTimeout(limit)
      response.end()
    }
    const limit = setTimeout(end, LINGER_MS)
    limit.unref()
    this.request.once('end', end).once('error', end)
    this.request.resume()
  }
}

function headersOf(answer: Answer): Record<string, string> {
  const hasBody = answer.status !== 204 && answer.status !== 304
  return { ...answer.headers, ...(hasBody ? { 'content-length': String(answer.body.length) } : {}) }
}

const AGAIN_WITHIN_MS = 10_000

/**
 * The HTTP server in front of Fastify. Being our own, it lets faults strike before Fastify has seen anything, and
 * its port can close and open again.
 */
export function createFrontDoor(options: {
  readonly journal: Journal
  readonly faults: Faults
  readonly expireTokens: () => void
  /** Takes every exchange that no fault has taken. */
  readonly admit: (exchange: Exchange, response: ServerResponse) => void
}): Server {
  const { journal, faults } = options

  const openExchange = (request: CountingRequest, response: ServerResponse): Exchange => {
    const method = request.method ?? ''
    const path = request.url ?? ''
    const endpoint = endpointOf(method, path.split('?')[0] ?? '')
    const { 'content-type': contentType = null } = request.headers
    const length = request.headers['content-length']
    return new Exchange({
      request,
      response,
      entry: journal.open({
        at: Date.now(),
        method,
        path,
        endpoint,
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

/** Any port if it is 0. */
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
