/** The scheme `app://station/`: its addresses, its answers and the policies that they carry. */
import { readdirSync, readlinkSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  BYTES_POLICY,
  createAppProtocol,
  fileStream,
  isAppAddress,
  isScreenAddress,
  NOTHING_POLICY,
  readAppAddress,
} from '../../../src-main/electron/app-protocol.ts'
import { START_ADDRESS } from '../../../src-main/electron/preload/bridge.ts'
import type { ServedBytes } from '../../../src-main/station/api.ts'
import { SCREEN_POLICY } from '../../../src-main/station/storage/served-bytes.ts'
import { succeed } from '../../../src-shared/failure.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

describe('an address of the window', () => {
  it.each([
    ['app://station/', 'index.html'],
    [START_ADDRESS, 'index.html'],
    ['app://station/index.html?x=1#part', 'index.html'],
    ['app://station/assets/index-Bq3_x9.js', 'assets/index-Bq3_x9.js'],
    ['app://station/pdf/cmaps/78-EUC-H.bcmap', 'pdf/cmaps/78-EUC-H.bcmap'],
    // The parser itself takes these steps, as a browser would, and stays inside.
    ['app://station/assets/../index.html', 'index.html'],
    ['app://station/../../etc/passwd', 'etc/passwd'],
    ['app://station/%2e%2e/index.html', 'index.html'],
  ])('%s is the screen %s', (address, path) => {
    expect(readAppAddress(address)).toEqual({ kind: 'screen', path })
  })

  it.each([
    ['app://station/bytes/image/i-17', 'image', 'i-17'],
    ['app://station/bytes/thumbnail/a%20b', 'thumbnail', 'a b'],
    // An id is searched for, never opened as a path.
    ['app://station/bytes/report/..%2F..%2Fetc%2Fpasswd', 'report', '../../etc/passwd'],
  ])('%s are bytes', (address, bytesKind, id) => {
    expect(readAppAddress(address)).toEqual({ kind: 'bytes', bytesKind, id })
  })

  it.each([
    '',
    ...`app://station/..%2fsecrets.json app://station/assets/..%2f..%2fsecrets.json
      app://station/assets/..%5c..%5csecrets.json app://station/assets//index.js
      app://station/c:/windows/win.ini app://station/index.html::$DATA app://station/index.html%00.js
      app://station/.env app://station/assets/.hidden app://station/a..b app://station/%zz
      app://station/bytes/image app://station/bytes/image/ app://station/bytes/image/1/2
      app://station/bytes/outbox/1 app://elsewhere/index.html app://station:80/index.html
      app://user@elsewhere/index.html file:///etc/passwd https://station/index.html station/index.html`.split(
      /\s+/,
    ),
  ])('%j is nothing', (address) => {
    expect(readAppAddress(address)).toBeNull()
  })

  it.each([
    ['app://station/index.html#/queue', true, true],
    ['app://station/', true, true],
    ['app://station/bytes/report/1', true, false],
    ['app://station/files', true, false],
    ['app://station.example/index.html', false, false],
    ['app://stationx/', false, false],
    ['https://app//station/', false, false],
    ['about:blank', false, false],
    ['', false, false],
  ])('%j is ours: %j, and a screen: %j', (address, isOurs, isScreen) => {
    expect([isAppAddress(address), isScreenAddress(address)]).toEqual([isOurs, isScreen])
  })
})

async function serve(
  bytes: (kind: string, id: string) => Promise<ServedBytes | null> = () => Promise.resolve(null),
) {
  const folder = temporaryFolder()
  const screensFolder = join(folder, 'renderer')
  await mkdir(join(screensFolder, 'assets'), { recursive: true })
  await writeFile(join(screensFolder, 'index.html'), '<!doctype html>')
  await writeFile(join(screensFolder, 'assets', 'main.js'), 'export {}')
  await writeFile(join(folder, 'secrets.json'), 'secret')
  const uploads: { name: string; sizeBytes: number | null; text: string }[] = []
  const handle = createAppProtocol({
    screensFolder,
    bytes,
    saveUpload: async ({ name, sizeBytes, bytes: body }) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      const whole = Buffer.concat(chunks)
      uploads.push({ name, sizeBytes, text: whole.toString() })
      return succeed({ path: '/uploads', sizeBytes: whole.length, sha256: '' })
    },
  })
  const get = (path: string, init?: RequestInit) => handle(new Request(`app://station${path}`, init))
  return { folder, uploads, get }
}

