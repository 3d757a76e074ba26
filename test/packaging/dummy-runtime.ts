/**
 * A folder in place of Electron's runtime, which cannot be downloaded everywhere: the files that electron-builder
 * renames, edits and flips fuses in, with nothing in them that runs.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Marks the fuses in a binary (@electron/fuses), and how they come from the maker: `1` on, `0` off, `r` taken out. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES_AS_MADE = '101100010'

function withFuses(): Buffer {
  const wire = Buffer.from(FUSES_AS_MADE, 'latin1')
  return Buffer.concat([
    Buffer.from('\0before\0'),
    Buffer.from(FUSE_SENTINEL, 'latin1'),
    Buffer.from([1, wire.length]),
    wire,
    Buffer.from('\0after\0'),
  ])
}

type Entry = { type: number | string; id: number | string; lang: number; codepage: number; bin: ArrayBuffer }
/** electron-builder's own editor of Windows programs; the parts that are needed. */
type ResEdit = {
  readonly NtExecutable: {
    createEmpty(is32Bit: boolean, isLibrary: boolean): { generate(): ArrayBuffer }
    from(bytes: Buffer): object
  }
  readonly NtExecutableResource: {
    from(program: object): { readonly entries: Entry[]; outputResource(program: object): void }
  }
  readonly Resource: {
    readonly VersionInfo: {
      createEmpty(): {
        setStringValues(of: { lang: number; codepage: number }, values: Record<string, string>): void
        outputToResourceEntries(entries: Entry[]): void
      }
    }
  }
}

function resEdit(): ResEdit {
  const require = createRequire(import.meta.url)
  return createRequire(createRequire(require.resolve('electron-builder')).resolve('app-builder-lib'))(
    'resedit',
  )
}

/** A Windows program that does nothing: its version, as Electron's has one, and the fuses among its resources. */
function windowsProgram(): Buffer {
  const { NtExecutable, NtExecutableResource, Resource } = resEdit()
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues(
    { lang: 1_033, codepage: 1_200 },
    { ProductName: 'Electron', FileVersion: '45.4.1' },
  )
  version.outputToResourceEntries(resources.entries)
  const fuses = Uint8Array.from(withFuses())
  resources.entries.push({ type: 10, id: 1, lang: 1_033, codepage: 1_200, bin: fuses.buffer })
  resources.outputResource(program)
  return Buffer.from(program.generate())
}

/** Makes it below a folder; answers with what `electronDist` is given. */
export async function makeDummyRuntime(folder: string, system: 'linux' | 'win'): Promise<string> {
  const runtime = join(folder, `runtime-${system}`)
  for (const inside of ['resources', 'locales']) await mkdir(join(runtime, inside), { recursive: true })
  const files: Readonly<Record<string, string | Buffer>> = {
    [system === 'win' ? 'electron.exe' : 'electron']: system === 'win' ? windowsProgram() : withFuses(),
    ...(system === 'linux' && { 'chrome-sandbox': 'sandbox' }),
    LICENSE: 'of Electron',
    'LICENSES.chromium.html': 'of Chromium',
    'locales/en-US.pak': 'words',
    'locales/es.pak': 'palabras',
    'locales/de.pak': 'Wörter',
  }
  for (const [name, content] of Object.entries(files))
    await writeFile(join(runtime, name), content, { mode: 0o755 })
  return runtime
}

/** The checksums of archives that electron-builder has written into a Windows program. */
export async function integrityIn(program: string): Promise<unknown> {
  const { NtExecutable, NtExecutableResource } = resEdit()
  const { entries } = NtExecutableResource.from(NtExecutable.from(await readFile(program)))
  const entry = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR')
  return entry && JSON.parse(Buffer.from(entry.bin).toString('utf8'))
}
