/** The numbers for IT on a port of this computer, if the settings name one (`desktop.metricsPort`). */
import { createServer, type Server } from 'node:http'
import type { Station } from '../station/api.ts'
import { errorCode, errorName } from '../station/lib/errors.ts'
import { serially } from '../station/lib/schedule.ts'
import { METRICS_TYPE } from '../station/metrics.ts'
import type { Logger } from '../station/ports.ts'

/** Programs of this computer only. */
const ADDRESS = '127.0.0.1'
const MAX_CONNECTIONS = 16
const REQUEST_WITHIN_MS = 10_000

/** Serves `GET /metrics` without a token: it holds nothing of a patient. Follows the settings until the app ends. */
export async function serveMetrics(
  station: Pick<Station, 'on' | 'handlers' | 'metrics'>,
  logger: Logger,
): Promise<void> {
  let open: { readonly port: number; readonly server: Server } | null = null
  const inTurn = serially()
  const follow = (port: number | null): Promise<void> =>
    inTurn(async () => {
      if (port === (open?.port ?? null)) return
      open?.server.close()
      open?.server.closeAllConnections()
      open = null
      if (port === null) return
      try {
        open = { port, server: await listen(station, port) }
      } catch (error) {
        logger.warn('the port of the metrics cannot be used', { code: errorCode(error) ?? errorName(error) })
      }
    })
  station.on((event) => {
    if (event.name === 'settingsChanged') void follow(event.payload.desktop.metricsPort)
  })
  const settings = await station.handlers['settings.get']({})
  if (settings.ok) await follow(settings.value.desktop.metricsPort)
}

async function listen(station: Pick<Station, 'metrics'>, port: number): Promise<Server> {
  const server = createServer({
    headersTimeout: REQUEST_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: REQUEST_WITHIN_MS / 5,
  })
  server.maxConnections = MAX_CONNECTIONS
  // A web page in a browser of this computer may ask by a name of its own, and then reads nothing.
  const names = [`${ADDRESS}:${port}`, `localhost:${port}`]
  server.on('request', (request, response) => {
    const isOurs = names.includes(request.headers.host ?? '') && request.headers.origin === undefined
    if (!isOurs || request.method !== 'GET' || request.url !== '/metrics')
      return void response.writeHead(isOurs ? 404 : 403).end()
    station.metrics().then(
      (text) =>
        response.writeHead(200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, ADDRESS, resolve)
  })
  server.unref()
  return server
}
