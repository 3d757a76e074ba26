/** What `npm run package` packs, for this system and for Windows, around a runtime that does not run; nothing is downloaded. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractFile, getRawHeader } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { provideBuiltApp } from '../end-to-end/fake-electron/app-files.ts'
import { openDesktopBrowser, startDesktop } from '../end-to-end/fake-electron/start-desktop.ts'
import { drawing } from '../src-main/reader/draw-images.ts'
import { integrityIn } from './dummy-runtime.ts'
import { makeProject, packApp, STRAY_FILES, type PackedApp } from './packed-app.ts'

/** A fuse that is on, in the binary: the digit. */
const ON = '1'.charCodeAt(0)

const SYSTEMS = ['linux', 'win'] as const
/** electron-builder packs for the processor that it runs on. */
const OWN = { linux: `linux-${process.arch}`, win: `win32-${process.arch}` }

let folder: string
let packed: Readonly<Record<(typeof SYSTEMS)[number], PackedApp>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fundus-courier-package-'))
  const built = await provideBuiltApp()
  const project = join(folder, 'project')
  await mkdir(project)
  await makeProject(project, built.folder)
  packed = { linux: await packApp(project, 'linux'), win: await packApp(project, 'win') }
  return async () => {
    await built.remove()
    await rm(folder, { recursive: true, force: true })
  }
}, 240_000)

describe.each(SYSTEMS)('the package for %s', (system) => {
  const app = (): PackedApp => packed[system]
  const matching = (pattern: RegExp): readonly string[] => app().files.filter((path) => pattern.test(path))

  it('holds what runs: the main process with its workers, the preload, the screens, the pictures', () => {
    expect(app().files).toEqual(
      expect.arrayContaining([
        'package.json',
        'LICENSE',
        'out/main/main.js',
        'out/main/watch-worker.js',
        'out/main/pictures-worker.js',
        'out/main/data-worker.js',
        'out/main/outbox-worker.js',
        'out/preload/preload.cjs',
        'out/renderer/index.html',
        'out/renderer/licenses.json',
        'out/renderer/licenses.txt',
        'assets/icon.png',
        'assets/tray/idle.png',
        'node_modules/electron-updater/package.json',
        'node_modules/undici/index.js',
        'node_modules/@cornerstonejs/codec-charls/dist/charlswasm_decode.wasm',
        'node_modules/@cornerstonejs/codec-openjpeg/dist/openjpegwasm_decode.wasm',
      ]),
    )
    expect(matching(/@cornerstonejs.*\/dist\/./)).toHaveLength(4)
  })

  it('holds nothing else of the project', () => {
    const ours = new Set(
      app()
        .files.filter((path) => !path.startsWith('node_modules'))
        .map((path) => path.split('/')[0]),
    )
    expect(ours).toEqual(new Set(['LICENSE', 'assets', 'out', 'package.json']))
  })

  it('holds no stray file, no source, no test, no map, nothing to compile', () => {
    expect(STRAY_FILES.filter((path) => app().files.includes(path))).toEqual([])
    expect(matching(/\.(?:map|ts|mts|cts|tsx|md|h|c|cc|cpp|gyp|sh|env|sqlite|log)$/)).toEqual([])
    expect(matching(/(?:^|\/)(?:test|tests|__tests__|docs|examples?|\.[^/]+)(?:\/|$)/)).toEqual([])
    expect(matching(/(?:^|\/)build\/Release(?:\/|$)/)).toEqual([])
    expect(matching(/node_modules\/(?:electron|vite|vitest|typescript|react|node)(?:\/|$)/)).toEqual([])
  })

  it('holds native files of its own system only, and all of them beside the archive', () => {
    const native = matching(/\.(?:node|dll|so|dylib)(?:\.[\d.]+)?$/)
    expect(native.length).toBeGreaterThanOrEqual(system === 'linux' ? 1 : 2)
    expect(native.filter((path) => !path.includes(OWN[system]))).toEqual([])
    expect(native.filter((path) => !app().unpacked.includes(path))).toEqual([])
    const images = matching(/^node_modules\/@img\/[^/]+$/).map((path) => path.split('/').at(-1))
    expect(new Set(images)).toEqual(
      new Set([
        'colour',
        // Of Windows with its library; on Linux the one that brings no GLib into the process.
        system === 'linux' ? 'sharp-wasm32' : `sharp-${OWN.win}`,
      ]),
    )
  })

  it('has its fuses as they are wanted, whatever they were', async () => {
    const { version, ...wire } = await getCurrentFuseWire(app().program)
    expect(version).toBe('1')
    const on = Object.entries(wire).filter(([, state]) => Number(state) === ON)
    expect(on.map(([fuse]) => FuseV1Options[Number(fuse)])).toEqual([
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
    ])
  })

  it('carries what is in it, and under which licences', async () => {
    const bom = z
      .object({
        bomFormat: z.literal('CycloneDX'),
        components: z.array(z.object({ name: z.string(), version: z.string(), purl: z.string() })),
      })
      .parse(JSON.parse(await readFile(join(app().resources, 'sbom.cdx.json'), 'utf8')))
    const text = await readFile(join(app().resources, 'licenses.txt'), 'utf8')
    const listed = new Set(bom.components.map(({ name, version }) => `${name} ${version}`))
    const inPackage = matching(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/).map((path) => {
      const read = z.object({ name: z.string(), version: z.string() })
      const { name, version } = read.parse(JSON.parse(extractFile(app().asar, path).toString()))
      return `${name} ${version}`
    })
    expect(inPackage.length).toBeGreaterThan(40)
    // Its stand-in is no package that the build machine has a licence of.
    const foreign = system === 'linux' ? [] : [`@img/sharp-${OWN.win}`]
    const isKnown = (one: string): boolean => !foreign.some((name) => one.startsWith(name))
    expect(inPackage.filter((one) => isKnown(one) && !listed.has(one))).toEqual([])
    expect(inPackage.filter((one) => isKnown(one) && !text.includes(`${one}: `))).toEqual([])
    expect([...listed].filter((one) => /^(?:electron|react|better-sqlite3) /.test(one))).toHaveLength(3)
    expect([...listed].filter((one) => /^(?:node[ -]|@img\/sharp-(?:libvips-)?linux)/.test(one))).toEqual([])
    for (const notice of ['sbom.cdx.json', 'licenses.txt'])
      expect(await readFile(join(app().resources, notice), 'utf8')).not.toMatch(
        /\/(?:home|root|tmp|work)\/|registry|localhost/,
      )
  })

  it('gives the app the address of its updates, and gives away nothing of who built it', () => {
    const text = extractFile(app().asar, 'package.json').toString()
    const manifest = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
    expect(manifest).toMatchObject({
      updateFeed: 'https://updates.clinic.example/',
      main: 'out/main/main.js',
      type: 'module',
    })
    expect(manifest).not.toHaveProperty('devDependencies')
    expect(text).not.toContain(folder)
  })

  it('brings Chromium’s words in the languages of the screens only', async () => {
    expect((await readdir(join(app().resources, '../locales'))).toSorted()).toEqual(['en-US.pak', 'es.pak'])
  })
})

