import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CallHandlers } from '../../../../src-main/station/api.ts'
import type { StationParts } from '../../../../src-main/station/calls/parts.ts'
import { moveCalls } from '../../../../src-main/station/calls/decisions.ts'
import { groupingCalls } from '../../../../src-main/station/calls/grouping.ts'
import { oversightCalls } from '../../../../src-main/station/calls/oversight.ts'
import { reportCalls, serviceCalls } from '../../../../src-main/station/calls/service.ts'
import { stationCalls, updateCalls } from '../../../../src-main/station/calls/settings.ts'
import { submissionCalls } from '../../../../src-main/station/calls/submissions.ts'
import type { Delivery } from '../../../../src-main/station/delivery/delivery.ts'
import { readPhoto } from '../../../../src-main/station/intake/images/photo.ts'
import { openIntake } from '../../../../src-main/station/intake/intake.ts'
import { openDryRunOutbox } from '../../../../src-main/station/outbox/thread.ts'
import type { Ports } from '../../../../src-main/station/ports.ts'
import { openSettingsStore } from '../../../../src-main/station/settings/settings.ts'
import {
  type CallName,
  type CallOutput,
  calls,
  type EventPayload,
  type ParsedInput,
} from '../../../../src-shared/contract.ts'
import { fail, failureOf, type Result } from '../../../../src-shared/failure.ts'
import { type Settings, settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createMemorySecrets } from '../../../tools/memory-secrets.ts'
import { MORNING, openTestOutbox, PLACE, type TestOutbox } from '../../../tools/outbox-with.ts'
import { ScriptedService } from '../delivery/scripted-service.ts'

export type TestParts = TestOutbox & {
  readonly clock: ManualClock
  readonly service: ScriptedService
  readonly handlers: CallHandlers
  readonly parts: StationParts
  /** What the calls asked the other parts to do, in order. */
  readonly done: string[]
  readonly reportsFolder: string
  hasDelivery: boolean
  isSafe: boolean
  isStopping: boolean
  /** How far the calls on many cases said that they were. */
  readonly progress: EventPayload<'callProgressed'>[]
  /** What the delivery answers to a wish to stop a transfer. */
  cancelled: ReturnType<Delivery['cancel']>
  /** Reads a case anew from its files, as the intake does when they come. */
  readonly refresh: (id: string) => void
  /** Calls as a host does, with the defaults of the contract filled in; the answer must be one of the contract. */
  call<Name extends CallName>(name: Name, input: unknown): Promise<Result<CallOutput<Name>>>
}

async function* noFiles(): AsyncGenerator<never> {}

