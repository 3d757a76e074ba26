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
    }).filter(([, version]) => !/^\d/.test(version))
    expect(loose).toEqual([])
  })
})

describe('a lockfile with a fault', () => {
  const sound = { version: '2.0.0', integrity: 'sha512-AAAA' }
  const lint = { ...sound, optionalDependencies: { '@lint/linux-x64': '2.0.0', '@lint/win32-x64': '2.0.0' } }

  const faultsOf = (packages: Lockfile['packages']): readonly string[] => findLockfileFaults({ packages })

  it('lacks the package of another system', () => {
    expect(faultsOf({ '': {}, 'node_modules/lint': lint, 'node_modules/@lint/linux-x64': sound })).toEqual([
      '@lint/win32-x64 2.0.0 is missing, which node_modules/lint asks for',
    ])
  })

  it('may hold a package wherever Node looks for it', () => {
    const asks = { ...sound, optionalDependencies: { near: '1.0.0', far: '1.0.0' } }
    expect(
      faultsOf({
        'node_modules/a/node_modules/b': asks,
        'node_modules/a/node_modules/near': sound,
        'node_modules/far': sound,
      }),
    ).toEqual([])
  })

  it('has no checksum, or one that is too weak', () => {
    expect(faultsOf({ 'node_modules/a': { version: '1.0.0' } })).toEqual([
      'node_modules/a has no SHA-512 checksum',
    ])
    expect(faultsOf({ 'node_modules/a': { version: '1.0.0', integrity: 'sha1-AAAA' } })).toHaveLength(1)
  })

  it('names where a package came from', () => {
    expect(
      faultsOf({ 'node_modules/a': { ...sound, resolved: 'https://registry.example/a-2.0.0.tgz' } }),
    ).toEqual(['node_modules/a names the address that it was downloaded from'])
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
