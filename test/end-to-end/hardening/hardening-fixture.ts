/** Somewhere on the network that a hostile page would reach, and the settings of a desktop app beside a service. */
import { createServer, type AddressInfo } from 'node:net'
import type { StationConfig } from '../../station-process/start-station.ts'
import { quickFolder, type StationFixture } from '../station-fixture.ts'

export type Beacon = {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** The first line of each request, or `connected` for a connection that asked nothing. */
  readonly touched: readonly string[]
  close(): Promise<void>
}

export async function openBeacon(): Promise<Beacon> {
  const touched: string[] = []
  const server = createServer((socket) => {
    const index = touched.push('connected') - 1
    socket.on('data', (bytes) => {
      touched[index] = bytes.toString('latin1').split('\r\n')[0] ?? ''
      socket.end('HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n')
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    touched,
    close: () => new Promise((closed) => void server.close(() => closed())),
  }
}

/** The configuration of a desktop app on this camera and service. */
export function configOf({ service, camera }: StationFixture): StationConfig {
  return {
    service: service.account,
    centerId: '101',
    folders: [quickFolder(camera)],
    delivery: { retryBaseSeconds: 0.2, lookSeconds: [0.2, 0.5, 1, 2] },
    reports: { checkSeconds: 0.3 },
  }
}
