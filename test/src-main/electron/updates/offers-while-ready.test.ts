import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { succeed } from '../../../../src-shared/result.ts'
import type { Offer } from '../../../../src-main/electron/updates/judge-offer.ts'
import { keepUpdates } from '../../../../src-main/electron/updates/keep-updates.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { recordingLogger } from '../recording-logger.ts'

const offered = (version: string): Offer => ({ version, outboxSchema: 4 })

/** Version 0.2.0 is ready, and waits for who sits here. */
async function ready() {
  const clock = new ManualClock()
  const done: string[] = []
  const world = {
    offer: offered('0.2.0') as Offer | null | Error,
    isPersonThere: true,
    asked: 0,
    onLook: (): void => undefined,
  }
  const updates = keepUpdates({
    clock,
    logger: recordingLogger(),
    ourOutboxSchema: 4,
    program: () =>
      Promise.resolve({
        look: () => {
          world.onLook()
          return world.offer instanceof Error ? Promise.reject(world.offer) : Promise.resolve(world.offer)
        },
        fetch: () => Promise.resolve(void done.push('fetch')),
        install: () => Promise.resolve(void done.push('install')),
      }),
    comeBack: () => undefined,
    note: () => Promise.resolve('noted'),
    forgetNote: () => Promise.resolve(),
    rights: 'enough',
    isPersonThere: () => world.isPersonThere,
    triedInVain: null,
    endFor: (version) => {
      done.push(`end for ${version}`)
      return updates.atEnd('other')
    },
  })
  updates.serve({
    sending: () => {
      world.asked += 1
      return Promise.resolve(0)
    },
    backUp: () => Promise.resolve(succeed('copy')),
  })
  updates.follow('quietMoment', { kind: 'feed', url: 'https://updates.example/' })
  await clock.turn(5 * MINUTE)
  expect(updates.state()).toMatchObject({ kind: 'ready', version: '0.2.0' })
  done.length = 0
  return { clock, done, world, updates }
}

describe('an update that is ready', () => {
  it('is not installed any more once its feed offers none', async () => {
    const { clock, done, world, updates } = await ready()
    world.offer = null
    await clock.turn(6 * HOUR)
    expect(updates.state()).toMatchObject({ kind: 'current', trouble: null })
    world.isPersonThere = false
    await clock.turn(6 * HOUR)
    await updates.atEnd('person')
    expect(done).toEqual([])
  })

  it('gives way to the one that its feed offers now, and the word for it is asked anew', async () => {
    const { clock, done, world, updates } = await ready()
    world.offer = offered('0.3.0')
    await clock.turn(6 * HOUR)
    expect(updates.state()).toMatchObject({ kind: 'ready', version: '0.3.0', waitsFor: 'person' })
    world.isPersonThere = false
    await clock.turn(30 * SECOND)
    expect(done).toEqual(['fetch', 'end for 0.3.0', 'install'])
  })

  it('gives way to nothing where the new one could not read the cases that wait', async () => {
    const { clock, done, world, updates } = await ready()
    world.offer = { version: '0.3.0', outboxSchema: 3 }
    await clock.turn(6 * HOUR)
    expect(updates.state()).toMatchObject({ kind: 'refused', version: '0.3.0' })
    world.isPersonThere = false
    await clock.turn(HOUR)
    expect(done).toEqual([])
  })

  it.each([
    ['still offered', offered('0.2.0')],
    ['not to be asked about, because its feed cannot be read', new Error('offline')],
  ])('stays ready, and is not fetched again, where it is %s', async (_what, offer) => {
    const { clock, done, world, updates } = await ready()
    world.offer = offer
    await clock.turn(13 * HOUR)
    expect(updates.state()).toMatchObject({ kind: 'ready', version: '0.2.0', trouble: null })
    expect(done).toEqual([])
  })

  it('is not brought back by an answer that comes after updates were switched off', async () => {
    const { clock, done, world, updates } = await ready()
    world.onLook = () => updates.follow('off', { kind: 'off', why: 'setOff' })
    world.offer = offered('0.3.0')
    await clock.turn(6 * HOUR)
    expect(updates.state()).toEqual({ kind: 'off', why: 'setOff' })
    expect(done).toEqual([])
  })

  it('is considered once at a time, also after another one took its place', async () => {
    const { clock, world } = await ready()
    world.offer = offered('0.3.0')
    await clock.turn(6 * HOUR)
    world.asked = 0
    await clock.turn(10 * MINUTE)
    expect(world.asked).toBe(20)
  })
})
