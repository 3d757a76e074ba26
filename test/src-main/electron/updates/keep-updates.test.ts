import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, succeed } from '../../../../src-shared/result.ts'
import type { UpdateState } from '../../../../src-shared/updates.ts'
import { keepUpdates } from '../../../../src-main/electron/updates/keep-updates.ts'
import type { UpdateOptions } from '../../../../src-main/electron/updates/kept-updates.ts'
import type { Offer } from '../../../../src-main/electron/updates/judge-offer.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { recordingLogger } from '../recording-logger.ts'

const FEED = { kind: 'feed', url: 'https://updates.example/' } as const
const NEWER: Offer = { version: '0.2.0', outboxSchema: 4 }

function scene(options: Partial<UpdateOptions> = {}) {
  const clock = new ManualClock()
  const done: string[] = []
  const world = {
    offer: NEWER as Offer | null | Error,
    fetched: null as Error | null,
    sending: 0,
    isPersonThere: false,
    canBackUp: true,
    installs: true,
    canNote: true,
    onBackUp: (): void => undefined,
  }
  const updates = keepUpdates({
    clock,
    logger: recordingLogger(),
    ourOutboxSchema: 4,
    program: () =>
      Promise.resolve({
        look: (feed) => {
          done.push(`look at ${feed}`)
          return world.offer instanceof Error ? Promise.reject(world.offer) : Promise.resolve(world.offer)
        },
        fetch: (onProgress) => {
          done.push('fetch')
          onProgress(50)
          return world.fetched === null ? Promise.resolve() : Promise.reject(world.fetched)
        },
        install: (after) => {
          done.push(`install and ${after}`)
          return world.installs ? Promise.resolve() : Promise.reject(new Error('EACCES'))
        },
      }),
    comeBack: () => done.push('come back'),
    note: (version) => {
      done.push(`note ${version}`)
      return Promise.resolve(world.canNote ? 'noted' : 'not')
    },
    forgetNote: () => {
      done.push('forget the note')
      return Promise.resolve()
    },
    rights: 'enough',
    isPersonThere: () => world.isPersonThere,
    triedInVain: null,
    endFor: async (version) => {
      done.push(`end for ${version}`)
      await updates.atEnd('other')
    },
    ...options,
  })
  updates.serve({
    sending: () => Promise.resolve(world.sending),
    backUp: () => {
      done.push('back up')
      world.onBackUp()
      return Promise.resolve(
        world.canBackUp ? succeed('copy') : fail(failureOf('storage', { message: 'no copy' })),
      )
    },
  })
  const state = (): UpdateState => updates.state()
  return { clock, done, world, updates, state }
}

const LOOKED = ['look at https://updates.example/', 'fetch']

