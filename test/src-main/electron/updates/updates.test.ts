import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { findBlock, type UpdateMoment } from '../../../../src-main/electron/updates/updates.ts'
import { FEED, offered, updatesWith } from './updates-with.ts'

/** At night: nothing is sent, nobody is there. */
const NIGHT: UpdateMoment = {
  wanted: 'quietMoment',
  request: 'not',
  sending: 0,
  editor: 'none',
  person: 'away',
  rights: 'enough',
  earlierTry: 'never',
}

describe('the moment to install', () => {
  it.each<[string, Partial<UpdateMoment>, ReturnType<typeof findBlock>]>([
    ['is a quiet one', {}, null],
    ['is not while a case is being sent', { sending: 1 }, 'sending'],
    ['is not while a case is being edited', { editor: 'open' }, 'editor'],
    ['is not while somebody is at the computer', { person: 'there' }, 'person'],
    ['is chosen by a person if the settings say so', { wanted: 'byHand' }, 'word'],
    ['is chosen by a person after a failed try', { earlierTry: 'inVain' }, 'word'],
    ['never comes without the rights', { rights: 'administrator' }, 'administrator'],
    [
      'is now, beside an editor, if a person says so',
      { request: 'now', editor: 'open', person: 'there' },
      null,
    ],
    ['is not now while a case is being sent', { request: 'now', sending: 2 }, 'sending'],
    [
      'never comes without the rights, whatever is asked',
      { request: 'now', rights: 'administrator' },
      'administrator',
    ],
    ['is now by hand', { request: 'now', wanted: 'byHand' }, null],
    ['is now for a second try', { request: 'now', earlierTry: 'inVain' }, null],
  ])('%s', (_name, moment, blocked) => {
    expect(findBlock({ ...NIGHT, ...moment })).toBe(blocked)
  })

  it('is never while a case is being sent, whatever else is true', () => {
    for (const wanted of ['quietMoment', 'byHand', 'off'] as const)
      for (const asked of ['not', 'now'] as const)
        for (const tried of ['never', 'inVain'] as const)
          expect(
            findBlock({ ...NIGHT, wanted, request: asked, earlierTry: tried, sending: 1 }),
          ).not.toBeNull()
  })
})

const FETCHED = ['look at https://updates.example/', 'fetch']

