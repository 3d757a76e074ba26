/**
 * Nobody has written down whether switching the center follows the token or the client, so the worst is assumed:
 * one switch that all calls share. Whatever depends on the center passes this gate: calls for the same center
 * run together, a call for another one waits until all are through, and the center is set again after any new
 * token.
 */
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { ServiceClient } from '../service/service-client.ts'
import { switchedSilently, type KnownCenters } from './known-centers.ts'

/** Is the center still as it was set when the task began? A new token in between makes that unsure. */
export type CenterHold = { isHeld(): boolean }

export type CenterGate = {
  /**
   * Runs the task while the service is set to the center. Null means that this station never switches.
   * Fails with `centerNotChanged`, or with what stopped the switch, and then the task has not run.
   */
  within<Value>(
    centerId: string | null,
    task: (hold: CenterHold) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  /** Forgets what was set: at resume, and whenever somebody else may have switched. */
  forget(): void
}

type Waiter = { readonly centerId: string | null; readonly start: (as: 'switching' | 'joined') => void }

/** Kinds of a no that name the center and not the way there. */
const ABOUT_THE_CENTER: readonly Failure['kind'][] = [
  'serviceRefused',
  'answerUnreadable',
  'notFound',
  'centerNotChanged',
]

function notChanged(failure: Failure): Failure {
  return {
    ...failureOf('centerNotChanged'),
    ...(failure.serviceSaid === undefined ? {} : { serviceSaid: failure.serviceSaid }),
  }
}

export function createCenterGate(
  client: Pick<ServiceClient, 'authorise' | 'changeCenter' | 'listCases' | 'tokenNumber'>,
  signal: AbortSignal,
  mark?: Pick<KnownCenters, 'isElsewhere'>,
): CenterGate {
  let set: { readonly centerId: string; readonly tokenNumber: number } | null = null
  /** What the running tasks run under; `switching` admits nobody. */
  let running: {
    readonly centerId: string | null
    readonly phase: 'switching' | 'set'
    readonly count: number
  } | null = null
  const waiters: Waiter[] = []

  const isSetTo = (centerId: string | null): boolean =>
    centerId === null ||
    (set !== null && set.centerId === centerId && set.tokenNumber === client.tokenNumber())

  const mayJoin = (centerId: string | null): boolean =>
    running === null || (running.phase === 'set' && running.centerId === centerId && isSetTo(centerId))

  const admit = (): void => {
    for (let next = waiters[0]; next !== undefined && mayJoin(next.centerId); next = waiters[0]) {
      waiters.shift()
      const as = running === null ? 'switching' : 'joined'
      running = {
        centerId: next.centerId,
        phase: running?.phase ?? 'switching',
        count: (running?.count ?? 0) + 1,
      }
      next.start(as)
    }
  }

  const leave = (): void => {
    if (running === null) return
    running = running.count > 1 ? { ...running, count: running.count - 1 } : null
    admit()
  }

  /** A sign-in that is refused for one center only is about that center; refused everywhere, it is about everybody. */
  const whyNotChanged = async (failure: Failure): Promise<Failure> => {
    if (ABOUT_THE_CENTER.includes(failure.kind)) return notChanged(failure)
    if (failure.kind !== 'signedOut') return failure
    const list = await client.listCases(signal)
    return !list.ok && list.failure.kind === 'signedOut' ? list.failure : notChanged(failure)
  }

  const setCenter = async (centerId: string | null): Promise<Result<null>> => {
    if (isSetTo(centerId) || centerId === null) return succeed(null)
    const authorised = await client.authorise({ isFresh: false, signal })
    if (!authorised.ok) return authorised
    if (isSetTo(centerId)) return succeed(null)
    set = null
    const changed = await client.changeCenter(centerId, signal)
    if (!changed.ok) return fail(await whyNotChanged(changed.failure))
    if (await mark?.isElsewhere(centerId, signal)) return fail(switchedSilently())
    set = { centerId, tokenNumber: client.tokenNumber() }
    return succeed(null)
  }

  const enter = async (centerId: string | null): Promise<'switching' | 'joined'> => {
    const { promise, resolve } = Promise.withResolvers<'switching' | 'joined'>()
    waiters.push({ centerId, start: resolve })
    admit()
    return promise
  }

  return {
    within: async (centerId, task) => {
      const entered = await enter(centerId)
      try {
        // Who joins finds the center set and leaves it alone: to set it again would pull it from under the others.
        if (entered === 'switching') {
          const ready = await setCenter(centerId)
          if (!ready.ok) return ready
          if (running?.phase === 'switching') running = { ...running, phase: 'set' }
          admit()
        }
        const setBefore = set
        return await task({ isHeld: () => isSetTo(centerId) && (centerId === null || set === setBefore) })
      } finally {
        leave()
      }
    },
    forget: () => {
      set = null
    },
  }
}
