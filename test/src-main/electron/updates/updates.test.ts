import { describe, expect, it } from 'vitest'
import type { Offer } from '../../../../src-main/electron/updates/feed.ts'
import { createUpdates, type UpdateOptions } from '../../../../src-main/electron/updates/updates.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { statusWith } from '../status-with.ts'

const FEED = { kind: 'feed', url: 'https://updates.example/' } as const
const OFF = { kind: 'off', why: 'setOff' } as const
const offered = (version: string, outboxSchema = 4): Offer => ({ version, vendor: { outboxSchema } })
const FETCHED = ['check https://updates.example/', 'fetch']

/** Updates of an app whose station, disk and feed do as `world` says, and what they did. */
function updatesWith(options: Partial<UpdateOptions> = {}) {
  const clock = new ManualClock()
  const done: string[] = []
  const world = {
    offer: offered('0.2.0') as Offer | null | Error,
    fetchError: null as Error | null,
    sending: 0,
    isPersonThere: false,
    isSafe: false,
    canBackUp: true,
    canNote: true,
    onCheck: (): void => undefined,
    onBackUp: (): void => undefined,
  }
  const succeedOr = async (error: Error | null): Promise<void> => {
    if (error !== null) throw error
  }
  const updates = createUpdates({
    clock,
    logger: createRecordingLogger(),
    ourOutboxSchema: 4,
    program: () =>
      Promise.resolve({
        check: (feed) => {
          done.push(`check ${feed}`)
          world.onCheck()
          return world.offer instanceof Error ? Promise.reject(world.offer) : Promise.resolve(world.offer)
        },
        fetch: () => {
          done.push('fetch')
          return succeedOr(world.fetchError)
        },
        install: () => {
          done.push('install')
          return Promise.resolve()
        },
      }),
    saveNote: (version) => {
      done.push(version === null ? 'remove the note' : `note ${version}`)
      return succeedOr(world.canNote || version === null ? null : new Error('EIO'))
    },
    rights: 'enough',
    isPersonThere: () => world.isPersonThere,
    failedVersion: null,
    ...options,
  })
  updates.attach({
    station: {
      handlers: {
        'station.status': () => Promise.resolve(succeed(statusWith({ counts: { sending: world.sending } }))),
      },
      backUp: () => {
        done.push('back up')
        world.onBackUp()
        const failure = failureOf('storage', { message: 'no copy' })
        return Promise.resolve(world.canBackUp ? succeed('copy') : fail(failure))
      },
    },
    isSafe: () => world.isSafe,
    end: () => {
      done.push('end')
      return updates.installAtEnd()
    },
    restart: () => done.push('restart'),
  })
  /** Follows the feed until its first check is over. */
  const follow = (wanted: 'quietMoment' | 'byHand' = 'quietMoment'): Promise<void> => {
    updates.follow(wanted, FEED)
    return clock.turn(5 * MINUTE)
  }
  return { clock, done, world, updates, follow, state: () => updates.state() }
}

