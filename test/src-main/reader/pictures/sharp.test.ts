import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'

const images = resolve(import.meta.dirname, '../../../../src-main/reader/pictures')
const moduleAt = (name: string): string => JSON.stringify(pathToFileURL(join(images, name)).href)

type Decoding = {
  /** Of the programs in its build. */
  readonly versions: Readonly<Record<string, string>>
  readonly complaints: string
}

/** A process of its own makes a thumbnail some times, with these libraries in it before all others. */
async function decodingIn(host: 'node' | 'electron', libraries: readonly string[] = []): Promise<Decoding> {
  const image = join(temporaryFolder(), 'OD.jpg')
  writeFileSync(image, await drawing(600, 400).jpeg().toBuffer())
  const program = `
    if (${host === 'electron'}) Object.defineProperty(process.versions, 'electron', { value: '45.0.0' })
    const { makeThumbnail } = await import(${moduleAt('decode.ts')})
    const { sharp } = await import(${moduleAt('sharp.ts')})
    const [image] = process.argv.slice(1)
    for (let time = 0; time < 5; time += 1)
      if (!(await makeThumbnail(image, image + '.small'))) throw new Error('none was made')
    console.log(JSON.stringify(sharp.versions))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, image], {
    encoding: 'utf8',
    env: { ...process.env, LD_PRELOAD: libraries.join(' ') },
  })
  if (stdout === '') throw new Error(stderr)
  return { versions: JSON.parse(stdout) as Decoding['versions'], complaints: stderr }
}

describe.skipIf(process.platform !== 'linux')('what decodes images', () => {
  it('is native in Node and WebAssembly in Electron, of the same libvips, without a word', async () => {
    const [native, webAssembly] = [await decodingIn('node'), await decodingIn('electron')]
    expect([native.versions, webAssembly.versions].map((one) => 'emscripten' in one)).toEqual([false, true])
    for (const name of ['sharp', 'vips', 'mozjpeg', 'png', 'tiff'])
      expect(webAssembly.versions[name], name).toBe(native.versions[name])
    expect([native.complaints, webAssembly.complaints]).toEqual(['', ''])
  }, 60_000)

  it('leaves the GLib of the system alone in Electron, which brings it into the process', async ({
    skip,
  }) => {
    const ofSystem = ['libgobject-2.0.so.0', 'libglib-2.0.so.0', 'libgio-2.0.so.0']
    const native = await decodingIn('node', ofSystem)
    if (/cannot be preloaded|Error loading shared library/.test(native.complaints))
      return skip('GLib is not installed')
    const failures = ({ complaints }: Decoding): number => complaints.split('CRITICAL').length - 1
    // What it is for: the native build works on objects of another GLib.
    expect(failures(native)).toBeGreaterThan(0)
    expect(failures(await decodingIn('electron', ofSystem))).toBe(0)
  }, 60_000)
})
