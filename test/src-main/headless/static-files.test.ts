import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, sep } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { screenPath, sendFile, sendScreen } from '../../../src-main/headless/static-files.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const FOLDER = `${sep}screens`

it.each([
  ['/index.html', 'index.html'],
  ['/assets/a%20b.js', join('assets', 'a b.js')],
  ['/a/../b.js', 'b.js'],
  ['/./a.js', 'a.js'],
  ['//a.js', 'a.js'],
  ['/..a/b..js', join('..a', 'b..js')],
])('the path %s stays inside', (path, inside) => {
  expect(screenPath(FOLDER, path)).toBe(join(FOLDER, inside))
})

it('a path never leaves the folder', () => {
  const paths =
    `/.. /../screens-of-others/a.js /../etc/passwd /%2e%2e/%2e%2e/etc/passwd /..%2f..%2fetc/passwd /a/../../b
    /a.js%00.html /% /%E0%A4`.split(/\s+/)
  // A backslash separates only on Windows.
  if (sep === '\\') paths.push('/..%5c..%5cWindows')
  expect(paths.filter((path) => screenPath(FOLDER, path) !== null)).toEqual([])
})

async function answerOf(serve: (response: ServerResponse) => Promise<unknown>): Promise<Response> {
  const server = createServer((_request, response) => void serve(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

function screens(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<p>screens')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'start()')
  writeFileSync(join(folder, 'assets', 'data.bin'), 'x')
  return folder
}

it.each([
  ['/', '<p>screens', 'text/html; charset=utf-8', 'no-store'],
  ['/assets/app-1a2b.js', 'start()', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/data.bin', 'x', 'application/octet-stream', 'public, max-age=31536000, immutable'],
])('%s is served with its type, a policy for scripts and no guessing', async (path, body, type, caching) => {
  const folder = screens()
  const answer = await answerOf((response) => sendScreen(response, folder, path))
  expect([answer.status, await answer.text()]).toEqual([200, body])
  const headers = Object.fromEntries(answer.headers)
  expect(headers).toMatchObject({
    'content-type': type,
    'content-length': String(body.length),
    'cache-control': caching,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/)
  expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
})

it.each(['/assets', '/none.js', '/../index.html', '/%00'])('%s is no screen', async (path) => {
  const folder = screens()
  const found: boolean[] = []
  await answerOf(async (response) => {
    found.push(await sendScreen(response, folder, path))
    response.end()
  })
  expect(found).toEqual([false])
})

it('a file that vanishes while it is served ends the answer, and never pretends to be whole', async () => {
  const missing = { path: '/nowhere', contentType: 'image/jpeg', sizeBytes: 10 }
  const body = answerOf((response) => sendFile(response, missing)).then((answer) => answer.arrayBuffer())
  await expect(body).rejects.toThrow(/fetch failed|terminated/)
})