describe('updates', () => {
  it('are fetched by themselves and installed at the next quiet moment, after a copy of the outbox', async () => {
    const { clock, done, updates, world, state } = scene()
    world.sending = 1
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', waitsFor: 'sending', trouble: null })
    await clock.turn(10 * MINUTE)
    expect(done.filter((what) => what.startsWith('install'))).toEqual([])
    world.sending = 0
    await clock.turn(30 * SECOND)
    expect(done.filter((what) => what !== 'back up')).toEqual([
      ...LOOKED,
      'note 0.2.0',
      'end for 0.2.0',
      'install and restart',
    ])
    expect(done.slice(-4)).toEqual(['back up', 'note 0.2.0', 'end for 0.2.0', 'install and restart'])
  })

  it('wait where a case begins to leave while the outbox is copied', async () => {
    const { clock, done, updates, world, state } = scene()
    world.onBackUp = () => {
      world.sending = 1
    }
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'sending' })
    expect(done).not.toContain('end for 0.2.0')
    // The next start must not take it for one that came to nothing.
    expect(done.at(-1)).toBe('forget the note')
  })

  it('that are switched off while the outbox is copied end nothing, and stay off', async () => {
    const { clock, done, updates, world, state } = scene()
    world.onBackUp = () => updates.follow('quietMoment', { kind: 'off', why: 'setOff' })
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toEqual({ kind: 'off', why: 'setOff' })
    expect(done).not.toContain('end for 0.2.0')
    expect(done.at(-1)).toBe('forget the note')
  })

  it('are not installed where the next start could not be told how this one was made', async () => {
    const { clock, done, updates, world, state } = scene()
    world.canNote = false
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', trouble: 'notNoted' })
    await clock.turn(59 * MINUTE)
    expect(done.filter((what) => what === 'note 0.2.0')).toHaveLength(1)
    expect(done).not.toContain('end for 0.2.0')
    world.canNote = true
    await clock.turn(2 * MINUTE)
    expect(done.at(-1)).toBe('install and restart')
  })

  it('are not installed without a copy, and say so', async () => {
    const { clock, done, updates, world, state } = scene()
    world.canBackUp = false
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', trouble: 'notBackedUp' })
    await clock.turn(59 * MINUTE)
    expect(done.filter((what) => what === 'back up')).toHaveLength(1)
    expect(done).not.toContain('end for 0.2.0')
    world.canBackUp = true
    await clock.turn(2 * MINUTE)
    expect(done.at(-1)).toBe('install and restart')
  })

  it('wait for who is at the computer, and for an editor, until each is left', async () => {
    const { clock, done, updates, world, state } = scene()
    world.isPersonThere = true
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ waitsFor: 'person' })
    world.isPersonThere = false
    updates.holdOff(90)
    await clock.turn(30 * SECOND)
    expect(state()).toMatchObject({ waitsFor: 'editor' })
    await clock.turn(2 * MINUTE)
    expect(done.at(-1)).toBe('install and restart')
  })

  it('are installed at a person’s word as soon as nothing is being sent', async () => {
    const { clock, done, updates, world, state } = scene()
    updates.follow('byHand', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ waitsFor: 'word' })
    await clock.turn(5 * HOUR)
    expect(done).not.toContain('end for 0.2.0')
    world.sending = 1
    updates.install()
    await clock.settle()
    expect(state()).toMatchObject({ waitsFor: 'sending' })
    world.sending = 0
    await clock.turn(30 * SECOND)
    expect(done.slice(-2)).toEqual(['end for 0.2.0', 'install and restart'])
  })

  it('that only an administrator may install are neither fetched nor begun, whatever is said here', async () => {
    const { clock, done, updates, state } = scene({ rights: 'administrator' })
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'administrator' })
    updates.install()
    await clock.turn(DAY)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'administrator' })
    await updates.atEnd('person')
    expect(done.filter((what) => /^(fetch|end|install)/.test(what))).toEqual([])
  })

  it('are refused where they could not read the cases that wait here', async () => {
    const { clock, done, updates, world, state } = scene()
    world.offer = { version: '0.3.0', outboxSchema: 3 }
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toEqual({ kind: 'refused', version: '0.3.0', why: 'olderOutbox' })
    updates.install()
    await clock.turn(HOUR)
    expect(done).toEqual(['look at https://updates.example/'])
  })

  it.each([
    ['ERR_CHECKSUM_MISMATCH', 'damaged'],
    ['ENOSPC', 'noSpace'],
  ])('that come to nothing by %s say so, and are looked for again', async (code, trouble) => {
    const { clock, done, updates, world, state } = scene()
    world.fetched = Object.assign(new Error('no'), { code })
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toEqual({ kind: 'current', lookedAt: null, trouble })
    expect(done).toEqual(LOOKED)
    world.fetched = null
    await clock.turn(6 * HOUR)
    expect(done.at(-1)).toBe('install and restart')
  })

  it('are looked for at a person’s word, and none is told as none', async () => {
    const { clock, done, updates, world, state } = scene()
    world.offer = null
    updates.follow('quietMoment', FEED)
    await updates.look()
    expect(state()).toEqual({ kind: 'current', lookedAt: clock.now(), trouble: null })
    world.offer = new Error('net::ERR_INTERNET_DISCONNECTED')
    await updates.look()
    expect(state()).toMatchObject({ kind: 'current', trouble: 'unreachable' })
    expect(done).toHaveLength(2)
  })

  it('are not tried over and over where they came to nothing before', async () => {
    const { clock, done, updates, state } = scene({ triedInVain: '0.2.0' })
    updates.follow('quietMoment', FEED)
    await clock.turn(DAY)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'word', trouble: 'notInstalled' })
    expect(done).not.toContain('end for 0.2.0')
    updates.install()
    await clock.settle()
    expect(done.at(-1)).toBe('install and restart')
  })

  it('that are ready are installed when a person quits, behind a copy that is not old, and leave it at that', async () => {
    const { clock, done, updates, world } = scene()
    world.isPersonThere = true
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE + 30 * SECOND)
    expect(done).toContain('back up')
    await updates.atEnd('person')
    expect(done.at(-1)).toBe('install and leave')
  })

  it('that cannot even be begun leave no station behind that stays ended', async () => {
    const { clock, done, updates, world } = scene()
    world.installs = false
    updates.follow('quietMoment', FEED)
    await clock.turn(6 * MINUTE)
    expect(done.slice(-2)).toEqual(['install and restart', 'come back'])
  })

  it('are not begun where the session ends, or a fault ends the app', async () => {
    const { clock, done, updates, world } = scene()
    world.isPersonThere = true
    updates.follow('quietMoment', FEED)
    await clock.turn(6 * MINUTE)
    await updates.atEnd('other')
    expect(done.filter((what) => what.startsWith('install'))).toEqual([])
  })

  it('keep such a copy at hand for as long as they wait', async () => {
    const { clock, done, updates, world } = scene()
    world.isPersonThere = true
    updates.follow('quietMoment', FEED)
    await clock.turn(3 * DAY)
    expect(done.filter((what) => what === 'back up')).toHaveLength(3)
  })

  it.each(['off', 'byHand'] as const)('wanted as %s are not installed at a quit', async (wanted) => {
    const { clock, done, updates } = scene()
    updates.follow('byHand', FEED)
    await clock.turn(6 * MINUTE)
    updates.follow(wanted, wanted === 'off' ? { kind: 'off', why: 'setOff' } : FEED)
    await updates.atEnd('person')
    expect(done.filter((what) => what.startsWith('install'))).toEqual([])
  })

  it('that are switched off are not looked for, and begin anew when they are switched on', async () => {
    const { clock, done, updates, state } = scene()
    updates.follow('off', { kind: 'off', why: 'setOff' })
    await updates.look()
    await clock.turn(DAY)
    expect(state()).toEqual({ kind: 'off', why: 'setOff' })
    expect(done).toEqual([])
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(done.at(-1)).toBe('install and restart')
  })
})
