import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  acquireLock,
  classifySecondStart,
  findProcess,
  type LockFacts,
} from '../../../src-main/electron/single-instance.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MINUTE = 60_000
const link = { hostName: 'camera-pc', pid: 4_711, path: '/account/SingletonLock' }
const run = { pid: 4_711, aliveAt: 10 * MINUTE }
const held: LockFacts = { link, hostName: 'camera-pc', holder: 'ours', run, now: 11 * MINUTE }

describe('why a second start is refused', () => {
  it.each<[string, Partial<LockFacts>, object]>([
    ['the first one lives', {}, { kind: 'running' }],
    ['the first one is at its start, and has written nothing yet', { run: null }, { kind: 'running' }],
    ['the first one has been silent for long', { now: 14 * MINUTE }, { kind: 'silent', pid: 4_711 }],
    ['there is no link to read (Windows)', { link: null, holder: 'gone' }, { kind: 'running' }],
    [
      'there is no link to read, and silence',
      { link: null, holder: 'gone', now: 14 * MINUTE },
      { kind: 'silent', pid: 4_711 },
    ],
    ['its process was killed', { holder: 'gone' }, { kind: 'stale' }],
    ['its number was given to another program', { holder: 'anotherProgram' }, { kind: 'stale' }],
    ['another account runs it', { holder: 'otherAccount' }, { kind: 'otherAccount', pid: 4_711 }],
    [
      'this computer has another name since the first one began',
      { hostName: 'dhcp-17' },
      { kind: 'running' },
    ],
    [
      'this computer has another name, and the first one has been silent for long',
      { hostName: 'dhcp-17', now: 14 * MINUTE },
      { kind: 'silent', pid: 4_711 },
    ],
    [
      'another computer runs it, and something of ours has its number here',
      { hostName: 'office-pc', run: { pid: 1, aliveAt: 10 * MINUTE } },
      { kind: 'otherHost', hostName: 'camera-pc', lockPath: '/account/SingletonLock' },
    ],
    [
      'another computer runs it, whatever its number means here',
      { hostName: 'office-pc', holder: 'gone' },
      { kind: 'otherHost', hostName: 'camera-pc', lockPath: '/account/SingletonLock' },
    ],
  ])('%s', (_name, change, expected) => {
    expect(classifySecondStart({ ...held, ...change })).toEqual(expected)
  })
})

describe('the lock', () => {
  it('is asked for in a folder that is there: Electron would else report it as taken', async () => {
    const folder = join(await temporaryFolder(), 'first', 'start')
    const app = { getPath: () => folder, requestSingleInstanceLock: () => existsSync(folder) }
    expect(acquireLock(app)).toEqual({ kind: 'first', note: null })
  })

  it.skipIf(process.platform === 'win32')(
    'that a killed process left behind is removed and taken, and that is noted (symbolic links: not on Windows)',
    async () => {
      const folder = await temporaryFolder()
      symlinkSync(`${hostname()}-${await deadPid()}`, join(folder, 'SingletonLock'))
      symlinkSync('/tmp/nowhere', join(folder, 'SingletonSocket'))
      const app = {
        getPath: () => folder,
        requestSingleInstanceLock: () => !readdirSync(folder).includes('SingletonLock'),
      }
      expect(acquireLock(app)).toEqual({ kind: 'first', note: expect.stringContaining('left behind') })
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('that somebody else takes at that moment stays theirs', async () => {
    const folder = await temporaryFolder()
    symlinkSync(`${hostname()}-${await deadPid()}`, join(folder, 'SingletonLock'))
    const app = { getPath: () => folder, requestSingleInstanceLock: () => false }
    expect(acquireLock(app)).toEqual({ kind: 'second', why: { kind: 'running' } })
  })

  it('of a first instance whose heart has stopped is told as silent, by what it has written down', async () => {
    const folder = await temporaryFolder()
    const dataFolder = join(folder, 'station')
    mkdirSync(dataFolder)
    const startedAt = Date.now() - 60 * MINUTE
    writeFileSync(
      join(folder, 'runs.json'),
      JSON.stringify({ current: { pid: 4_711, startedAt, dataFolder } }),
    )
    const beat = (agoMs: number): void =>
      writeFileSync(
        join(dataFolder, 'heartbeat.json'),
        JSON.stringify({ pid: 4_711, at: new Date(Date.now() - agoMs).toISOString() }),
      )
    const app = { getPath: () => folder, requestSingleInstanceLock: () => false }
    beat(MINUTE)
    expect(acquireLock(app)).toEqual({ kind: 'second', why: { kind: 'running' } })
    beat(5 * MINUTE)
    expect(acquireLock(app)).toEqual({ kind: 'second', why: { kind: 'silent', pid: 4_711 } })
    // What cannot be read says nothing.
    writeFileSync(join(folder, 'runs.json'), '{')
    expect(acquireLock(app)).toEqual({ kind: 'second', why: { kind: 'running' } })
  })
})

describe.skipIf(process.platform !== 'linux')('a process (Linux: elsewhere nobody asks)', () => {
  it('is ours by the name of its program', async () => {
    const program = basename(process.execPath)
    expect(findProcess(process.pid, program)).toBe('ours')
    expect(findProcess(process.pid, 'fundus-courier')).toBe('anotherProgram')
    expect(findProcess(await deadPid(), program)).toBe('gone')
  })
})

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await new Promise((ended) => child.on('close', ended))
  return child.pid ?? 0
}