/** The calls on a real outbox, a real intake that watches nothing, real settings and a scripted service. */
export async function partsWith(
  config: Partial<Settings> = {},
  lent: Partial<Ports> = {},
): Promise<TestParts> {
  const test = openTestOutbox()
  const clock = lent.clock instanceof ManualClock ? lent.clock : new ManualClock({ now: MORNING })
  const service = new ScriptedService(clock)
  // The first token is taken before the center is set, as the gate does it.
  service.renewToken()
  const logger = createRecordingLogger()
  const done: string[] = []
  const secrets = createMemorySecrets()
  const settings = await openSettingsStore({
    dataFolder: test.folder,
    config: { settings: settingsSchema.parse(config), stated: config, enforced: [] },
    secrets,
    logger,
  })
  const intake = openIntake({
    outbox: test.outbox,
    clock,
    logger,
    settings: () => settings.current(),
    spoolFolder: join(test.folder, 'spool'),
    pictureFolder: join(test.folder, 'spool'),
    readPhoto,
    openMemoryOutbox: openDryRunOutbox,
    openWatcher: () => ({
      sweep: () => undefined,
      acknowledge: () => undefined,
      close: () => Promise.resolve(),
    }),
    listFiles: noFiles,
    station: { stationId: 'station-1', hostName: 'camera-room' },
    existingByDefault: 'include',
  })
  onTestFinished(() => intake.close())
  intake.recheckUnits()
  const delivery: Delivery = {
    identity: PLACE,
    wake: () => void done.push('wake'),
    retryNow: () => void done.push('retryNow'),
    cancel: (id) => {
      done.push(`cancel ${id}`)
      return made.cancelled
    },
    serviceStatus: () => ({
      health: 'unknown',
      since: 0,
      failure: null,
      nextTryAt: null,
      lastSuccessAt: null,
    }),
    ask: async (centerId, question) => {
      done.push(`ask under ${centerId ?? 'none'}`)
      service.center = centerId
      return question(service, new AbortController().signal)
    },
    askAnywhere: (question) => {
      done.push('ask anywhere')
      return question(service, new AbortController().signal)
    },
    runExclusive: (task) => {
      done.push('apart')
      return task()
    },
    noteTrouble: () => undefined,
    clockTrouble: () => null,
    clockReading: () => ({ kind: 'right' }),
    learnCenters: (centers) => void done.push(`learn ${centers.length} centers`),
    learnFromList: (centerId, cases) => {
      done.push(`audit ${cases.length} under ${centerId ?? 'none'}`)
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
  const reportsFolder = join(test.folder, 'reports')
  const parts: StationParts = {
    ports: {
      host: 'headless',
      version: '0.0.0',
      system: 'Test 1',
      runtime: 'Node 24',
      clock,
      logger,
      secrets,
      proxies: { proxyFor: () => Promise.resolve(null) },
      notifier: { notify: () => undefined },
      workers: {
        watch: new URL('file:///nowhere'),
        photo: new URL('file:///nowhere'),
        outbox: new URL('file:///nowhere'),
      },
      ...lent,
    },
    outbox: test.outbox,
    startNormally: () => {
      done.push('start normally')
      return Promise.resolve()
    },
    intake,
    uploads: {
      taken: (paths) => {
        done.push(`taken ${paths.length} files`)
        return Promise.resolve()
      },
    },
    reports: { wake: () => void done.push('wake reports'), close: () => Promise.resolve() },
    settings,
    managedFiles: [],
    commandLine: {},
    reportsFolder,
    stationId: 'station-1',
    dataFolder: test.folder,
    delivery: () => (made.hasDelivery ? delivery : null),
    status: () => ({
      version: '0.0.0',
      host: 'headless',
      mode: made.isSafe ? { kind: 'paused', why: 'safeMode', until: null } : { kind: 'running' },
      counts: test.outbox.submissions.count(),
      folders: intake.status(),
      service: delivery.serviceStatus(),
      centerId: settings.current().centerId,
      patientList: { kind: 'off', patients: 0, message: null, readAt: null },
      clock: null,
      alarms: test.outbox.alarms.listOpen(),
      namesRule: 'known',
      reportsUnread: 0,
      lastSentAt: null,
      storage: null,
      now: clock.now(),
    }),
    setPause: (until) => void done.push(`pause ${String(until)}`),
    applySettings: async ({ isServiceChanged, areFoldersChanged }) => {
      done.push(`apply${isServiceChanged ? ' service' : ''}${areFoldersChanged ? ' folders' : ''}`)
      if (areFoldersChanged) await intake.watch(settings.current().folders)
    },
    openTestClient: ({ baseUrl, clientId, clientSecret }) => {
      done.push(clientSecret === undefined ? 'try with the kept secret' : 'try with a secret that was given')
      return Object.create(service, { identity: { value: { baseUrl, clientId } } }) as ScriptedService
    },
    emitStatus: () => void done.push('status'),
    emitCallProgress: (progress) => void made.progress.push(progress),
    isStopping: () => made.isStopping,
    requestStop: () => void done.push('stop'),
  }
  const handlers: CallHandlers = {
    ...stationCalls(parts),
    ...submissionCalls(parts),
    ...groupingCalls(parts),
    ...moveCalls(parts),
    ...oversightCalls(parts),
    ...serviceCalls(parts),
    ...reportCalls(parts),
    ...updateCalls(parts),
  }
  const made: TestParts = {
    ...test,
    clock,
    service,
    handlers,
    parts,
    refresh: (id) => void intake.refresh(id),
    done,
    reportsFolder,
    hasDelivery: true,
    isSafe: false,
    isStopping: false,
    progress: [],
    cancelled: 'notSending',
    call: async <Name extends CallName>(name: Name, input: unknown) => {
      const parsed = calls[name].input.safeParse(input)
      if (!parsed.success) return fail(failureOf('badRequest'))
      const handler: (given: ParsedInput<Name>) => Promise<Result<CallOutput<Name>>> = handlers[name]
      const answer = await handler(parsed.data as ParsedInput<Name>)
      if (answer.ok) calls[name].output.parse(answer.value)
      return answer
    },
  }
  return made
}
