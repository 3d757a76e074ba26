/** Run as a process of its own: an HTTP host that something might bring down. Prints its port and token. */
import { openHttpHost } from '../../../src-main/headless/http-server.ts'
import { createJsonLogger } from '../../../src-main/headless/ports.ts'
import { createFakeStation } from './fake-station.ts'

const host = await openHttpHost({
  station: createFakeStation(),
  logger: createJsonLogger(),
  address: '127.0.0.1',
  port: 0,
  screensFolder: '/nowhere',
})
process.stdout.write(`${JSON.stringify({ url: host.url, token: host.token })}\n`)
// Whoever started this process ends it by closing its input.
process.stdin.resume()
process.stdin.on('end', () => void host.close())
