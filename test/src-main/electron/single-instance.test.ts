import { spawnSync } from 'node:child_process'
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
import { MINUTE } from '../../../src-shared/durations.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const link = { hostName: 'camera-pc', pid: 4_711, path: '/account/SingletonLock' }
const run = { pid: 4_711, aliveAt: 10 * MINUTE }
const held: LockFacts = { link, hostName: 'camera-pc', holder: 'ours', run, now: 11 * MINUTE }
const LATE = { now: 14 * MINUTE }

const RUNNING = { kind: 'running' }
const SILENT = { kind: 'silent', pid: 4_711 }
const OTHER_HOST = { kind: 'otherHost', hostName: 'camera-pc', lockPath: '/account/SingletonLock' }

describe('why a second start is refused', () => {
  it.each<[string, Partial<LockFacts>, object]>([
    ['the first one lives', {}, RUNNING],
    ['the first one is at its start, and has written nothing yet', { run: null }, RUNNING],
    ['the first one has been silent for long', LATE, SILENT],
    ['there is no link to read (Windows)', { link: null, holder: 'gone' }, RUNNING],
    ['there is no link to read, and silence', { link: null, holder: 'gone', ...LATE }, SILENT],
    ['its process was killed', { holder: 'gone' }, { kind: 'stale' }],
    ['its number belongs to another program now', { holder: 'anotherProgram' }, { kind: 'stale' }],
    ['another account runs it', { holder: 'otherAccount' }, { kind: 'otherAccount', pid: 4_711 }],
    ['this computer was renamed since the first one began', { hostName: 'dhcp-17' }, RUNNING],
    ['this computer was renamed, and the first one is silent', { hostName: 'dhcp-17', ...LATE }, SILENT],
    [
      'another computer runs it, and something of ours has its number here',
      { hostName: 'office-pc', run: { pid: 1, aliveAt: 10 * MINUTE } },
      OTHER_HOST,
    ],
    [
      'another computer runs it, its number is free here',
      { hostName: 'office-pc', holder: 'gone' },
      OTHER_HOST,
    ],
  ])('%s', (_name, change, expected) => {
    expect(classifySecondStart({ ...held, ...change })).toEqual(expected)
  })
})

/** The number of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid

describe('the lock', () => {
  it('is asked for in a folder that is there: Electron would else report it as taken', () => {
    const folder = join(temporaryFolder(), 'first', 'start')
    const app = { getPath: () => folder, requestSingleInstanceLock: () => existsSync(folder) }
    expect(acquireLock(app)).toEqual({ kind: 'first', note: null })
  })

  it.skipIf(process.platform === 'win32')(
    'that a killed process left behind is removed and taken, and that is noted (symbolic links: not on Windows)',
    () => {
      const folder = temporaryFolder()
      symlinkSync(`${hostname()}-${deadPid()}`, join(folder, 'SingletonLock'))
      symlinkSync('/tmp/nowhere', join(folder, 'SingletonSocket'))
      const app = {
        getPath: () => folder,
        requestSingleInstanceLock: () => !readdirSync(folder).includes('SingletonLock'),
      }
      expect(acquireLock(app)).toEqual({ kind: 'first', note: expect.stringContaining('left behind') })
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('that another process takes at that moment stays with it', () => {
    const folder = temporaryFolder()
    symlinkSync(`${hostname()}-${deadPid()}`, join(folder, 'SingletonLock'))
    const app = { getPath: () => folder, requestSingleInstanceLock: () => false }
    expect(acquireLock(app)).toEqual({ kind: 'second', why: RUNNING })
  })

  it('of a first instance whose heartbeat has stopped is reported as silent', () => {
    const folder = temporaryFolder()
    const dataFolder = join(folder, 'station')
    mkdirSync(dataFolder)
    const runs = { current: { pid: 4_711, startedAt: Date.now() - 60 * MINUTE, dataFolder } }
    writeFileSync(join(folder, 'runs.json'), JSON.stringify(runs))
    const why = (silentForMs: number): unknown => {
      const at = new Date(Date.now() - silentForMs).toISOString()
      writeFileSync(join(dataFolder, 'heartbeat.json'), JSON.stringify({ pid: 4_711, at }))
      return acquireLock({ getPath: () => folder, requestSingleInstanceLock: () => false })
    }
    expect(why(MINUTE)).toEqual({ kind: 'second', why: RUNNING })
    expect(why(5 * MINUTE)).toEqual({ kind: 'second', why: SILENT })
    // A file that cannot be read says nothing.
    writeFileSync(join(folder, 'runs.json'), '{')
    expect(why(5 * MINUTE)).toEqual({ kind: 'second', why: RUNNING })
  })
})

it.skipIf(process.platform !== 'linux')('a process is ours by the name of its program (Linux only)', () => {
  const program = basename(process.execPath)
  expect(findProcess(process.pid, program)).toBe('ours')
  expect(findProcess(process.pid, 'fundus-courier')).toBe('anotherProgram')
  expect(findProcess(deadPid(), program)).toBe('gone')
})
