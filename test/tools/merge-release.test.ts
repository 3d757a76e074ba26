import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readUpdateList } from '../../tools/update-list.ts'
import { temporaryFolder } from './temporary-folder.ts'

const sha = (algorithm: string, text: string, encoding: 'hex' | 'base64'): string =>
  createHash(algorithm).update(text).digest(encoding)

const sumsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split('  ').toReversed()),
  )

/** As one computer packs: the files by name with their content, and a list that names some of them. */
function pack(
  from: string,
  system: string,
  packed: {
    readonly files: readonly string[]
    /** Null for a system that writes no list. */
    readonly list: string | null
    readonly version?: string
    readonly listed?: readonly string[]
  },
): void {
  const folder = join(from, system)
  mkdirSync(join(folder, 'notices'), { recursive: true })
  writeFileSync(join(folder, 'notices', 'licenses.txt'), system)
  for (const file of packed.files) writeFileSync(join(folder, file), `${system} ${file}`)
  const files = (packed.listed ?? packed.files).map((url) => ({
    url,
    sha512: sha('sha512', `${system} ${url}`, 'base64'),
  }))
  const list = {
    version: packed.version ?? '1.4.0',
    files,
    path: files[0]?.url ?? '',
    sha512: files[0]?.sha512 ?? '',
    vendor: { outboxSchema: 4 },
    releaseDate: `2026-11-20T0${system.length % 10}:00:00.000Z`,
  }
  if (packed.list !== null) writeFileSync(join(folder, packed.list), JSON.stringify(list))
  const lines = [...packed.files, ...(packed.list === null ? [] : [packed.list])].map(
    (file) => `${sha('sha256', readFileSync(join(folder, file), 'utf8'), 'hex')}  ${file}`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), `${lines.join('\n')}\n`)
}

const mac = { files: ['app-mac.dmg', 'app-mac.zip'], listed: ['app-mac.zip'], list: 'latest-mac.yml' }
const windows = { files: ['app-setup.exe'], list: 'latest.yml' }
const linux = { files: ['app-linux.deb'], list: null }

async function merge(from: string, to: string): Promise<string> {
  const script = resolve(import.meta.dirname, '../../tools/merge-release.ts')
  return promisify(execFile)(process.execPath, [script, from, to]).then(
    () => 'copied',
    (error: unknown) => (error as { stderr: string }).stderr,
  )
}

function folders(): { readonly from: string; readonly to: string } {
  const folder = temporaryFolder()
  return { from: join(folder, 'packed'), to: join(folder, 'feed') }
}

describe('a release', () => {
  it('that was packed on three computers is one feed: nothing of it covers anything else', async () => {
    const { from, to } = folders()
    pack(from, 'macos-arm64', mac)
    pack(from, 'linux-x64', linux)
    pack(from, 'windows-x64', windows)
    expect(await merge(from, to)).toBe('copied')

    const list = readUpdateList(readFileSync(join(to, 'latest-mac.yml'), 'utf8'))
    expect(list).toMatchObject({ version: '1.4.0', path: 'app-mac.zip', vendor: { outboxSchema: 4 } })

    const sums = sumsOf(readFileSync(join(to, 'SHA256SUMS'), 'utf8'))
    const copied = readdirSync(to).filter((name) => !['notices', 'SHA256SUMS'].includes(name))
    expect(copied).toHaveLength(6)
    expect(Object.keys(sums).toSorted()).toEqual(copied.toSorted())
    for (const name of copied)
      expect(sums[name]).toBe(sha('sha256', readFileSync(join(to, name), 'utf8'), 'hex'))
    for (const system of readdirSync(from))
      expect(readFileSync(join(to, 'notices', system, 'licenses.txt'), 'utf8')).toBe(system)
  })

  const cutFile = (from: string): void => {
    pack(from, 'linux-x64', linux)
    writeFileSync(join(from, 'linux-x64', 'app-linux.deb'), 'cut')
  }
  const packTwo = (from: string, system: string, other: Parameters<typeof pack>[2]): void => {
    pack(from, 'macos-arm64', mac)
    pack(from, system, other)
  }

  it.each<[string, (from: string) => void, string]>([
    [
      'of two versions',
      (from) => packTwo(from, 'windows-x64', { ...windows, version: '1.3.0' }),
      'one release',
    ],
    ['in which two files have one name', (from) => packTwo(from, 'macos-x64', mac), 'EEXIST'],
    ['with a damaged file', cutFile, 'app-linux.deb is not what its checksum says'],
    [
      'whose list names only a package that stations do not take',
      (from) => pack(from, 'macos-arm64', { ...mac, listed: ['app-mac.dmg'] }),
      'latest-mac.yml names no .zip',
    ],
  ])('%s is refused', async (_name, prepare, because) => {
    const { from, to } = folders()
    prepare(from)
    expect(await merge(from, to)).toContain(because)
  })
})
