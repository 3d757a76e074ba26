/** Delivers the cases of the outbox to one service, and follows up on them. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { EventPayload } from '../../../src-shared/contract.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { ServiceStatus } from '../../../src-shared/station-status.ts'
import { type Wording, worded, wordingOf } from '../../../src-shared/wording.ts'
import { createSignal } from '../lib/part.ts'
import { openLoop } from '../lib/schedule.ts'
import { ignoringStorageErrors } from '../lib/storage-faults.ts'
import type { ClockReading, ServiceClient } from '../service/client.ts'
import { createHealth } from './breaker.ts'
import { type CancelRequest, type CancelResult, createThrottle } from './transfer.ts'
import { learnFromList } from './case-list.ts'
import { createCenterGate, openKnownCenters, wasSwitched } from './center-lease.ts'
import type { DeliveryContext, DeliveryOptions } from './context.ts'
import { openFollowUp } from './follow-up.ts'
import { openSender } from './sender.ts'

export type Delivery = ReturnType<typeof openDelivery>

type Question<Value> = (client: ServiceClient, signal: AbortSignal) => Promise<Result<Value>>

/** The first call is for what is due, if anything is. */
const FIRST_ASK_MS = 2 * SECOND

/** Not more often, whatever is answered. */
const ASK_PAUSE_MS = MINUTE

/** Everything that goes to one service with one client id. */
export function openDelivery(options: DeliveryOptions & { readonly onHealthChanged: () => void }) {
  const { outbox, client, clock, settings } = options
  const stop = new AbortController()
  const centers = openKnownCenters({ client, outbox })
  const gate = createCenterGate(client, stop.signal, centers, clock)
  const health = createHealth({
    clock,
    baseMs: () => settings().delivery.retryBaseSeconds * SECOND,
    random: options.random,
  })
  const context: DeliveryContext = {
    ...options,
    gate,
    centers,
    missedAt: new Map(),
    health,
    stopSignal: stop.signal,
    throttle: createThrottle(clock, () => settings().delivery.bytesPerSecond),
  }

  /** After a start or a reconnection a lost answer is most likely to be found. */
  const expediteLookups = (): void =>
    // One commit: after a restore there may be thousands.
    outbox.write(() => {
      for (const id of outbox.submissionIdsIn('unconfirmed')) outbox.setNotBefore(id, clock.now())
    })
  // A full disk leaves the lookups to their own times, and must not keep a delivery from opening.
  ignoringStorageErrors(expediteLookups)
  const sender = openSender(context)
  const followUp = openFollowUp(context)
  let mayAskAt = clock.now() + FIRST_ASK_MS
  const asking = openLoop({
    name: 'asking the service',
    clock,
    logger: options.logger,
    run: async () => {
      health.recheck()
      const at = health.nextAskAt()
      if (at === null) return null
      if (at > clock.now() || mayAskAt > clock.now()) return Math.max(at, mayAskAt)
      mayAskAt = clock.now() + ASK_PAUSE_MS
      // The same in every center, and short. If there is no such list, the list of cases must do.
      const listed = await gate.runIn(null, () => client.listCenters(stop.signal))
      if (listed.ok) centers.learn(listed.value)
      const isUnheard = health.breaker().kind === 'closed' && health.status().health !== 'reachable'
      if (isUnheard && !stop.signal.aborted) await sender.probe()
      return Math.max(health.nextAskAt() ?? 0, mayAskAt)
    },
  })
  client.onHeard(health.noteHeard)
  const wake = (): void => {
    sender.wake()
    followUp.wake()
  }
  const retryLookups = (): void => {
    expediteLookups()
    wake()
  }

  health.onChange(() => {
    // The sender probes whether trouble is over, even if a lookup met it and nothing is left to send.
    sender.wake()
    asking.wake()
    options.onHealthChanged()
  })
  health.onRecovery(() => ignoringStorageErrors(retryLookups))
  health.onLongWait((until) => {
    const entry = { at: clock.now(), submissionId: null, what: 'longWaitAsked', by: null }
    // The wait is respected on a full disk, too.
    ignoringStorageErrors(() =>
      outbox.appendAudit({ ...entry, details: { until: new Date(until).toISOString() } }),
    )
  })

  return {
    /** The service to which evidence and ids belong. */
    identity: client.identity,
    /** Call it if something may have become due. */
    wake,
    /** Probes and looks up at once. Only a person ends a wait that the service asked for. */
    retryNow: (by: 'person' | 'station' = 'station'): void => {
      health.probeNow(by)
      gate.refreshNext()
      retryLookups()
    },
    /** Puts a submission on hold; `tooLate` once all bytes were handed over. `who` goes into the audit trail. */
    cancel: (submissionId: string, who: CancelRequest = {}): CancelResult => sender.cancel(submissionId, who),
    serviceStatus: (): ServiceStatus => health.status(),
    /** This computer's clock differs too much from the service's. Blocks nothing. */
    clockTrouble: (): Failure | null => clockFailure(client.clockReading()),
    clockReading: (): ClockReading => client.clockReading(),
    /** Sends a request whose answer is the same in every center. */
    askAnywhere: <Value>(question: Question<Value>): Promise<Result<Value>> =>
      gate.runIn(null, () => question(client, stop.signal)),
    /** Sends a request while this center is certain. Null fails if the station has centers: whose answer would it be? */
    ask: async <Value>(centerId: string | null, question: Question<Value>): Promise<Result<Value>> => {
      if (centerId === null && settings().centerId !== null) return fail(failureOf('centerNotChanged'))
      const askOnce = () =>
        gate.runIn(centerId, async (lease) => {
          const answer = await question(client, stop.signal)
          return succeed({ answer, isHeld: !(await wasSwitched(context, centerId)) && lease.isValid() })
        })
      const first = await askOnce()
      // A new token in between may have changed the center: ask again under a center set again.
      const asked = first.ok && !first.value.isHeld ? await askOnce() : first
      if (!asked.ok) return asked
      return asked.value.isHeld ? asked.value.answer : fail(failureOf('centerNotChanged'))
    },
    /** Runs a task that signs in separately: no case of a center runs meanwhile, and the center is set again after it. */
    runExclusive: gate.runExclusive,
    noteTrouble: health.noteTrouble,
    /** Takes note of a list of centers read elsewhere, for whether it marks the current one. */
    learnCenters: centers.learn,
    learnFromList: (centerId: string | null, cases: readonly ServiceCase[]): Promise<void> =>
      learnFromList(context, centerId, cases),
    /** Ends every attempt as it is, and stops. */
    close: async (): Promise<void> => {
      // Small requests end at once; complete bodies get a moment for their answers.
      stop.abort()
      // First, because the idle question may wait for a center until the body that is sent there ends.
      await sender.close()
      await asking.close()
      await followUp.close()
      await client.close()
    },
  }
}