describe('the app protocol', () => {
  it('serves the screens with their type', async () => {
    const { get } = await serve()
    const page = await get('/')
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html>'])
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect((await get('/assets/main.js')).headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
    const head = await get('/', { method: 'HEAD' })
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '15', ''])
  })

  it('answers 404 to what is not there', async () => {
    const { get } = await serve()
    for (const path of '/missing.html /assets /assets/ /..%2fsecrets.json /../secrets.json'.split(' ')) {
      const answer = await get(path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, ''])
    }
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

  it('takes a file that our own page uploads, and no one else', async () => {
    const { get, uploads } = await serve()
    const path = '/files?name=a%2F..%2FOD%201.jpg'
    const upload = (query = '', headers: Record<string, string> = {}) =>
      get(`${path}${query}`, { method: 'POST', body: 'an image', headers })
    const answer = await upload()
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { ok: true, value: { path: '/uploads', sizeBytes: 8, sha256: '' } },
    ])
    expect((await upload('&size=8', { Origin: 'app://station' })).status).toBe(200)
    for (const Origin of ['null', 'https://elsewhere.example', 'app://other'])
      expect((await upload('', { Origin })).status).toBe(403)
    expect((await get(path)).status).toBe(404)
    expect((await get('/files/x', { method: 'POST', body: 'x' })).status).toBe(405)
    expect(uploads).toEqual([
      { name: 'a/../OD 1.jpg', sizeBytes: null, text: 'an image' },
      { name: 'a/../OD 1.jpg', sizeBytes: 8, text: 'an image' },
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
    expect(Object.fromEntries(report.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-length': '6',
      'content-security-policy': BYTES_POLICY,
    })
    expect((await served.get('/bytes/image/r-2')).status).toBe(404)
    expect(asked).toEqual(['report r-1', 'image r-2'])
  })
})

describe('the bytes of a file', () => {
  const BYTES = Buffer.alloc(700_000, 'an image ')

  async function image(bytes: Buffer = BYTES): Promise<string> {
    const path = join(temporaryFolder(), 'image.jpg')
    await writeFile(path, bytes)
    return path
  }

  /** Files that this process has open; only Linux lists them. */
  const openFiles = (): string[] =>
    readdirSync('/proc/self/fd').map((number) => {
      try {
        return readlinkSync(`/proc/self/fd/${number}`)
      } catch {
        // The listing itself, closed by now.
        return ''
      }
    })

  it.each([BYTES, Buffer.alloc(0)])('are all of them, in their order', async (bytes) => {
    const read = Buffer.from(await new Response(fileStream(await image(bytes))).arrayBuffer())
    expect(read.equals(bytes)).toBe(true)
  })

  it('of a file that is gone fail the reading', async () => {
    const path = await image()
    const stream = fileStream(path)
    await rm(path)
    await expect(stream.getReader().read()).rejects.toThrow('ENOENT')
  })

  // A fault that nothing catches fails the whole run of the tests.
  it('may be dropped at any moment, by hundreds, and no file stays open (which are open, only Linux says)', async () => {
    const path = await image()
    const drop = async (count: number): Promise<void> => {
      const reader = fileStream(path).getReader()
      const reading: Promise<unknown>[] = []
      for (let chunk = 0; chunk < count % 5; chunk += 1) reading.push(reader.read().catch(() => null))
      for (let turn = 0; turn < count % 7; turn += 1) await settle()
      await reader.cancel()
      await Promise.all(reading)
    }
    await Promise.all(Array.from({ length: 400 }, (_none, count) => drop(count)))
    fileStream(path)
    await settle()
    if (process.platform === 'linux') expect(openFiles()).not.toContain(path)
  })
})

describe('the content policy', () => {
  const directives = (policy: string): string[] => policy.split('; ').toSorted()

  it('lets the screens run and load only their own', () => {
    expect(directives(SCREEN_POLICY)).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self' data:",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "frame-src 'none'",
      "img-src 'self' blob: data:",
      "script-src 'self'",
      // The component library writes its theme into a style element.
      "style-src 'self' 'unsafe-inline'",
      "worker-src 'self'",
    ])
  })

  it('leaves a report nothing, and an answer that is no page even less', () => {
    expect(directives(BYTES_POLICY)).toEqual([
      "default-src 'none'",
      "frame-ancestors 'none'",
      'img-src data:',
      'sandbox',
      "style-src 'unsafe-inline'",
    ])
    expect(directives(NOTHING_POLICY)).toEqual(["default-src 'none'", "frame-ancestors 'none'"])
  })
})
