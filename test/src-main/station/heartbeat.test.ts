import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { gapBetween, openHeartbeat, openWhenFree, workIn } from '../../../src-main/station/heartbeat.ts'
import { openStation } from '../../../src-main/station/station.ts'
import type { Mode } from '../../../src-shared/station-status.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { countsOf } from '../../src-renderer/synthetic-submission.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { started } from './started.ts'

const WORK = { needPerson: 3, waiting: 2, offers: 1 }

function open(dataFolder: string) {
  const clock = new ManualClock()
  const ports = stationPorts({ clock })
  const state: { mode: Mode; work: () => typeof WORK } = { mode: { kind: 'running' }, work: () => WORK }
  const woken = { count: 0 }
  const heartbeat = openHeartbeat({
    dataFolder,
    ports,
    mode: () => state.mode,
    work: () => state.work(),
    disk: Promise.resolve('encrypted'),
    wakeUp: () => (woken.count += 1),
  })
  const read = (): unknown => JSON.parse(readFileSync(join(dataFolder, 'heartbeat.json'), 'utf8'))
  return { clock, logger: ports.logger, state, heartbeat, read, woken }
}

it('says every minute that the station lives and how it is, and at a clean end that it has stopped', async () => {
  const dataFolder = temporaryFolder()
  const { clock, state, heartbeat, read } = open(dataFolder)
  const always = {
    pid: process.pid,
    host: 'headless',
    version: '0.0.0-test',
    startedAt: '2026-11-20T09:00:00.000Z',
  }
  await clock.settle()
  expect(read()).toEqual({
    ...always,
    at: '2026-11-20T09:00:00.000Z',
    mode: 'running',
    ...WORK,
    disk: 'unknown',
  })
  state.mode = { kind: 'paused', why: 'safeMode', until: null }
  await clock.turn(MINUTE)
  expect(read()).toEqual({
    ...always,
    at: '2026-11-20T09:01:00.000Z',
    mode: 'paused',
    why: 'safeMode',
    ...WORK,
    disk: 'encrypted',
  })
  await heartbeat.close()
  await clock.turn(5 * MINUTE)
  expect(read()).toEqual({ ...always, at: '2026-11-20T09:01:00.000Z', mode: 'stopped', disk: 'encrypted' })
  expect(readdirSync(dataFolder)).toEqual(['heartbeat.json'])
})

it('counts the cases that wait for a person, those that wait for their turn, and the offers', () => {
  const counts = countsOf({ incomplete: 1, review: 2, unconfirmed: 3, refused: 4, waiting: 5, sent: 6 })
  const names = [
    { path: '/one', offers: 1, unconfirmed: 7 },
    { path: '/two', offers: 2, unconfirmed: 0 },
  ]
  expect(workIn({ counts, names })).toEqual({ needPerson: 10, waiting: 5, offers: 3 })
})

it('lives on without numbers if the outbox cannot be read', async () => {
  const { clock, state, heartbeat, read } = open(temporaryFolder())
  state.work = () => {
    throw new Error('unreadable')
  }
  await clock.turn(MINUTE)
  expect(read()).toMatchObject({ at: '2026-11-20T09:01:00.000Z', mode: 'running' })
  expect(read()).not.toHaveProperty('offers')
  await heartbeat.close()
})

it('stops no station if it cannot be written, says so once, and beats again later', async () => {
  const dataFolder = temporaryFolder()
  mkdirSync(join(dataFolder, 'heartbeat.json.tmp'))
  const { clock, logger, heartbeat, read } = open(dataFolder)
  await clock.turn(3 * MINUTE)
  expect(logger.lines.map(({ message }) => message)).toEqual(['the heartbeat could not be written'])
  rmSync(join(dataFolder, 'heartbeat.json.tmp'), { recursive: true })
  await clock.turn(MINUTE)
  expect(read()).toMatchObject({ at: '2026-11-20T09:04:00.000Z' })
  await heartbeat.close()
})

it('says that the station has stopped, even if a part of it cannot be closed', async () => {
  const dataFolder = temporaryFolder()
  const clock = new ManualClock()
  const { after } = clock
  // The timer at the end of this pause cannot be canceled, so that closing the pause fails.
  clock.after = (delayMs, run) => {
    const cancel = after(delayMs, run)
    if (delayMs !== 7 * MINUTE) return cancel
    return () => {
      throw new Error('not canceled')
    }
  }
  const ports = stationPorts({ clock })
  const station = await openStation({ dataFolder, config: null, ports })
  await answerCall(station.handlers, ports.logger, 'station.pause', { seconds: 420 })
  await expect(station.stop()).rejects.toThrow('not canceled')
  const heartbeat: unknown = JSON.parse(readFileSync(join(dataFolder, 'heartbeat.json'), 'utf8'))
  expect(heartbeat).toMatchObject({ mode: 'stopped' })
})