describe('the package for Windows', () => {
  it('has the checksum of its archive in the program, which the runtime compares before it loads anything', async () => {
    const { headerString } = getRawHeader(packed.win.asar)
    expect(await integrityIn(packed.win.program)).toEqual([
      {
        file: 'resources\\app.asar',
        alg: 'SHA256',
        value: createHash('sha256').update(headerString).digest('hex'),
      },
    ])
  })
})

describe('the packed files of this system', () => {
  it.skipIf(process.platform !== 'linux')('decode an image', async () => {
    const unpacked = join(folder, 'decoding')
    packed.linux.extractTo(unpacked)
    const path = join(folder, 'OD.jpg')
    await writeFile(path, await drawing().jpeg().toBuffer())
    const reader = fork(join(unpacked, 'out/main/pictures-worker.js'), { serialization: 'advanced' })
    onTestFinished(() => void reader.kill())
    const answer = once(reader, 'message')
    reader.send({
      kind: 'inspect',
      path,
      contentType: 'image/jpeg',
      pictureFolder: folder,
    })
    expect((await answer)[0]).toMatchObject({ reading: { kind: 'whole', oddities: [] } })
  })

  it.skipIf(process.platform !== 'linux')(
    'run: main process, workers, preload and screens',
    async ({ skip }) => {
      const browser = await openDesktopBrowser()
      if (browser.kind === 'absent') return skip(browser.why)
      const unpacked = join(folder, 'unpacked')
      packed.linux.extractTo(unpacked)
      const desktop = await startDesktop({
        files: { folder: unpacked, isPackaged: true, resourcesFolder: packed.linux.resources },
        browser: browser.browser,
      })
      try {
        const page = await desktop.page()
        await page.getByRole('main').first().waitFor()
        expect(await desktop.value('station.about', {})).toMatchObject({ host: 'electron', version: '0.1.0' })
        // The system brings its updates.
        expect(await desktop.value('updates.get', {})).toEqual({ kind: 'off', why: 'packageManager' })
      } finally {
        await desktop.stop()
        await browser.browser.close()
      }
    },
  )
})
