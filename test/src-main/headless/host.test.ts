/** The headless host: its command line, and a station whose server does not open. */
import { createServer, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openHost, positionOf, readCommandLine } from '../../../src-main/headless/host.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const NO_FILES = { configPath: null, dataFolder: './fundus-courier-data' }
const DEFAULTS = { ...NO_FILES, port: 0, address: '127.0.0.1', isRecovering: false }
const ALL = {
  configPath: 'a.json',
  dataFolder: '/data',
  port: 4_100,
  address: 'localhost',
  isRecovering: true,
}

it.each([
  ['', DEFAULTS],
  ['--config a.json --data /data --port 4100 --address localhost --recover', ALL],
  ['--config=a.json --data=/data --port=4100 --address=localhost --recover', ALL],
])('reads the command line %j', (line, expected) => {
  expect(readCommandLine(line.split(' ').filter((one) => one !== ''))).toEqual(expected)
})

it.each(['--port http', '--port -1', '--port 65536', '--port 80.5', '--unknown x', '--config', 'stray.json'])(
  'explains its command line instead of %j',
  (line) => {
    const answer = readCommandLine(line.split(' '))
    expect('usage' in answer ? answer.usage : '').toContain('usage: npm run serve -- --config FILE')
  },
)

it('stops the station if its port is taken: no one could see or stop it', async () => {
  const taken = createServer()
  await new Promise<void>((listening) => void taken.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const options = { dataFolder: temporaryFolder(), config: null, ports: stationPorts() }
  await expect(openHost(options, { address: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  // A station that still ran would hold the outbox.
  const next = await openStation(options)
  await next.stop()
})

it.each([
  ['a source', 'src-main/station/station.ts:12:3'],
  ['the bundle', 'headless/main.js:4040:7'],
  ['a chunk of the bundle', 'station/chunks/schedule-Cmlu0BYM.js:3:9'],
])('states where in %s a defect was, and nothing of its message', (_where, position) => {
  const error = new Error('Anna Muster\n    at /data/src-main/Anna Muster.jpg')
  const outside = 'at write (node:fs:1:2)\n    at file:///srv/app/node_modules/x/headless/y.mjs:5:6'
  error.stack = `Error: ${error.message}\n    ${outside}\n    at async open (file:///srv/app/out/${position})`
  expect(positionOf(error)).toBe(position)
})

it.each([[new Error('Anna Muster')], ['Anna Muster'], [null]])('states none of %j', (thrown) => {
  if (thrown instanceof Error) thrown.stack = `${thrown.message}\n    at write (node:fs:1:2)`
  expect(positionOf(thrown)).toBeNull()
})