describe('updates', () => {
  it('are fetched automatically and installed at the next quiet moment, after a backup of the outbox', async () => {
    const { clock, done, follow, world, state } = updatesWith()
    world.sending = 1
    await follow()
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', waitsFor: 'sending', trouble: null })
    await clock.turn(10 * MINUTE)
    expect(done).toEqual(FETCHED)
    world.sending = 0
    await clock.turn(30 * SECOND)
    expect(done).toEqual([...FETCHED, 'back up', 'note 0.2.0', 'end', 'install'])
  })

  it.each([
    ['if a case begins to leave', { sending: 1 }, { kind: 'ready', waitsFor: 'sending' }],
    ['if they are switched off', 'off', OFF],
  ] as const)('end nothing %s during the backup', async (_when, change, expected) => {
    const { done, follow, updates, world, state } = updatesWith()
    world.onBackUp = () =>
      change === 'off' ? updates.follow('quietMoment', OFF) : void Object.assign(world, change)
    await follow()
    expect(state()).toMatchObject(expected)
    expect(done).not.toContain('end')
    // The next start must not take it for a failed one.
    expect(done.at(-1)).toBe('remove the note')
  })

  it.each([
    ['without a backup', 'canBackUp', 'notBackedUp'],
    ['if a failed one could not be recognized', 'canNote', 'notNoted'],
  ] as const)('are not installed %s, say so, and are tried again in an hour', async (_name, can, trouble) => {
    const { clock, done, follow, world, state } = updatesWith()
    world[can] = false
    await follow()
    expect(state()).toMatchObject({ kind: 'ready', trouble })
    await clock.turn(59 * MINUTE)
    expect(done.filter((what) => what === 'back up')).toHaveLength(1)
    expect(done).not.toContain('end')
    world[can] = true
    await clock.turn(2 * MINUTE)
    expect(done.at(-1)).toBe('install')
  })

  it('wait for a person at the computer, and for an editor, until each is left', async () => {
    const { clock, done, follow, updates, world, state } = updatesWith()
    world.isPersonThere = true
    await follow()
    expect(state()).toMatchObject({ waitsFor: 'person' })
    world.isPersonThere = false
    updates.postpone(90)
    await clock.turn(30 * SECOND)
    expect(state()).toMatchObject({ waitsFor: 'editor' })
    await clock.turn(2 * MINUTE)
    expect(done.at(-1)).toBe('install')
  })

  it('are installed when a person asks, as soon as nothing is being sent', async () => {
    const { clock, done, follow, updates, world, state } = updatesWith()
    await follow('byHand')
    expect(state()).toMatchObject({ waitsFor: 'word' })
    await clock.turn(5 * HOUR)
    expect(done).not.toContain('end')
    world.sending = 1
    updates.install()
    await clock.settle()
    expect(state()).toMatchObject({ waitsFor: 'sending' })
    world.sending = 0
    await clock.turn(30 * SECOND)
    expect(done.slice(-2)).toEqual(['end', 'install'])
  })

  it('do not end a safe mode, which would come back working', async () => {
    const { clock, done, follow, world, state } = updatesWith()
    world.isSafe = true
    await follow()
    await clock.turn(DAY)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'word' })
    expect(done).not.toContain('end')
  })

  it('that only an administrator may install are neither fetched nor begun, whatever is asked', async () => {
    const { clock, done, follow, updates, state } = updatesWith({ rights: 'administrator' })
    await follow()
    updates.install()
    await clock.turn(DAY)
    await updates.installAtEnd()
    expect(state()).toMatchObject({ kind: 'refused', why: 'administrator' })
    expect(done.filter((what) => /^(fetch|end|install)/.test(what))).toEqual([])
  })

  it.each([
    ['ERR_CHECKSUM_MISMATCH', 'damaged'],
    ['ENOSPC', 'noSpace'],
  ])('that fail by %s say so, and are fetched again', async (code, trouble) => {
    const { clock, done, follow, world, state } = updatesWith()
    world.fetchError = Object.assign(new Error('no'), { code })
    await follow()
    expect(state()).toEqual({ kind: 'current', lookedAt: null, trouble })
    expect(done).toEqual(FETCHED)
    world.fetchError = null
    await clock.turn(6 * HOUR)
    expect(done.at(-1)).toBe('install')
  })

  it('are checked for when a person asks, and no answer is not taken for none', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    world.offer = null
    updates.follow('quietMoment', FEED)
    await updates.check()
    expect(state()).toEqual({ kind: 'current', lookedAt: clock.now(), trouble: null })
    world.offer = new Error('net::ERR_INTERNET_DISCONNECTED')
    await updates.check()
    expect(state()).toMatchObject({ kind: 'current', trouble: 'unreachable' })
    expect(done).toHaveLength(2)
  })

  it('that failed before are not tried again on their own, but when a person asks', async () => {
    const { clock, done, follow, updates, state } = updatesWith({ failedVersion: '0.2.0' })
    await follow()
    await clock.turn(DAY)
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', waitsFor: 'word', trouble: 'notInstalled' })
    expect(done).not.toContain('end')
    updates.install()
    await clock.settle()
    expect(done.at(-1)).toBe('install')
  })

  it('that are switched off are not checked for, and begin again when they are switched on', async () => {
    const { clock, done, follow, updates, state } = updatesWith()
    updates.follow('off', OFF)
    await updates.check()
    await clock.turn(DAY)
    expect(state()).toEqual(OFF)
    expect(done).toEqual([])
    await follow()
    expect(done.at(-1)).toBe('install')
  })
})

