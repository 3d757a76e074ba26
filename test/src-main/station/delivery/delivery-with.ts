import { onTestFinished } from 'vitest'
import { type Delivery, openDelivery } from '../../../../src-main/station/delivery/delivery.ts'
import type { AttemptGuard } from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { type Settings, settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import {
  addWaiting,
  MORNING,
  openTestOutbox,
  type TestOutbox,
  type Waiting,
} from '../../../tools/outbox-with.ts'
import { type PostPlan, ScriptedService } from './scripted-service.ts'

export type TestDelivery = TestOutbox & {
  readonly service: ScriptedService
  readonly clock: ManualClock
  readonly logger: ReturnType<typeof createRecordingLogger>
  readonly progress: readonly (readonly [id: string, handedOver: number, request: number])[]
  /** The submissions that an alarm was raised about, in order. */
  readonly alarms: readonly string[]
  settings: Settings
  maySend: boolean
  /** Reads a case again before another attempt. */
  reread: (id: string) => void
  random: number
  /** Opens the delivery, as the station does once its outbox is there. */
  open(): Delivery
}

/** Lets every attempt begin: what guards them has tests of its own. */
export const NO_GUARD: AttemptGuard = {
  announce: () => Promise.resolve({ kind: 'announced' }),
  settle: () => undefined,
}

type Options = {
  readonly guard?: AttemptGuard
  readonly delivery?: Partial<Settings['delivery']>
  readonly centerId?: string | null
  readonly folder?: string
  readonly now?: number
}

/** A delivery on a real outbox, with a service that behaves as the test says. Whatever hangs is let go at the end. */
export function deliveryWith(options: Options = {}): TestDelivery {
  const waker = { wake: (): void => undefined }
  const test = openTestOutbox(options.folder, () => waker.wake())
  const clock = new ManualClock({ now: options.now ?? MORNING })
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
      centerId: options.centerId ?? null,
      delivery: options.delivery ?? {},
    }),
    maySend: true,
    reread: () => undefined,
    random: 0.5,
    open: () => {
      const delivery = openDelivery({
        outbox: test.outbox,
        client: service,
        guard: options.guard ?? NO_GUARD,
        clock,
        logger,
        random: () => made.random,
        settings: () => made.settings,
        spoolPath: (spoolName) => test.spoolPath(spoolName),
        reread: (id) => made.reread(id),
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
        // A delivery that cannot end fails its own test only.
        await Promise.race([closed, clock.turn(10_000)])
      })
      return delivery
    },
  }
  return made
}

type Sending = Options & {
  /** What becomes of each post in turn; the last one goes for all that follow. */
  readonly plan?: PostPlan | readonly PostPlan[] | ScriptedService['plan']
  readonly waiting?: Waiting
  readonly cases?: number
  readonly turnMs?: number
}

/** Opens a delivery with cases that wait under its center, once `prepare` has run, and turns the clock. */
export async function sending(
  { plan, waiting, cases = 1, turnMs = 0, ...options }: Sending = {},
  prepare: (test: TestDelivery, id: string) => void = () => undefined,
) {
  const test = deliveryWith(options)
  const { centerId = null } = options
  const ids = Array.from({ length: cases }, () => addWaiting(test, { centerId, ...waiting }))
  const [id = ''] = ids
  if (plan !== undefined) test.service.plan = planned(plan)
  prepare(test, id)
  const delivery = test.open()
  await test.clock.turn(turnMs)
  return { test, delivery, id, ids }
}

/** The plan of each post by its number, from 1. */
export function planned(plan: NonNullable<Sending['plan']>): ScriptedService['plan'] {
  if (typeof plan === 'function') return plan
  const plans = 'kind' in plan ? [plan] : plan
  return (number) => plans[Math.min(number, plans.length) - 1] ?? { kind: 'taken' }
}

/** Runs `act` with the bytes that were handed over of a post so far, which is the post with this number from 1. */
export function onEachPiece(
  test: TestDelivery,
  act: (bytes: number, whole: number, number: number) => void,
): void {
  const { postCase } = test.service
  let count = 0
  test.service.postCase = (options) => {
    const number = (count += 1)
    return postCase({
      ...options,
      onReleased: (bytes) => {
        options.onReleased(bytes)
        act(bytes, options.body.contentLength, number)
      },
    })
  }
}

/** Runs `act` before each list is read: a case is chosen by then, and its attempt has not begun. */
export function onEachList(test: TestDelivery, act: (number: number) => Promise<void> | void): void {
  const { listCases } = test.service
  let count = 0
  test.service.listCases = async (signal) => {
    await act((count += 1))
    return listCases(signal)
  }
}

/** How often a question was asked. */
export function askedCount({ service }: TestDelivery, question: string): number {
  return service.asked.filter((asked) => asked === question).length
}

/** A service that marks the center that is set. */
export function markCenters({ service }: TestDelivery, ids: readonly string[] = ['101', '102']): void {
  service.centersShown = () =>
    ids.map((centerId) => ({ centerId, name: null, isCurrent: service.center === centerId }))
}

/** The list has shown every one of three cases that were confirmed before. */
export function calibrate(test: TestDelivery, centerId: string | null = null): void {
  const calibration = { seen: 3, missed: 0, slowestMs: 1_000 }
  test.outbox.saveCalibration({ ...test.service.identity, centerId }, calibration)
}

export function referenceOf(test: Pick<TestDelivery, 'outbox'>, id: string): string {
  return test.outbox.submissionOf(id)?.reference ?? ''
}

/** The findings about a submission in their order, each with the ids that it names. */
export function evidenceOf(test: Pick<TestDelivery, 'outbox'>, id: string): unknown[] {
  return (test.outbox.detailsOf(id)?.evidence ?? []).map(({ kind, caseIds }) => [kind, caseIds])
}

/** Opens an attempt of a submission without a delivery, and ends it if it says how. */
export function attempted(
  { outbox }: Pick<TestDelivery, 'outbox'>,
  submissionId: string,
  destination: Parameters<TestDelivery['outbox']['openAttempt']>[0]['destination'],
  end?: { readonly outcome: 'unknown' | 'delivered'; readonly notBefore?: number; readonly caseId?: string },
  at = MORNING,
): string {
  const { attemptId } = outbox.openAttempt({ submissionId, destination, requestBytes: 9, at })
  if (!end) return attemptId
  const { outcome, ...patch } = end
  const event = outcome === 'unknown' ? 'becameUnknown' : 'deliveredNow'
  outbox.endAttempt(attemptId, { outcome, handedOverBytes: 9, failure: null, answer: null, at }, event, {
    ...patch,
    ...(outcome === 'delivered' && { sentAt: at }),
  })
  return attemptId
}

/** The outcomes of a submission's attempts, in their order. */
export function outcomesOf(test: Pick<TestDelivery, 'outbox'>, id: string): (string | null)[] {
  return test.outbox.attemptsOf(id).map((attempt) => attempt.outcome)
}
