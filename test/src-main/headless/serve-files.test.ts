import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, sep } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { screenPath, sendFile, sendScreen } from '../../../src-main/headless/static-files.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const FOLDER = `${sep}screens`

describe('the path of a request', () => {
  it.each([
    ['/index.html', 'index.html'],
    ['/assets/a%20b.js', join('assets', 'a b.js')],
    ['/a/../b.js', 'b.js'],
    ['/./a.js', 'a.js'],
    ['//a.js', 'a.js'],
    ['/..a/b..js', join('..a', 'b..js')],
  ])('%s stays inside', (path, inside) => {
    expect(screenPath(FOLDER, path)).toBe(join(FOLDER, inside))
  })

  it.each([
    '/..',
    '/../screens-of-others/a.js',
    '/../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/a/../../b',
    '/a.js%00.html',
    '/%',
    '/%E0%A4',
  ])('%s never leaves', (path) => {
    expect(screenPath(FOLDER, path)).toBeNull()
  })

  it('with backslashes never leaves on Windows', (context) => {
    context.skip(
      sep !== '\\',
      'a backslash is an ordinary character here; only Windows takes it for a separator',
    )
    expect(screenPath(FOLDER, '/..%5c..%5cWindows')).toBeNull()
  })
})

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }

async function askFor(
  serve: (response: Parameters<typeof sendFile>[0]) => Promise<unknown>,
): Promise<Answer | 'broken'> {
  const server = createServer((_request, response) => void serve(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', agent: false }, (response) => {
      let body = ''
      response.on('data', (piece: Buffer) => (body += piece.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      response.on('error', () => resolve('broken'))
    })
    asked.on('error', () => resolve('broken'))
    asked.end()
  })
}

describe('a file of the screens', () => {
  function screens(): string {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<p>screens')
    writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'start()')
    writeFileSync(join(folder, 'assets', 'data.bin'), 'x')
    return folder
  }

  it('is served with its type, a policy for scripts and no guessing', async () => {
    const folder = screens()
    const page = await askFor((response) => sendScreen(response, folder, '/'))
    expect(page).toMatchObject({
      status: 200,
      body: '<p>screens',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
    })
    const policy = page === 'broken' ? '' : String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
    expect(await askFor((response) => sendScreen(response, folder, '/assets/app-1a2b.js'))).toMatchObject({
      body: 'start()',
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'content-length': '7' },
    })
    expect(await askFor((response) => sendScreen(response, folder, '/assets/data.bin'))).toMatchObject({
      headers: { 'content-type': 'application/octet-stream' },
    })
  })

  it('is not there for a folder, for nothing, and outside', async () => {
    const folder = screens()
    for (const path of ['/assets', '/none.js', '/../index.html', '/%00']) {
      const found: boolean[] = []
      await askFor(async (response) => {
        found.push(await sendScreen(response, folder, path))
        response.end()
      })
      expect(found, path).toEqual([false])
    }
  })

  it('that vanishes while it is served ends the answer, and never pretends to be whole', async () => {
    const answer = await askFor((response) =>
      sendFile(response, { path: '/nowhere', contentType: 'image/jpeg', sizeBytes: 10 }),
    )
    expect(answer).toBe('broken')
  })
})
