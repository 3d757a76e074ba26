import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAppProtocol } from '../../../src-main/electron/app-protocol.ts'
import type { ServedBytes } from '../../../src-main/station/api.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { temporaryFolder } from './temporary-folder.ts'

async function serve(
  bytes: (kind: string, id: string) => Promise<ServedBytes | null> = () => Promise.resolve(null),
) {
  const folder = await temporaryFolder()
  const screensFolder = join(folder, 'renderer')
  await mkdir(join(screensFolder, 'assets'), { recursive: true })
  await writeFile(join(screensFolder, 'index.html'), '<!doctype html>')
  await writeFile(join(screensFolder, 'assets', 'main.js'), 'export {}')
  await writeFile(join(folder, 'secrets.json'), 'secret')
  const handed: { name: string; text: string }[] = []
  const sizes: (number | null)[] = []
  const handle = createAppProtocol({
    screensFolder,
    bytes,
    saveUpload: async ({ name, sizeBytes, bytes: body }) => {
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      const whole = Buffer.concat(pieces)
      handed.push({ name, text: whole.toString() })
      sizes.push(sizeBytes)
      return succeed({ path: '/kept', sizeBytes: whole.length, sha256: '' })
    },
  })
  return {
    folder,
    handed,
    sizes,
    get: (path: string, init?: RequestInit) => handle(new Request(`app://station${path}`, init)),
  }
}

describe('the app protocol', () => {
  it('serves the screens with their type, a policy without inline scripts, and no guessing of types', async () => {
    const { get } = await serve()
    const page = await get('/')
    expect(page.status).toBe(200)
    expect(await page.text()).toBe('<!doctype html>')
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('X-Content-Type-Options')).toBe('nosniff')
    const policy = page.headers.get('Content-Security-Policy')
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toContain('unsafe-eval')
    expect((await get('/assets/main.js')).headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
  })

  it.each([
    '/missing.html',
    '/assets',
    '/assets/',
    '/..%2fsecrets.json',
    '/../secrets.json',
    '/index.html/x',
  ])('answers 404 to %s', async (path) => {
    const { get } = await serve()
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe('')
  })

  it.skipIf(process.platform === 'win32')('follows no link that leads out of its folder', async () => {
    const { folder, get } = await serve()
    await symlink(join(folder, 'secrets.json'), join(folder, 'renderer', 'assets', 'link.json'))
    await symlink(folder, join(folder, 'renderer', 'up'))
    await symlink(join(folder, 'renderer', 'index.html'), join(folder, 'renderer', 'inside.html'))
    expect((await get('/assets/link.json')).status).toBe(404)
    expect((await get('/up/secrets.json')).status).toBe(404)
    expect((await get('/inside.html')).status).toBe(200)
  })

  it('puts a policy on every answer, also on those that refuse', async () => {
    const { get } = await serve()
    const answers = await Promise.all([
      get('/'),
      get('/assets/main.js'),
      get('/missing.html'),
      get('/..%2fsecrets.json'),
      get('/bytes/image/none'),
      get('/', { method: 'PUT' }),
      get('/files?name=a', { method: 'POST', body: 'x' }),
      get('/files?name=a', { method: 'POST', body: 'x', headers: { Origin: 'null' } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 405, 200, 403])
    for (const { headers } of answers) {
      const policy = headers.get('Content-Security-Policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'/)
      expect(policy).toMatch(/frame-ancestors 'none'/)
      expect(policy.match(/script-src [^;]*/)?.[0] ?? "script-src 'self'").toBe("script-src 'self'")
      expect(policy).not.toMatch(/https?:|wss?:|\*/)
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    }
  })

  it('takes no other method than GET and HEAD', async () => {
    const { get } = await serve()
    expect((await get('/', { method: 'POST', body: 'x' })).status).toBe(405)
    const head = await get('/', { method: 'HEAD' })
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '15', ''])
  })

  it('takes a file that our own page hands over, and nobody else', async () => {
    const { get, handed, sizes } = await serve()
    const path = '/files?name=a%2F..%2FOD%201.jpg'
    const answer = await get(path, { method: 'POST', body: 'an image' })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { ok: true, value: { path: '/kept', sizeBytes: 8, sha256: '' } },
    ])
    const own = await get(path, { method: 'POST', body: 'x', headers: { Origin: 'app://station' } })
    expect(own.status).toBe(200)
    for (const Origin of ['null', 'https://elsewhere.example', 'app://other'])
      expect((await get(path, { method: 'POST', body: 'x', headers: { Origin } })).status).toBe(403)
    await get(`${path}&size=8`, { method: 'POST', body: 'an image' })
    expect([sizes[0], sizes.at(-1), handed.pop()?.text]).toEqual([null, 8, 'an image'])
    expect((await get(path)).status).toBe(404)
    expect((await get('/files/x', { method: 'POST', body: 'x' })).status).toBe(405)
    expect(handed).toEqual([
      { name: 'a/../OD 1.jpg', text: 'an image' },
      { name: 'a/../OD 1.jpg', text: 'x' },
    ])
  })

  it('serves bytes by kind and id, locked into a sandbox', async () => {
    const asked: string[] = []
    const served = await serve((kind, id) => {
      asked.push(`${kind} ${id}`)
      const path = join(served.folder, 'secrets.json')
      return Promise.resolve(id === 'r-1' ? { path, contentType: 'text/html', sizeBytes: 6 } : null)
    })
    const report = await served.get('/bytes/report/r-1')
    expect(await report.text()).toBe('secret')
    expect(report.headers.get('Content-Type')).toBe('text/html')
    expect(report.headers.get('Content-Length')).toBe('6')
    expect(report.headers.get('Cache-Control')).toBe('no-store')
    expect(report.headers.get('Content-Security-Policy')?.split('; ')).toContain('sandbox')
    expect(report.headers.get('Content-Security-Policy')).not.toContain('script-src')
    expect((await served.get('/bytes/image/r-2')).status).toBe(404)
    expect(asked).toEqual(['report r-1', 'image r-2'])
  })
})