it.each([
  ['quietMoment', true, false],
  ['quietMoment', true, true],
  ['byHand', true, false],
  ['quietMoment', false, false],
] as const)(
  'the moment to install is never while a case is being sent, whatever else is true: %s, asked %s, safe %s',
  async (wanted, isAsked, isSafe) => {
    const { clock, done, follow, updates, world, state } = updatesWith()
    Object.assign(world, { sending: 1, isSafe, isPersonThere: isAsked })
    await follow(wanted)
    if (isAsked) {
      updates.postpone(600)
      updates.install()
    }
    await clock.turn(MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'sending' })
    expect(done).not.toContain('end')
    world.sending = 0
    await clock.turn(30 * SECOND)
    // A request holds beside an editor and a person.
    expect(done.at(-1)).toBe('install')
  },
)

describe('an update that is ready', () => {
  /** Version 0.2.0, which waits for the person at the computer. */
  async function ready() {
    const made = updatesWith()
    made.world.isPersonThere = true
    await made.follow()
    expect(made.state()).toMatchObject({ kind: 'ready', version: '0.2.0' })
    made.done.length = 0
    return made
  }

  it('is not installed when the app ends for another reason', async () => {
    const { done, updates } = await ready()
    await updates.installAtEnd()
    expect(done).toEqual([])
  })

  it.each([
    ['none', null, { kind: 'current', trouble: null }],
    ['one that could not read the cases that wait', offered('0.3.0', 3), { kind: 'refused' }],
  ])('is not installed any more once its feed offers %s', async (_what, offer, expected) => {
    const { clock, done, world, state } = await ready()
    world.offer = offer
    await clock.turn(6 * HOUR)
    expect(state()).toMatchObject(expected)
    world.isPersonThere = false
    await clock.turn(HOUR)
    expect(done).not.toContain('end')
  })

  it('is replaced by the one that its feed offers now, and a request is not carried over', async () => {
    const { clock, done, world, updates, state } = await ready()
    world.sending = 1
    updates.install()
    world.offer = offered('0.3.0')
    await clock.turn(6 * HOUR)
    world.sending = 0
    await clock.turn(MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', version: '0.3.0', waitsFor: 'person' })
    world.isPersonThere = false
    await clock.turn(30 * SECOND)
    expect(done.slice(1)).toEqual(['fetch', 'back up', 'note 0.3.0', 'end', 'install'])
  })

  it.each([
    ['it is still offered', offered('0.2.0')],
    ['its feed cannot be read', new Error('offline')],
  ])('stays ready, and is not fetched again, if %s', async (_what, offer) => {
    const { clock, done, world, state } = await ready()
    world.offer = offer
    await clock.turn(13 * HOUR)
    expect(state()).toMatchObject({ kind: 'ready', version: '0.2.0', trouble: null })
    expect(done).not.toContain('fetch')
  })

  it('does not come back by an answer that arrives after updates were switched off', async () => {
    const { clock, done, world, updates, state } = await ready()
    world.onCheck = () => updates.follow('off', OFF)
    world.offer = offered('0.3.0')
    await clock.turn(6 * HOUR)
    expect(state()).toEqual(OFF)
    expect(done).not.toContain('fetch')
  })
})
