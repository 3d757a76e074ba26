import { onTestFinished } from 'vitest'
import { type Delivery, openDelivery } from '../../../../src-main/station/delivery/delivery.ts'
import type { AttemptGuard } from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { type Settings, settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { MORNING, openTestOutbox, type TestOutbox } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { ScriptedService } from './scripted-service.ts'

export type TestDelivery = TestOutbox & {
  readonly service: ScriptedService
  readonly clock: ManualClock
  readonly logger: ReturnType<typeof createRecordingLogger>
  readonly progress: readonly (readonly [id: string, handedOver: number, request: number])[]
  /** The submissions that somebody was alarmed about, in order. */
  readonly alarms: readonly string[]
  settings: Settings
  maySend: boolean
  random: number
  /** Opens the delivery, as the station does once its outbox is there. */
  open(): Delivery
}

/** Lets every attempt begin: what guards them has tests of its own. */
export const NO_GUARD: AttemptGuard = {
  announce: () => Promise.resolve({ kind: 'announced' }),
  settle: () => undefined,
}

type Given = {
  readonly guard?: AttemptGuard
  readonly delivery?: Partial<Settings['delivery']>
  readonly centerId?: string | null
  readonly folder?: string
  readonly now?: number
}

/** A delivery on a real outbox, with a service that behaves as the test says. Whatever hangs is let go at the end. */
export function deliveryWith(given: Given = {}): TestDelivery {
  const waker = { wake: (): void => undefined }
  const test = openTestOutbox(given.folder ?? temporaryFolder(), () => waker.wake())
  const clock = new ManualClock({ now: given.now ?? MORNING })
  const service = new ScriptedService(clock)
  const progress: [string, number, number][] = []
  const alarms: string[] = []
  const logger = createRecordingLogger()
  const made: TestDelivery = {
    ...test,
    service,
    clock,
    logger,
    progress,
    alarms,
    settings: settingsSchema.parse({
      service: { baseUrl: service.identity.baseUrl, clientId: service.identity.clientId },
      centerId: given.centerId ?? null,
      delivery: given.delivery ?? {},
    }),
    maySend: true,
    random: 0.5,
    open: () => {
      const delivery = openDelivery({
        outbox: test.outbox,
        client: service,
        guard: given.guard ?? NO_GUARD,
        clock,
        logger,
        random: () => made.random,
        settings: () => made.settings,
        spoolPath: (spoolName) => test.spoolPath(spoolName),
        maySend: () => made.maySend,
        onProgress: ({ id, handedOverBytes, requestBytes }) =>
          void progress.push([id, handedOverBytes, requestBytes]),
        onHealthChanged: () => undefined,
        onAlarm: (submissionId) => void alarms.push(submissionId),
      })
      // As in the station: whatever has changed may be due now.
      waker.wake = () => delivery.wake()
      onTestFinished(async () => {
        service.release()
        service.listAnswer = null
        const closed = delivery.close()
        // A delivery that cannot end is its own test's failure, and nobody else's.
        await Promise.race([closed, clock.turn(10_000)])
      })
      return delivery
    },
  }
  return made
}

/** The outcomes of a submission's attempts, in their order. */
export function outcomesOf(test: Pick<TestDelivery, 'outbox'>, id: string): (string | null)[] {
  return test.outbox.attempts.of(id).map((attempt) => attempt.outcome)
}
