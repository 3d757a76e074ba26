/**
 * A scheme of the app in the browser: Chromium knows no `app://` without Electron, so a server on this machine stands
 * for it. Headers of the answer act for real (the content policy above all); those of a request come as Electron gives
 * them to a handler, before Chromium's network has added its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

export type Handler = (request: Request) => Response | Promise<Response>

/** Added by the network, of which a custom scheme has none. */
const OF_THE_NETWORK =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|upgrade-insecure-requests|sec-.*)$/

export function serveScheme(
  scheme: string,
  handler: Handler,
  onListening: (port: number) => void,
): () => void {
  const server = createServer((incoming, outgoing) => {
    answer(scheme, handler, incoming, outgoing).catch((error: unknown) => {
      process.stderr.write(
        `The handler of ${scheme}: ended with ${error instanceof Error ? error.message : 'no error'}\n`,
      )
      outgoing.destroy()
    })
  })
  server.listen(0, '127.0.0.1', () => onListening((server.address() as AddressInfo).port))
  server.unref()
  return () => void server.close()
}

async function answer(
  scheme: string,
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const local = `http://${incoming.headers.host}`
  // One host stands for the scheme, and its name is the first label of ours: station.localhost.
  const host = (incoming.headers.host ?? '').split('.')[0]
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string' && !OF_THE_NETWORK.test(name))
      headers.set(name, value.replace(local, `${scheme}://${host}`))
  const method = incoming.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const request = new Request(`${scheme}://${host}${incoming.url}`, {
    method,
    headers,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  })
  const response = await handler(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body === null) {
    outgoing.end()
    return
  }
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing).catch(
    (error: NodeJS.ErrnoException) => {
      // A page that leaves, or an image that is not wanted any more.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    },
  )
}
