import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLockfileFaults, type Lockfile } from '../../tools/lockfile.ts'
import { temporaryFolder } from './temporary-folder.ts'

const projectFolder = resolve(import.meta.dirname, '../..')
const readJson = (name: string) => JSON.parse(readFileSync(resolve(projectFolder, name), 'utf8'))

describe('our lockfile', () => {
  const lockfile: Lockfile = readJson('package-lock.json')

  it('holds the packages of every system with their checksums, and names no address', () => {
    expect(findLockfileFaults(lockfile)).toEqual([])
  })

  it('belongs to a package.json that pins every version: an old Node would else get old majors', () => {
    type Kind = 'dependencies' | 'devDependencies' | 'optionalDependencies' | 'overrides'
    const manifest: Readonly<Record<Kind, Readonly<Record<string, string>>>> = readJson('package.json')
    const { dependencies, devDependencies, optionalDependencies, overrides } = manifest
    const loose = Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...overrides,
    }).filter(([, version]) => !/^(?:npm:[a-z-]+@)?\d/.test(version))
    expect(loose).toEqual([])
  })
})

describe('a lockfile with a fault', () => {
  const sound = { version: '2.0.0', integrity: 'sha512-AAAA' }
  const lint = { ...sound, optionalDependencies: { '@lint/linux-x64': '2.0.0', '@lint/win32-x64': '2.0.0' } }
  const asks = { ...sound, optionalDependencies: { near: '1.0.0', far: '1.0.0' } }
  const near = { 'node_modules/a/node_modules/b': asks, 'node_modules/a/node_modules/near': sound }
  const resolved = 'https://registry.example/a-2.0.0.tgz'

  it.each<[string, Lockfile['packages'], readonly string[]]>([
    [
      'lacks the package of another system',
      { '': {}, 'node_modules/lint': lint, 'node_modules/@lint/linux-x64': sound },
      ['@lint/win32-x64 2.0.0 is missing, which node_modules/lint asks for'],
    ],
    ['may hold a package wherever Node looks for it', { ...near, 'node_modules/far': sound }, []],
    [
      'has no checksum',
      { 'node_modules/a': { version: '1.0.0' } },
      ['node_modules/a has no SHA-512 checksum'],
    ],
    [
      'has a checksum that is too weak',
      { 'node_modules/a': { version: '1.0.0', integrity: 'sha1-AAAA' } },
      ['node_modules/a has no SHA-512 checksum'],
    ],
    [
      'names the source of a package',
      { 'node_modules/a': { ...sound, resolved } },
      ['node_modules/a names the address that it was downloaded from'],
    ],
  ])('%s', (_what, packages, faults) => {
    expect(findLockfileFaults({ packages })).toEqual(faults)
  })

  it('fails the check', () => {
    const path = join(temporaryFolder(), 'package-lock.json')
    writeFileSync(path, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))
    const check = spawnSync(process.execPath, [join(projectFolder, 'tools/check-lockfile.ts'), path])
    expect(check.stdout.toString()).toContain('node_modules/a has no SHA-512 checksum')
    expect(check.status).toBe(1)
  })
})

describe('installing', () => {
  it('runs no script of a package, so that nothing is compiled or fetched from elsewhere', () => {
    expect(readFileSync(resolve(projectFolder, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
  })
})
