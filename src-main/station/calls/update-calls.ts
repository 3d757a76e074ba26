import { succeed } from '../../../src-shared/result.ts'
import type { UpdateState } from '../../../src-shared/updates.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'

type UpdateCalls = Pick<CallHandlers, 'updates.get' | 'updates.look' | 'updates.install' | 'updates.holdOff'>

/** What a host says that others bring up to date. */
const MANAGED_BY_OTHERS: UpdateState = { kind: 'off', why: 'headless' }

export function updateCalls({ ports }: Pick<StationParts, 'ports'>): UpdateCalls {
  const { updates } = ports
  const state = () => succeed(updates?.state() ?? MANAGED_BY_OTHERS)
  return {
    'updates.get': () => Promise.resolve(state()),
    'updates.look': async () => {
      await updates?.check()
      return state()
    },
    'updates.install': () => {
      updates?.install()
      return Promise.resolve(state())
    },
    'updates.holdOff': ({ seconds }) => {
      updates?.postpone(seconds)
      return Promise.resolve(succeed({}))
    },
  }
}
