/**
 * Nobody has written down whether switching the center follows the token or the client, so the worst is assumed:
 * one switch that all calls share. Whatever depends on the center passes this gate: calls for the same center
 * run together, a call for another one waits until all are through, and the center is set again after any new
 * token.
 */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { Clock } from '../ports.ts'
import type { ServiceClient } from '../service/service-client.ts'
import { switchedSilently, type KnownCenters } from './known-centers.ts'

/** Is the center still as it was set when the task began? A new token in between makes that unsure. */
export type CenterLease = { isValid(): boolean }

export type LeaseOptions = {
  /** A center that was set longer ago is set anew, where nothing else runs under it. */
  readonly maxAgeMs?: number
}

/** Where another client with the same credentials switches the center, what goes to the wrong one is bounded by this. */
const MAX_SET_AGE_MS = 10 * SECOND

export type CenterGate = {
  /**
   * Runs the task while the service is set to the center. Null means that this station never switches.
   * Fails with `centerNotChanged`, or with what stopped the switch, and then the task has not run.
   */
  runIn<Value>(
    centerId: string | null,
    task: (lease: CenterLease) => Promise<Result<Value>>,
    options?: LeaseOptions,
  ): Promise<Result<Value>>
  /**
   * Runs what signs in for itself with the same credentials, such as a trial of the settings: that may set the center
   * back without a word. Waits until nothing of a center is inside, keeps it out meanwhile, and has the center set anew
   * for whoever comes after.
   */
  runExclusive<Value>(task: () => Promise<Result<Value>>): Promise<Result<Value>>
  /** Another center is set than was thought: what was set is forgotten, and no hold on it is good any more. */
  invalidate(): void
  /**
   * Lets whoever enters next while nobody else is inside set the center anew. Those inside keep their holds: for them
   * nothing has changed, and a large transfer is not thrown away for a mere precaution.
   */
  refreshNext(): void
}

type Waiter = { readonly centerId: string | null; readonly start: (as: 'switching' | 'joined') => void }

/** Kinds of a no that name the center and not the way there. */
const CENTER_FAILURES: readonly Failure['kind'][] = [
  'serviceRefused',
  'answerUnreadable',
  'notFound',
  'centerNotChanged',
]

function centerNotChanged(failure: Failure): Failure {
  return {
    ...failureOf('centerNotChanged'),
    ...(failure.serviceSaid === undefined ? {} : { serviceSaid: failure.serviceSaid }),
  }
}

export function createCenterGate(
  client: Pick<ServiceClient, 'authorise' | 'changeCenter' | 'listCases' | 'tokenNumber'>,
  signal: AbortSignal,
  knownCenters?: Pick<KnownCenters, 'isElsewhere'>,
  clock: Pick<Clock, 'monotonicMs'> = { monotonicMs: () => 0 },
): CenterGate {
  let set: { readonly centerId: string; readonly tokenNumber: number; readonly atMs: number } | null = null
  /** What the running tasks run under; `switching` admits nobody. */
  let running: {
    readonly centerId: string | null
    readonly phase: 'switching' | 'set'
    readonly count: number
  } | null = null
  let isRefreshDue = false
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
    if (CENTER_FAILURES.includes(failure.kind)) return centerNotChanged(failure)
    if (failure.kind !== 'signedOut') return failure
    const list = await client.listCases(signal)
    return !list.ok && list.failure.kind === 'signedOut' ? list.failure : centerNotChanged(failure)
  }

  const setCenter = async (centerId: string | null, maxAgeMs: number): Promise<Result<null>> => {
    if (centerId === null) return succeed(null)
    // Nothing else runs now, and another client may have switched since.
    if (set !== null && (isRefreshDue || clock.monotonicMs() - set.atMs >= maxAgeMs)) set = null
    isRefreshDue = false
    if (isSetTo(centerId)) return succeed(null)
    const authorised = await client.authorise({ isFresh: false, signal })
    if (!authorised.ok) return authorised
    if (isSetTo(centerId)) return succeed(null)
    set = null
    const changed = await client.changeCenter(centerId, signal)
    if (!changed.ok) return fail(await whyNotChanged(changed.failure))
    if (await knownCenters?.isElsewhere(centerId, signal)) return fail(switchedSilently())
    set = { centerId, tokenNumber: client.tokenNumber(), atMs: clock.monotonicMs() }
    return succeed(null)
  }

  const enter = async (centerId: string | null): Promise<'switching' | 'joined'> => {
    const { promise, resolve } = Promise.withResolvers<'switching' | 'joined'>()
    waiters.push({ centerId, start: resolve })
    admit()
    return promise
  }

  const runIn: CenterGate['runIn'] = async (centerId, task, { maxAgeMs = MAX_SET_AGE_MS } = {}) => {
    const entered = await enter(centerId)
    try {
      // Who joins finds the center set and leaves it alone: to set it again would pull it from under the others.
      if (entered === 'switching') {
        const ready = await setCenter(centerId, maxAgeMs)
        if (!ready.ok) return ready
        if (running?.phase === 'switching') running = { ...running, phase: 'set' }
        admit()
      }
      const setBefore = set
      return await task({ isValid: () => isSetTo(centerId) && (centerId === null || set === setBefore) })
    } finally {
      leave()
    }
  }

  return {
    runIn,
    // Who needs no center runs beside others who need none, and beside nobody else.
    runExclusive: (task) =>
      runIn(null, async () => {
        try {
          return await task()
        } finally {
          set = null
        }
      }),
    invalidate: () => {
      set = null
    },
    refreshNext: () => {
      isRefreshDue = true
    },
  }
}