describe('time between two checks', () => {
  it.each([
    ['an ordinary check', 15 * SECOND, 15 * SECOND, 'none'],
    ['a busy machine', 40 * SECOND, 40 * SECOND, 'none'],
    ['a clock that is being adjusted', 16 * SECOND, 15 * SECOND, 'none'],
    ['a sleep in which the monotonic clock stood still (Linux, macOS)', HOUR, 15 * SECOND, 'stoodStill'],
    ['a sleep in which it went on (Windows)', HOUR, HOUR, 'stoodStill'],
    ['a process that stood still while the clock was set back', 0, MINUTE, 'stoodStill'],
    ['a clock set back', -HOUR, 15 * SECOND, 'clockSetBack'],
    ['a clock set back by less than matters', -10 * SECOND, 15 * SECOND, 'none'],
  ] as const)('%s', (_name, wall, monotonic, gap) => {
    const before = { wallMs: 1_000_000, monotonicMs: 5_000 }
    const now = { wallMs: before.wallMs + wall, monotonicMs: before.monotonicMs + monotonic }
    expect(gapBetween(before, now)).toBe(gap)
  })
})

it('wakes the station once after each gap, and not any more once it ends', async () => {
  const { clock, logger, heartbeat, woken } = open(temporaryFolder())
  await clock.turn(10 * MINUTE)
  expect(woken.count).toBe(0)
  clock.set(8 * HOUR)
  await clock.turn(MINUTE)
  clock.set(-HOUR)
  await clock.turn(MINUTE)
  expect(woken.count).toBe(2)
  expect(logger.lines.map(({ facts }) => facts['gap'])).toEqual(['stoodStill', 'clockSetBack'])
  heartbeat.stop()
  clock.set(8 * HOUR)
  await clock.turn(10 * MINUTE)
  expect(woken.count).toBe(2)
  await heartbeat.close()
  expect(clock.timerCount).toBe(0)
})

it('a station that slept without a report of the system goes on with all that waits within seconds', async () => {
  const dataFolder = temporaryFolder()
  const clock = new ManualClock()
  const service = { baseUrl: 'http://127.0.0.1:9/', clientId: 'c', clientSecret: 's' }
  const { logger, answer: ask } = await started({ service }, { dataFolder, clock })
  await ask('station.pause', { seconds: 900 })
  await clock.turn(15 * SECOND)
  expect(await ask('station.status')).toMatchObject({ value: { mode: { why: 'person' } } })

  // The lid is closed for an hour: the wall goes on, no timer does.
  clock.set(HOUR)
  await clock.turn(15 * SECOND)
  expect(await ask('station.status')).toMatchObject({ value: { mode: { kind: 'running' } } })
  expect(logger.lines.map(({ message }) => message)).toContain('time has passed without this station')
  // A tool that watches it sees at once that it is back.
  const { at } = JSON.parse(readFileSync(join(dataFolder, 'heartbeat.json'), 'utf8')) as { at: string }
  expect(clock.now() - Date.parse(at)).toBeLessThanOrEqual(15 * SECOND)
})

describe('an outbox that another program holds', () => {
  const coded = (code: string): Error => Object.assign(new Error(code), { code })
  const DEAD = 2 ** 22 - 3

  /** Opens one that is held for so long, beside this heartbeat. */
  function openingFor(heldMs: number, code: string, heartbeat?: object) {
    const dataFolder = temporaryFolder()
    const clock = new ManualClock()
    const startMs = clock.monotonicMs()
    if (heartbeat !== undefined) {
      const at = new Date(clock.now()).toISOString()
      writeFileSync(join(dataFolder, 'heartbeat.json'), JSON.stringify({ at, mode: 'running', ...heartbeat }))
    }
    const open = (): Promise<string> => {
      if (clock.monotonicMs() - startMs < heldMs) return Promise.reject(coded(code))
      return Promise.resolve('open')
    }
    const outcome = openWhenFree(open, { dataFolder, clock }).catch((error: Error) => error.message)
    return { clock, outcome }
  }

  it.each([
    ['for three seconds', 'SQLITE_BUSY', 3 * SECOND, undefined],
    ['for half a minute', 'EBUSY', 30 * SECOND, undefined],
    ['while a station ends', 'SQLITE_BUSY', 5 * SECOND, { pid: process.pid, mode: 'stopping' }],
    ['beside the heartbeat of a killed station', 'SQLITE_BUSY_RECOVERY', 10 * SECOND, { pid: DEAD }],
    [
      'beside an old heartbeat',
      'SQLITE_LOCKED',
      10 * SECOND,
      { pid: process.pid, at: '2026-11-20T08:50:00.000Z' },
    ],
    ['beside a heartbeat that is none', 'SQLITE_BUSY', 10 * SECOND, { pid: 'x' }],
  ])('%s (%s) is waited for', async (_, code, heldMs, heartbeat) => {
    const { clock, outcome } = openingFor(heldMs, code, heartbeat)
    await clock.turn(heldMs)
    expect(await outcome).toBe('open')
  })

  it('for longer is refused as held by another program, which is true', async () => {
    const { clock, outcome } = openingFor(HOUR, 'SQLITE_BUSY')
    await clock.turn(31 * SECOND)
    expect(await outcome).toMatch(/Another program, such as a virus scanner/)
  })

  it('that is a station at work is refused at once, and said so; any other error is passed on', async () => {
    const { outcome } = openingFor(HOUR, 'SQLITE_BUSY', { pid: process.pid })
    expect(await outcome).toMatch(/Another Fundus Courier uses/)
    expect(await openingFor(HOUR, 'SQLITE_CORRUPT').outcome).toBe('SQLITE_CORRUPT')
  })
})
