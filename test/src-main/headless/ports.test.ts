/** What the headless host lends the station: proxies of the environment, secrets in a file, a log with a memory. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import {
  createJsonLogger,
  environmentProxies,
  openFileSecrets,
  startNodeProcess,
} from '../../../src-main/headless/host.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

vi.mock('pino', () => {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  return { default: Object.assign(() => silent, { destination: () => null, stdTimeFunctions: {} }) }
})

const HTTPS_PROXY = 'http://proxy.clinic.example:3128'
const ADDRESS = 'https://service.example/api'

it.each<[Readonly<Record<string, string>>, string, boolean]>([
  [{}, ADDRESS, false],
  [{ HTTPS_PROXY }, ADDRESS, true],
  [{ https_proxy: HTTPS_PROXY, HTTPS_PROXY: 'http://other:1' }, ADDRESS, true],
  [{ HTTP_PROXY: HTTPS_PROXY }, ADDRESS, false],
  [{ HTTP_PROXY: HTTPS_PROXY }, 'http://service.example', true],
  [{ HTTPS_PROXY: '' }, ADDRESS, false],
  [{ HTTP_PROXY: HTTPS_PROXY }, 'http://localhost:8080', false],
  [{ HTTP_PROXY: HTTPS_PROXY }, 'http://127.0.0.1:8080', false],
  [{ HTTP_PROXY: HTTPS_PROXY }, 'http://[::1]:8080', false],
  [{ HTTPS_PROXY, NO_PROXY: '*' }, ADDRESS, false],
  [{ HTTPS_PROXY, NO_PROXY: 'a.example, service.example' }, ADDRESS, false],
  [{ HTTPS_PROXY, no_proxy: 'example' }, ADDRESS, false],
  [{ HTTPS_PROXY, NO_PROXY: '.example' }, ADDRESS, false],
  [{ HTTPS_PROXY, NO_PROXY: 'ice.example,other' }, ADDRESS, true],
  // With a star, as it is common on Windows.
  [{ HTTPS_PROXY, NO_PROXY: '*.example' }, ADDRESS, false],
  [{ HTTPS_PROXY, NO_PROXY: '.service.example' }, ADDRESS, false],
  [{ HTTPS_PROXY, NO_PROXY: 'service.example:443' }, ADDRESS, false],
])('with %j the way to %s is by the proxy: %s', async (environment, url, isByProxy) => {
  expect(await environmentProxies(environment).proxyFor(url)).toBe(isByProxy ? HTTPS_PROXY : null)
})

it('secrets are in a file for its owner only', async () => {
  const folder = temporaryFolder()
  const secrets = openFileSecrets(folder)
  expect(await secrets.read()).toBeNull()
  await secrets.write('very secret')
  expect(await openFileSecrets(folder).read()).toBe('very secret')
  expect(statSync(join(folder, 'secrets.json')).mode & 0o077).toBe(0)
})

it.each(['', 'no JSON', '[]', '7'])('unreadable secrets (%j) can be entered again', async (content) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'secrets.json'), content)
  const secrets = openFileSecrets(folder)
  expect(await secrets.read()).toBeNull()
  await secrets.write('again')
  expect(await secrets.read()).toBe('again')
})

it('the log remembers its latest lines, the oldest first, and no more of them', async () => {
  const log = createJsonLogger()
  for (let index = 0; index < 600; index += 1) log.info('line', { index })
  log.warn('the last')
  const lines = await log.recentLog()
  expect(lines).toHaveLength(500)
  expect(lines[0]?.facts).toEqual({ index: 101 })
  expect(lines.at(-1)).toEqual({ at: expect.any(Number), level: 'warn', message: 'the last', facts: {} })
})

/** What a program sends that runs as a process of the station. */
function sentBy(program: string, heapMb?: number): Promise<unknown> {
  const path = join(temporaryFolder(), 'program.mjs')
  writeFileSync(path, `process.on('message', () => undefined)\n${program}`)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const child = startNodeProcess(pathToFileURL(path), { onMessage: resolve, onExit: resolve }, heapMb)
  return promise.finally(() => child.kill())
}

it('a process that it starts has a small young generation, and the heap that it may have', async () => {
  const flags = ['--max-semi-space-size=2', '--max-old-space-size=100']
  expect(await sentBy('process.send(process.execArgv)', 100)).toEqual(expect.arrayContaining(flags))
})

it('its own process holds little that it does not use any more', async () => {
  const program = `
    import { limitOwnHeap } from '${new URL('../../../src-main/station/ports.ts', import.meta.url).href}'
    limitOwnHeap()
    const objects = (count) => Array.from({ length: count }, (_, index) => ({ index }))
    const used = [objects(1_000_000)]
    process.getBuiltinModule('v8').setFlagsFromString('--expose-gc')
    process.getBuiltinModule('vm').runInNewContext('gc')()
    const heldBytes = objects(4_000).map(({ index }) => {
      used[1 + (index % 64)] = objects(1_000)
      return process.memoryUsage().heapUsed
    })
    process.send(Math.max(...heldBytes) / 2 ** 20)`
  // After a whole collection, from which V8 reckons, 49 MB are used: it lets 75 be held, and without the limit 165.
  expect(await sentBy(program)).toBeLessThan(130)
})
