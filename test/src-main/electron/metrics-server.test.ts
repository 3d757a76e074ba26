/** The port of the desktop app for the tools of an IT department. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { serveMetrics } from '../../../src-main/electron/metrics-server.ts'
import type { CallHandlers } from '../../../src-main/station/api.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'

/** A station whose setting of the port changes, and the server that follows it. */
async function served(metricsPort: number | null) {
  const logger = createRecordingLogger()
  let listener = (_event: StationEvent): void => undefined
  const set = (port: number | null): void =>
    listener({ name: 'settingsChanged', payload: { desktop: { metricsPort: port } } } as never)
  const handlers = {
    'settings.get': () => Promise.resolve(succeed({ desktop: { metricsPort } })),
  } as unknown as CallHandlers
  await serveMetrics(
    {
      on: (heard) => {
        listener = heard
        return () => undefined
      },
      handlers,
      metrics: () => Promise.resolve('# EOF\n'),
    },
    logger,
  )
  onTestFinished(() => set(null))
  return { set, logger }
}

/** A port that nothing listens at. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The status of an answer, or the code of the error. */
function ask(
  port: number,
  path = '/metrics',
  headers: Record<string, string> = {},
): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false })
    asked.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    asked.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'))
    asked.end()
  })
}

it('is closed until a setting names it, and follows the setting', async () => {
  const port = await freePort()
  const { set, logger } = await served(null)
  expect(await ask(port)).toBe('ECONNREFUSED')
  set(port)
  await expect.poll(() => ask(port)).toBe(200)
  set(null)
  await expect.poll(() => ask(port)).toBe('ECONNREFUSED')
  expect(logger.lines).toEqual([])
})

it('answers one path, and no web page', async () => {
  const port = await freePort()
  await served(port)
  expect(await ask(port, '/metrics')).toBe(200)
  expect(await ask(port, '/call/station.status')).toBe(404)
  expect(await ask(port, '/metrics', { origin: 'http://127.0.0.1' })).toBe(403)
  expect(await ask(port, '/metrics', { host: `rebound.example:${port}` })).toBe(403)
})

it('that is taken is named in the log, and the app goes on', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { logger } = await served((taken.address() as AddressInfo).port)
  expect(logger.lines).toMatchObject([
    { level: 'warn', message: 'the port of the metrics cannot be used', facts: { code: 'EADDRINUSE' } },
  ])
})
