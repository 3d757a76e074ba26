/**
 * Serialises work by center. Whether switching the center affects the token or the whole client is undocumented,
 * so the worst is assumed: one switch shared by all calls. Calls for the same center run together, a call for
 * another one waits until they are done, and the center is set again after every new token.
 */
import type { Center } from '../../../src-shared/case.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Destination } from '../outbox/rows.ts'
import type { Clock } from '../ports.ts'
import type { ServiceClient } from '../service/client.ts'

/** The destination of a case of a center, as attempts and evidence name it. */
export function destinationOf(
  { client }: { readonly client: Pick<ServiceClient, 'identity'> },
  centerId: string | null,
): Destination {
  return { ...client.identity, centerId }
}

export type KnownCenters = ReturnType<typeof openKnownCenters>

/** What the service's lists say about centers: whether it marks the current one, and which ones no longer exist. */
export function openKnownCenters({
  client,
  outbox,
}: {
  readonly client: Pick<ServiceClient, 'listCenters' | 'identity'>
  readonly outbox: Outbox
}) {
  const serviceKey = JSON.stringify([client.identity.baseUrl, client.identity.clientId])
  let isMarked = outbox.readFact('centersMarkedAt') === serviceKey
  /** A service without marks is asked once a session. */
  let wasAsked = false

  const learn = (centers: readonly Center[]): void => {
    wasAsked = true
    if (isMarked || !centers.some((center) => center.isCurrent === true)) return
    isMarked = true
    outbox.writeFact('centersMarkedAt', serviceKey)
  }
  return {
    /** Takes note of a list of centers. If it marks the current one, the mark is checked from now on. */
    learn,
    /** Does the service mark another center as current? False if it marks none. */
    isElsewhere: async (centerId: string | null, signal: AbortSignal): Promise<boolean> => {
      if (centerId === null || (!isMarked && wasAsked)) return false
      const centers = await client.listCenters(signal)
      wasAsked = true
      if (centers.ok) learn(centers.value)
      const marked = centers.ok ? centers.value.find((center) => center.isCurrent === true) : undefined
      return marked !== undefined && marked.centerId !== centerId
    },
    /** Is the current center marked, as far as is known? If not, a switch by another client goes unnoticed. */
    areMarked: (): boolean => isMarked,
    /** Returns the failure to report, which names a center that no longer exists. */
    explainRefusal: async (centerId: string, failure: Failure, signal: AbortSignal): Promise<Failure> => {
      const centers = await client.listCenters(signal)
      if (!centers.ok) return failure
      learn(centers.value)
      const isListed = centers.value.some((center) => center.centerId === centerId)
      const isUnknown = centers.value.length > 0 && !isListed
      return isUnknown ? { ...failure, ...worded('sending:center.notKnown') } : failure
    },
  }
}

/** Does the service mark another center than this one? Then no center counts as set any more. */
export async function wasSwitched(
  {
    centers,
    gate,
    stopSignal,
  }: {
    readonly centers: Pick<KnownCenters, 'isElsewhere'>
    readonly gate: Pick<CenterGate, 'invalidate'>
    readonly stopSignal: AbortSignal
  },
  centerId: string | null,
): Promise<boolean> {
  const isElsewhere = await centers.isElsewhere(centerId, stopSignal)
  if (isElsewhere) gate.invalidate()
  return isElsewhere
}

/** The service marks another center: it ignored our switch, or another client switched. */
export function switchedSilently(): Failure {
  return failureOf('centerNotChanged', worded('sending:center.switchedSilently'))
}

export type CenterLease = {
  /** Is the center still as set when the task began? A new token in between makes that uncertain. */
  isValid(): boolean
  /** Was it set again for this task? Not for one that joins others: another client may have switched it since. */
  readonly isNew: boolean
}

/** Limits what goes to the wrong center if another client with the same credentials switches it. */
const MAX_SET_AGE_MS = 10 * SECOND

export type CenterGate = ReturnType<typeof createCenterGate>

type Entry = 'switching' | 'joined'
type Waiter = { readonly centerId: string | null; readonly start: (as: Entry) => void }

/** Refusals of the center itself rather than the route to it. */
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
  knownCenters: Pick<KnownCenters, 'isElsewhere'>,
  clock: Pick<Clock, 'monotonicMs'>,
) {
  let set: { readonly centerId: string; readonly tokenNumber: number; readonly atMs: number } | null = null
  /** What the running tasks run under; `switching` admits none. */
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

  /** A sign-in refused for one center concerns that center; for every center, the whole station. */
  const whyNotChanged = async (failure: Failure): Promise<Failure> => {
    if (CENTER_FAILURES.includes(failure.kind)) return centerNotChanged(failure)
    if (failure.kind !== 'signedOut') return failure
    const list = await client.listCases(signal)
    return !list.ok && list.failure.kind === 'signedOut' ? list.failure : centerNotChanged(failure)
  }

  const setCenter = async (centerId: string | null, maxAgeMs: number): Promise<Result<null>> => {
    if (centerId === null) return succeed(null)
    // Nothing else is running now, and another client may have switched since.
    if (set !== null && (isRefreshDue || clock.monotonicMs() - set.atMs >= maxAgeMs)) set = null
    isRefreshDue = false
    if (isSetTo(centerId)) return succeed(null)
    const authorised = await client.authorise({ isFresh: false, signal })
    if (!authorised.ok) return authorised
    if (isSetTo(centerId)) return succeed(null)
    set = null
    const changed = await client.changeCenter(centerId, signal)
    if (!changed.ok) return fail(await whyNotChanged(changed.failure))
    if (await knownCenters.isElsewhere(centerId, signal)) return fail(switchedSilently())
    set = { centerId, tokenNumber: client.tokenNumber(), atMs: clock.monotonicMs() }
    return succeed(null)
  }

  const enter = async (centerId: string | null): Promise<Entry> => {
    const { promise, resolve } = Promise.withResolvers<Entry>()
    waiters.push({ centerId, start: resolve })
    admit()
    return promise
  }

  /**
   * Runs the task while the service is set to the center (null: this station never switches), which is set again if
   * that was over `maxAgeMs` ago and nothing else runs under it. If the switch fails, the task has not run.
   */
  const runIn = async <Value>(
    centerId: string | null,
    task: (lease: CenterLease) => Promise<Result<Value>>,
    maxAgeMs = MAX_SET_AGE_MS,
  ): Promise<Result<Value>> => {
    const entered = await enter(centerId)
    try {
      // A task that joins others leaves the center alone: setting it again would affect them.
      if (entered === 'switching') {
        const ready = await setCenter(centerId, maxAgeMs)
        if (!ready.ok) return ready
        if (running?.phase === 'switching') running = { ...running, phase: 'set' }
        admit()
      }
      const setBefore = set
      return await task({
        isValid: () => isSetTo(centerId) && (centerId === null || set === setBefore),
        isNew: entered === 'switching',
      })
    } finally {
      leave()
    }
  }

  return {
    runIn,
    /**
     * Runs a task that signs in separately, such as a test, which may reset the center. It runs alone, because tasks
     * without a center run only beside one another, and the next task sets the center again.
     */
    runExclusive: <Value>(task: () => Promise<Result<Value>>): Promise<Result<Value>> =>
      runIn(null, async () => {
        try {
          return await task()
        } finally {
          set = null
        }
      }),
    /** Another center is set than assumed: forgets it and invalidates all leases. */
    invalidate: (): void => {
      set = null
    },
    /** Makes the next task that runs alone set the center again. Current leases stay valid: it is a mere precaution. */
    refreshNext: (): void => {
      isRefreshDue = true
    },
  }
}