/** The failure for a clock that is ahead or behind; null unless it is known to be. */
export function clockFailure(reading: ClockReading): Failure | null {
  if (reading.kind !== 'wrong') return null
  const { differenceMs } = reading
  const amount = amountOf(Math.abs(differenceMs))
  return failureOf('clockWrong', worded(`sending:clock.${differenceMs > 0 ? 'ahead' : 'behind'}`, { amount }))
}

function amountOf(ms: number): Wording {
  const units = [[DAY, 'days'] as const, [HOUR, 'hours'] as const]
  const [size, unit] = units.find(([size]) => ms >= 2 * size) ?? [MINUTE, 'minutes' as const]
  return wordingOf(`sending:clock.${unit}`, { count: Math.round(ms / size) })
}

/** One delivery after another: to the service that is set, and to another once the settings say so. */
export function createDeliveries(
  options: Omit<DeliveryOptions, 'client' | 'onProgress' | 'onAlarm'> & {
    /** `onClockChanged`: the clocks of both sides were found to differ, or no longer do. */
    readonly openClient: (service: ServiceSettings, onClockChanged: () => void) => ServiceClient
  },
) {
  const changed = createSignal()
  const progressed = createSignal<[EventPayload<'deliveryProgressed'>]>()
  let current: Delivery | null = null
  return {
    current: (): Delivery | null => current,
    /** Opens the delivery to the service that is set now, after the one before was closed. */
    reopen: async (): Promise<void> => {
      try {
        // Known until it has ended: a transfer may still be cancelled.
        await current?.close()
      } finally {
        // A closed delivery must not be left behind if the next one cannot be opened.
        current = null
      }
      const { service } = options.settings()
      current = service
        ? openDelivery({
            ...options,
            client: options.openClient(service, changed.emit),
            onProgress: progressed.emit,
            onHealthChanged: changed.emit,
            onAlarm: () => changed.emit(),
          })
        : null
    },
    /** What the status says of the service, of the clock or of alarms has changed. */
    onChange: changed.subscribe,
    onProgress: progressed.subscribe,
    close: async (): Promise<void> => {
      await current?.close()
    },
  }
}
