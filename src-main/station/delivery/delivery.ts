import type { Center, ServiceCase } from '../../../src-shared/case.ts'
import type { EventPayload } from '../../../src-shared/contract.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { ServiceStatus } from '../../../src-shared/station-status.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { AttemptGuard } from '../outbox/recovery/manifest-writer.ts'
import type { Clock, Logger } from '../ports.ts'
import type { ClockReading, ServiceClient } from '../service/client.ts'
import { createHealth } from './breaker.ts'
import type { CancelRequest, CancelResult } from './cancel-transfer.ts'
import { learnFromList } from './case-list.ts'
import { createCenterGate, openKnownCenters } from './center-lease.ts'
import { clockFailure, createMissingCounts, type DeliveryContext } from './context.ts'
import { openFollowUp } from './follow-up.ts'
import { openSender } from './sender.ts'
import { createThrottle } from './throttle.ts'

export type DeliveryOptions = {
  readonly outbox: Outbox
  readonly client: ServiceClient
  readonly guard: AttemptGuard
  readonly clock: Clock
  readonly logger: Logger
  readonly random: () => number
  readonly settings: () => Settings
  readonly spoolPath: (spoolName: string) => string
  /** May anything be sent now? False while a person has paused the station. */
  readonly maySend: () => boolean
  readonly onProgress: (progress: EventPayload<'deliveryProgressed'>) => void
  readonly onHealthChanged: () => void
  /** An alarm was raised about a submission. */
  readonly onAlarm?: (submissionId: string) => void
}

/** Everything that goes to one service with one client id. */
export type Delivery = {
  /** The service, as evidence and ids belong to it. */
  readonly identity: ServiceClient['identity']
  /** Something may have become due. */
  wake(): void
  /**
   * Asks and looks again at once: a person wants it, the machine woke up, or the network came back. Where the service
   * asked for a wait, only a person ends it.
   */
  retryNow(by?: 'person' | 'station'): void
  /**
   * Stops the transfer of a submission, which then is on hold; `tooLate` once all of it was handed over. `who` goes
   * into the trail.
   */
  cancel(submissionId: string, who?: CancelRequest): CancelResult
  serviceStatus(): ServiceStatus
  /** The clock of this computer, where it differs too much from the service's. Blocks nothing. */
  clockTrouble(): Failure | null
  /** What the service's answers say of the clock of this computer. */
  clockReading(): ClockReading
  /**
   * Asks the service something under a center; nothing for another center runs meanwhile. An answer counts only where the
   * center is still the one that was set. Null, where this station has a center, fails: nobody knows whose answer it is.
   */
  ask<Value>(
    centerId: string | null,
    question: (client: ServiceClient, signal: AbortSignal) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  /**
   * Runs what signs in at this service by itself: no case of a center is under way meanwhile, so it may have to wait for
   * a transfer, and the center is set anew after it.
   */
  runExclusive<Value>(task: () => Promise<Result<Value>>): Promise<Result<Value>>
  /** Asks the service what is the same in every center. */
  askAnywhere<Value>(
    question: (client: ServiceClient, signal: AbortSignal) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  noteTrouble(failure: Failure): void
  /** A list of centers was read for somebody else; whether it marks the current one is remembered. */
  learnCenters(centers: readonly Center[]): void
  /** A list of cases was read under a center for somebody else: it is compared with ours, too. */
  learnFromList(centerId: string | null, cases: readonly ServiceCase[]): Promise<void>
  /** Ends every attempt as it stands and stops. */
  close(): Promise<void>
}

export function openDelivery(options: DeliveryOptions): Delivery {
  const { outbox, client, clock, logger, settings } = options
  const stop = new AbortController()
  const centers = openKnownCenters({ client, outbox })
  const gate = createCenterGate(client, stop.signal, centers, clock)
  const health = createHealth({
    clock,
    baseMs: () => settings().delivery.retryBaseSeconds * SECOND,
    random: options.random,
    onChanged: () => {
      // The sender asks whether trouble is over, also where it was met by a look and nothing is left to be sent.
      sender?.wake()
      options.onHealthChanged()
    },
    onRecovered: () => retryLookups(),
    onLongWait: (until) => {
      const entry = { at: clock.now(), submissionId: null, what: 'longWaitAsked', by: null }
      outbox.audit.append({ ...entry, details: { until: new Date(until).toISOString() } })
    },
  })
  const context: DeliveryContext = {
    outbox,
    client,
    guard: options.guard,
    gate,
    centers,
    missingCounts: createMissingCounts(clock),
    health,
    clock,
    logger,
    random: options.random,
    settings,
    maySend: options.maySend,
    stopSignal: stop.signal,
    spoolPath: options.spoolPath,
    throttle: createThrottle(clock, () => settings().delivery.bytesPerSecond),
    onProgress: options.onProgress,
    onAlarm: (submissionId) => options.onAlarm?.(submissionId),
  }

  /** A start and a reconnection are the moments at which a lost answer is most likely to be found. */
  const retryLookups = (): void => {
    // In one commit: after a restored outbox these may be thousands.
    outbox.write(() => {
      for (const id of outbox.submissions.idsIn('unconfirmed'))
        outbox.submissions.setNotBefore(id, clock.now())
    })
    wake()
  }
  const wake = (): void => {
    sender?.wake()
    followUp?.wake()
  }

  let sender: ReturnType<typeof openSender> | null = null
  let followUp: ReturnType<typeof openFollowUp> | null = null
  retryLookups()
  sender = openSender(context)
  followUp = openFollowUp(context)

  return {
    identity: client.identity,
    wake,
    retryNow: (by = 'station') => {
      health.probeNow(by)
      gate.refreshNext()
      retryLookups()
    },
    cancel: (submissionId, who) => sender?.cancel(submissionId, who ?? {}) ?? 'notSending',
    serviceStatus: () => health.status(),
    clockTrouble: () => clockFailure(client.clockReading()),
    clockReading: () => client.clockReading(),
    askAnywhere: (question) => gate.runIn(null, () => question(client, stop.signal)),
    ask: async (centerId, question) => {
      if (centerId === null && settings().centerId !== null) return fail(failureOf('centerNotChanged'))
      const askOnce = (): Promise<
        Result<{ readonly answer: Awaited<ReturnType<typeof question>>; readonly isHeld: boolean }>
      > =>
        gate.runIn(centerId, async (lease) => {
          const answer = await question(client, stop.signal)
          const isElsewhere = await centers.isElsewhere(centerId, stop.signal)
          if (isElsewhere) gate.invalidate()
          return succeed({ answer, isHeld: !isElsewhere && lease.isValid() })
        })
      const first = await askOnce()
      // A new token in the middle may have changed the center: the question is asked again under a center set anew.
      const asked = first.ok && !first.value.isHeld ? await askOnce() : first
      if (!asked.ok) return asked
      return asked.value.isHeld ? asked.value.answer : fail(failureOf('centerNotChanged'))
    },
    runExclusive: (task) => gate.runExclusive(task),
    noteTrouble: (failure) => health.noteTrouble(failure),
    learnCenters: (listed) => centers.learn(listed),
    learnFromList: (centerId, cases) => learnFromList(context, centerId, cases),
    close: async () => {
      // Small questions end at once; a body that is wholly out is given a moment for its answer.
      stop.abort()
      await sender?.close()
      await followUp?.close()
      await client.close()
    },
  }
}