describe('updates', () => {
  it('are fetched by themselves and installed at the next quiet moment, after a backup of the outbox', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    world.sending = 1
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', waitsFor: 'sending', trouble: null })
    await clock.turn(10 * MINUTE)
    expect(done).toEqual(FETCHED)
    world.sending = 0
    await clock.turn(30 * SECOND)
    expect(done).toEqual([...FETCHED, 'back up', 'note 0.2.0', 'end', 'install'])
  })

  it('wait if a case begins to leave during the backup', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    world.onBackUp = () => {
      world.sending = 1
    }
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'sending' })
    expect(done).not.toContain('end')
    // The next start must not take it for a failed one.
    expect(done.at(-1)).toBe('forget the note')
  })

  it('that are switched off during the backup end nothing, and stay off', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    world.onBackUp = () => updates.follow('quietMoment', { kind: 'off', why: 'setOff' })
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toEqual({ kind: 'off', why: 'setOff' })
    expect(done).not.toContain('end')
    expect(done.at(-1)).toBe('forget the note')
  })

  it.each([
    ['without a backup', 'canBackUp', 'notBackedUp'],
    ['if a failed one could not be recognised', 'canNote', 'notNoted'],
  ] as const)('are not installed %s, say so, and are tried again in an hour', async (_name, can, trouble) => {
    const { clock, done, updates, world, state } = updatesWith()
    world[can] = false
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', trouble })
    await clock.turn(59 * MINUTE)
    expect(done.filter((what) => what === 'back up')).toHaveLength(1)
    expect(done).not.toContain('end')
    world[can] = true
    await clock.turn(2 * MINUTE)
    expect(done.at(-1)).toBe('install')
  })

  it('wait for who is at the computer, and for an editor, until each is left', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    world.isPersonThere = true
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ waitsFor: 'person' })
    world.isPersonThere = false
    updates.postpone(90)
    await clock.turn(30 * SECOND)
    expect(state()).toMatchObject({ waitsFor: 'editor' })
    await clock.turn(2 * MINUTE)
    expect(done.at(-1)).toBe('install')
  })

  it('are installed when a person asks, as soon as nothing is being sent', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    updates.follow('byHand', FEED)
    await clock.turn(5 * MINUTE)
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

  it('do not end a safe mode by themselves, which would come back working', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    world.isSafe = true
    updates.follow('quietMoment', FEED)
    await clock.turn(DAY)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'word' })
    expect(done).not.toContain('end')
  })

  it('that only an administrator may install are neither fetched nor begun, whatever is asked', async () => {
    const { clock, done, updates, state } = updatesWith({ rights: 'administrator' })
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'administrator' })
    updates.install()
    await clock.turn(DAY)
    await updates.installAtEnd()
    expect(state()).toMatchObject({ kind: 'ready', waitsFor: 'administrator' })
    expect(done.filter((what) => /^(fetch|end|install)/.test(what))).toEqual([])
  })

  it('are refused if they could not read the cases that wait here', async () => {
    const { clock, done, updates, world, state } = updatesWith()
    world.offer = offered('0.3.0', 3)
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
  ])('that fail by %s say so, and are fetched again', async (code, trouble) => {
    const { clock, done, updates, world, state } = updatesWith()
    world.fetched = Object.assign(new Error('no'), { code })
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(state()).toEqual({ kind: 'current', lookedAt: null, trouble })
    expect(done).toEqual(FETCHED)
    world.fetched = null
    await clock.turn(6 * HOUR)
    expect(done.at(-1)).toBe('install')
  })

  it('are looked for when a person asks, and no answer is not taken for none', async () => {
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

  it('that failed before are not tried again by themselves, but when a person asks', async () => {
    const { clock, done, updates, state } = updatesWith({ failedVersion: '0.2.0' })
    updates.follow('quietMoment', FEED)
    await clock.turn(DAY)
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', waitsFor: 'word', trouble: 'notInstalled' })
    expect(done).not.toContain('end')
    updates.install()
    await clock.settle()
    expect(done.at(-1)).toBe('install')
  })

  it('that cannot even be begun leave no station behind that stays ended', async () => {
    const { clock, done, updates, world } = updatesWith()
    world.installs = false
    updates.follow('quietMoment', FEED)
    await clock.turn(6 * MINUTE)
    expect(done.slice(-2)).toEqual(['install', 'come back'])
  })

  it('that are ready are not installed when the app ends for another reason', async () => {
    const { clock, done, updates, world } = updatesWith()
    world.isPersonThere = true
    updates.follow('quietMoment', FEED)
    await clock.turn(6 * MINUTE)
    await updates.installAtEnd()
    expect(done).toEqual(FETCHED)
  })

  it('that are switched off are not looked for, and begin again when they are switched on', async () => {
    const { clock, done, updates, state } = updatesWith()
    updates.follow('off', { kind: 'off', why: 'setOff' })
    await updates.check()
    await clock.turn(DAY)
    expect(state()).toEqual({ kind: 'off', why: 'setOff' })
    expect(done).toEqual([])
    updates.follow('quietMoment', FEED)
    await clock.turn(5 * MINUTE)
    expect(done.at(-1)).toBe('install')
  })
})

/** Version 0.2.0 is ready, and waits for who sits here. */
async function ready() {
  const made = updatesWith()
  made.world.isPersonThere = true
  made.updates.follow('quietMoment', FEED)
  await made.clock.turn(5 * MINUTE)
  expect(made.state()).toMatchObject({ kind: 'ready', version: '0.2.0' })
  made.done.length = 0
  return made
}

describe('an update that is ready', () => {
  it('is not installed any more once its feed offers none', async () => {
    const { clock, done, world, state } = await ready()
    world.offer = null
    await clock.turn(6 * HOUR)
    expect(state()).toMatchObject({ kind: 'current', trouble: null })
    world.isPersonThere = false
    await clock.turn(HOUR)
    expect(done).not.toContain('end')
  })

  it('gives way to the one that its feed offers now, and what a person asked for is not carried over', async () => {
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

  it('gives way to nothing if the new one could not read the cases that wait', async () => {
    const { clock, done, world, state } = await ready()
    world.offer = offered('0.3.0', 3)
    await clock.turn(6 * HOUR)
    expect(state()).toMatchObject({ kind: 'refused', version: '0.3.0' })
    world.isPersonThere = false
    await clock.turn(HOUR)
    expect(done).not.toContain('end')
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

  it('is not brought back by an answer that comes after updates were switched off', async () => {
    const { clock, done, world, updates, state } = await ready()
    world.onLook = () => updates.follow('off', { kind: 'off', why: 'setOff' })
    world.offer = offered('0.3.0')
    await clock.turn(6 * HOUR)
    expect(state()).toEqual({ kind: 'off', why: 'setOff' })
    expect(done).not.toContain('fetch')
  })
})
