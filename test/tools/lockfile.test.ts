import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { completeLockfile, findMissing, type Lockfile } from '../../tools/lockfile.ts'

const projectFolder = resolve(import.meta.dirname, '../..')
const readJson = (name: string) => JSON.parse(readFileSync(resolve(projectFolder, name), 'utf8'))

describe('our lockfile', () => {
  const lockfile: Lockfile = readJson('package-lock.json')

  it('holds the packages of every system, without which npm ci refuses it on all (node tools/complete-lockfile.ts)', () => {
    expect(findMissing(lockfile)).toEqual([])
  })

  it('names no address to download from, so that it serves behind any registry', () => {
    expect(Object.entries(lockfile.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })

  it('belongs to a package.json that pins every version: an old Node would else get old majors', () => {
    type Manifest = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>
    const { dependencies, devDependencies }: Manifest = readJson('package.json')
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d/.test(version),
    )
    expect(loose).toEqual([])
  })
})

describe('completing a lockfile', () => {
  const lockfile: Lockfile = {
    packages: {
      '': {},
      'node_modules/lint': {
        version: '2.0.0',
        dev: true,
        optionalDependencies: {
          '@lint/linux-x64-gnu': '2.0.0',
          '@lint/linux-arm64-musl': '2.0.0',
          '@lint/win32-x64': '2.0.0',
        },
      },
      'node_modules/@lint/linux-x64-gnu': { version: '2.0.0' },
      'node_modules/a/node_modules/b': {
        version: '1.0.0',
        optionalDependencies: { near: '1.0.0', far: '1.0.0' },
      },
      'node_modules/a/node_modules/near': { version: '1.0.0' },
      'node_modules/far': { version: '1.0.0' },
    },
  }

  it('finds what is missing where Node would look for it', () => {
    expect(findMissing(lockfile).map(({ name }) => name)).toEqual([
      '@lint/linux-arm64-musl',
      '@lint/win32-x64',
    ])
  })

  it('adds each with its system, so that npm fetches it nowhere else, and leaves the rest', () => {
    const { packages } = completeLockfile(lockfile)
    expect(packages['node_modules/@lint/linux-arm64-musl']).toEqual({
      version: '2.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
    })
    expect(packages['node_modules/@lint/win32-x64']).toMatchObject({ os: ['win32'], cpu: ['x64'] })
    expect(packages).toMatchObject(lockfile.packages)
    expect(findMissing({ packages })).toEqual([])
  })

  it('refuses to guess a version', () => {
    const loose = { packages: { 'node_modules/a': { optionalDependencies: { b: '^1.0.0' } } } }
    expect(() => completeLockfile(loose)).toThrow('b@^1.0.0')
  })
})
