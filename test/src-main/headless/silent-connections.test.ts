/** Connections to the loopback server that ask nothing: any program of this computer can open them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type HttpHost, openHttpHost } from '../../../src-main/headless/http-server.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { createFakeStation } from './fake-station.ts'

async function openHost(headersWithinMs: number): Promise<HttpHost> {
  const host = await openHttpHost({
    station: createFakeStation(),
    logger: createRecordingLogger(),
    address: '127.0.0.1',
    port: 0,
    screensFolder: join(temporaryFolder(), 'screens'),
    headersWithinMs,
  })
  onTestFinished(() => host.close())
  return host
}

function openSilent(host: HttpHost): Socket {
  const silent = connect(Number(new URL(host.url).port), '127.0.0.1')
  silent.on('error', () => undefined).resume()
  onTestFinished(() => void silent.destroy())
  return silent
}

it('are no more than the system has handles for', async () => {
  const host = await openHost(60_000)
  const silent = Array.from({ length: 300 }, () => openSilent(host))
  const enough = Promise.withResolvers<void>()
  let closed = 0
  for (const socket of silent)
    socket.once('close', () => {
      closed += 1
      if (closed === 300 - 256) enough.resolve()
    })
  await enough.promise
  expect(silent.filter(({ destroyed }) => !destroyed)).toHaveLength(256)
})

it('are closed after a while', async () => {
  const host = await openHost(50)
  await once(openSilent(host), 'close')
  expect((await fetch(`${host.url}/health`)).status).toBe(200)
})
