import type { Offer } from '../../../../src-main/electron/updates/feed.ts'
import { createUpdates, type UpdateOptions } from '../../../../src-main/electron/updates/updates.ts'
import type { UpdateState } from '../../../../src-shared/desktop.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { recordingLogger } from '../recording-logger.ts'

export const FEED = { kind: 'feed', url: 'https://updates.example/' } as const
export const offered = (version: string, outboxSchema = 4): Offer => ({ version, outboxSchema })

/** Updates of an app whose station, disk and feed do as `world` says, and what they did. */
export function updatesWith(options: Partial<UpdateOptions> = {}) {
  const clock = new ManualClock()
  const done: string[] = []
  const world = {
    offer: offered('0.2.0') as Offer | null | Error,
    fetched: null as Error | null,
    sending: 0,
    isPersonThere: false,
    isSafe: false,
    canBackUp: true,
    installs: true,
    canNote: true,
    onLook: (): void => undefined,
    onBackUp: (): void => undefined,
  }
  const updates = createUpdates({
    clock,
    logger: recordingLogger(),
    ourOutboxSchema: 4,
    program: () =>
      Promise.resolve({
        check: (feed) => {
          done.push(`look at ${feed}`)
          world.onLook()
          return world.offer instanceof Error ? Promise.reject(world.offer) : Promise.resolve(world.offer)
        },
        fetch: (onProgress) => {
          done.push('fetch')
          onProgress(50)
          return world.fetched === null ? Promise.resolve() : Promise.reject(world.fetched)
        },
        install: () => {
          done.push('install')
          return world.installs ? Promise.resolve() : Promise.reject(new Error('EACCES'))
        },
      }),
    saveNote: (version) => {
      done.push(version === null ? 'forget the note' : `note ${version}`)
      return world.canNote || version === null ? Promise.resolve() : Promise.reject(new Error('EIO'))
    },
    rights: 'enough',
    isPersonThere: () => world.isPersonThere,
    failedVersion: null,
    ...options,
  })
  updates.attach({
    sending: () => Promise.resolve(world.sending),
    backUp: () => {
      done.push('back up')
      world.onBackUp()
      return Promise.resolve(
        world.canBackUp ? succeed('copy') : fail(failureOf('storage', { message: 'no copy' })),
      )
    },
    isSafe: () => world.isSafe,
    end: () => {
      done.push('end')
      return updates.installAtEnd()
    },
    restart: () => done.push('come back'),
  })
  const state = (): UpdateState => updates.state()
  return { clock, done, world, updates, state }
}
