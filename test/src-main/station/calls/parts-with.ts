import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseConfig } from '../../../../src-main/station/settings/managed-files.ts'
import type { CallHandlers, StationParts } from '../../../../src-main/station/api.ts'
import { createHandlers } from '../../../../src-main/station/calls/calls.ts'
import type { Delivery } from '../../../../src-main/station/delivery/delivery.ts'
import { readDataFile } from '../../../../src-main/station/readers/read-data.ts'
import { openedHere } from '../../../../src-main/reader/foreign-files.ts'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import { openCases } from '../../../../src-main/station/cases/cases.ts'
import { openDryRunOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import type { Ports } from '../../../../src-main/station/ports.ts'
import { createSignal } from '../../../../src-main/station/lib/part.ts'
import { openSettingsStore } from '../../../../src-main/station/settings/settings.ts'
import type { AuditEntry } from '../../../../src-shared/alarms.ts'
import {
  type CallName,
  type CallOutput,
  calls,
  type EventPayload,
  type ParsedInput,
} from '../../../../src-shared/contract.ts'
import { fail, type Failure, failureOf, type Result } from '../../../../src-shared/failure.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'
import type { SubmissionEvent, SubmissionState } from '../../../../src-shared/states.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { listFiles } from '../../../../src-main/reader/folder/walk.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { syntheticStatus } from '../../../src-renderer/synthetic-submission.ts'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openTestOutbox,
  SERVICE,
  someBytes,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
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
  readonly windows: EventPayload<'windowsChanged'>[]
  /** What the delivery answers to a wish to stop a transfer. */
  cancelled: ReturnType<Delivery['cancel']>
  /** Calls after every commit, as the station does. */
  readonly onCommitted: (listener: () => void) => void
  /** Reads a case again from its files, as is done when they come. */
  readonly refresh: (id: string) => void
  /** Calls as a host does, with the defaults of the contract filled in; the answer must be one of the contract. */
  call<Name extends CallName>(name: Name, input: unknown): Promise<Result<CallOutput<Name>>>
}

/** The calls on a real outbox, a real cases that watches nothing, real settings and a scripted service. */
export async function partsWith(
  config: Partial<Settings> = {},
  lent: Partial<Ports> = {},
  folder?: string,
): Promise<TestParts> {
  const committed = createSignal()
  const test = openTestOutbox(folder, committed.emit)
  const clock = lent.clock instanceof ManualClock ? lent.clock : new ManualClock({ now: MORNING })
  const service = new ScriptedService(clock)
  // The first token is taken before the center is set, as the gate does it.
  service.renewToken()
  const done: string[] = []
  const ports = stationPorts({ clock, ...lent })
  const { logger, secrets } = ports
  const settings = await openSettingsStore({
    dataFolder: test.folder,
    config: parseConfig(config),
    secrets,
    logger,
  })
  const cases = openCases({
    outbox: test.outbox,
    clock,
    logger,
    settings: () => settings.current(),
    spoolFolder: join(test.folder, 'spool'),
    pictureFolder: join(test.folder, 'spool'),
    foreign: openedHere,
    own: openedHere,
    readPhoto,
    readDataFile: async (name, bytes, how) => readDataFile(name, bytes, how),
    version: '0',
    openMemoryOutbox: openDryRunOutbox,
    openWatcher: () => ({
      files: openedHere,
      sweep: () => undefined,
      reportGone: () => undefined,
      readAgain: () => undefined,
      acknowledge: () => undefined,
      close: () => Promise.resolve(),
    }),
    listFiles,
    station: { stationId: 'station-1', hostName: 'camera-room' },
    existingByDefault: 'include',
  })
  onTestFinished(() => cases.close())
  cases.recheckUnits()
  cases.undo.begin()
  const delivery: Delivery = {
    identity: SERVICE,
    wake: () => void done.push('wake'),
    retryNow: () => void done.push('retryNow'),
    cancel: (id) => {
      done.push(`cancel ${id}`)
      return made.cancelled
    },
    serviceStatus: () => syntheticStatus().service,
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
    learnFromList: async (centerId, cases) =>
      void done.push(`audit ${cases.length} under ${centerId ?? 'none'}`),
    close: () => Promise.resolve(),
  }
  const reportsFolder = join(test.folder, 'reports')
  const parts: StationParts = {
    ports,
    outbox: test.outbox,
    startNormally: async () => void done.push('start normally'),
    eraseLeftovers: async () => void done.push('erase leftovers'),
    cases,
    uploads: {
      taken: async (paths) => void done.push(`taken ${paths.length} files`),
    },
    reports: { wake: () => void done.push('wake reports'), close: () => Promise.resolve() },
    settings,
    managedFiles: [],
    commandLine: {},
    reportsFolder,
    stationId: 'station-1',
    dataFolder: test.folder,
    protection: { folder: 'closed', disk: Promise.resolve('encrypted') },
    delivery: () => (made.hasDelivery ? delivery : null),
    status: () =>
      syntheticStatus({
        mode: made.isSafe ? { kind: 'paused', why: 'safeMode', until: null } : { kind: 'running' },
        counts: test.outbox.countSubmissions(),
        folders: cases.folders.status(),
        names: [...cases.names.status()],
        centerId: settings.current().centerId,
        alarms: test.outbox.openAlarms(),
        now: clock.now(),
      }),
    setPause: (until) => void done.push(`pause ${String(until)}`),
    applySettings: async (changed) => {
      done.push(`apply ${changed.join(' ')}`)
      if (changed.includes('folders')) await cases.folders.watch(settings.current().folders)
    },
    openTestClient: ({ baseUrl, clientId, clientSecret }) => {
      done.push(clientSecret === undefined ? 'try with the stored secret' : 'try with the entered secret')
      return Object.create(service, { identity: { value: { baseUrl, clientId } } }) as ScriptedService
    },
    emitStatus: () => void done.push('status'),
    emitCallProgress: (progress) => void made.progress.push(progress),
    emitWindows: (windows) => void made.windows.push(windows),
    isStopping: () => made.isStopping,
    requestStop: () => void done.push('stop'),
  }
  const handlers = createHandlers(parts)
  const made: TestParts = {
    ...test,
    onCommitted: committed.subscribe,
    clock,
    service,
    handlers,
    parts,
    refresh: (id) => void cases.refresh(id),
    done,
    reportsFolder,
    hasDelivery: true,
    isSafe: false,
    isStopping: false,
    progress: [],
    windows: [],
    cancelled: 'notSending',
    call: async <Name extends CallName>(name: Name, input: unknown) => {
      const parsed = calls[name].input.safeParse(input)
      if (!parsed.success) return fail(failureOf('badRequest'))
      const handler: (input: ParsedInput<Name>) => Promise<Result<CallOutput<Name>>> = handlers[name]
      const answer = await handler(parsed.data as ParsedInput<Name>)
      if (answer.ok) calls[name].output.parse(answer.value)
      return answer
    },
  }
  return made
}

export const COMPLETE = { history_number: 'H-1', visit_date: '2026-11-20' } satisfies Fields

type CaseOptions = {
  /** Entered by a person. */
  readonly fields?: Fields
  readonly centerId?: string | null
  /** The number of right eyes, or their file names. */
  readonly images?: number | readonly string[]
}

const WAITING = ['gatheredToSend'] as const

/** How a case comes into each state; from the attempt on `endAttempt` leads. */
const WAY_TO: Readonly<Record<SubmissionState, readonly SubmissionEvent[]>> = {
  collecting: [],
  incomplete: ['gatheredIncomplete'],
  review: ['gatheredForReview'],
  held: ['gatheredForReview', 'held'],
  discarded: ['gatheredForReview', 'discarded'],
  waiting: WAITING,
  sending: WAITING,
  unconfirmed: WAITING,
  refused: WAITING,
  sent: WAITING,
}

/** A case in a state, complete unless its fields say otherwise, with eyes that a person has set; its id. */
export function addCase(
  test: TestParts,
  state: SubmissionState = 'collecting',
  { fields = COMPLETE, centerId = null, images = 1 }: CaseOptions = {},
): string {
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const]))
  const id = test.outbox.createSubmission(newSubmission({ fields, sources, centerId }))
  for (const fileName of typeof images === 'number' ? Array<undefined>(images).fill(undefined) : images)
    addEye(test, id, { fileName })
  test.refresh(id)
  follow(test, id, ...WAY_TO[state])
  if (state === 'sending') openAttempt(test, id)
  if (state === 'unconfirmed') loseAnswer(test, id)
  if (state === 'refused') endAttempt(test, id, 'refused', 'wasRefused', failureOf('serviceRefused'))
  if (state === 'sent') endAttempt(test, id, 'delivered', 'deliveredNow', null)
  return id
}

/** The calls with one case in this state. */
export async function caseIn(
  state: SubmissionState,
  options: CaseOptions = {},
): Promise<{ readonly test: TestParts; readonly id: string }> {
  const test = await partsWith()
  return { test, id: addCase(test, state, options) }
}

/** Adds an image whose eye a person has set; its id. */
export function addEye(
  test: TestParts,
  id: string,
  { fileName, eye = 'right', at = MORNING }: { fileName?: string | undefined; eye?: Eye; at?: number } = {},
): string {
  const imageId = addTestImage(test, id, { bytes: someBytes(), at, ...(fileName && { fileName }) })
  test.outbox.setEye(imageId, { eye, source: 'person', statements: null })
  return imageId
}

/** Adds a file to a case that cannot be used; its id. */
export function addUnusable(test: TestParts, submissionId: string, fileName = 'visit/OS_2.jpg'): string {
  const file = { folderPath: '/exports', relativePath: fileName, sizeBytes: 0, mtimeMs: MORNING }
  test.outbox.saveUnusable({
    ...file,
    ...worded('intake:watch.overdue.empty'),
    stemKey: fileName.toLowerCase().replace(/\.[^.]*$/, ''),
    submissionId,
    why: 'empty',
    at: MORNING,
  })
  test.refresh(submissionId)
  return test.outbox.unusableAt(file)?.id ?? ''
}

/** Moves a case by these events. */
export function follow(test: TestParts, id: string, ...events: readonly SubmissionEvent[]): void {
  for (const event of events) test.outbox.moveSubmission(id, event, {}, { at: MORNING })
}

export function openAttempt(test: TestParts, id: string): string {
  const destination = { ...SERVICE, centerId: test.outbox.rowOf(id)?.center_id ?? null }
  return test.outbox.openAttempt({ submissionId: id, destination, requestBytes: 9, at: MORNING }).attemptId
}

export function endAttempt(
  test: TestParts,
  id: string,
  outcome: 'unknown' | 'refused' | 'delivered',
  event: SubmissionEvent,
  failure: Failure | null,
): void {
  const end = { outcome, handedOverBytes: 9, failure, answer: null, at: MORNING }
  test.outbox.endAttempt(openAttempt(test, id), end, event, {
    failure,
    ...(outcome === 'delivered' && { caseId: id, sentAt: MORNING }),
    ...(outcome === 'unknown' && { notBefore: MORNING + 9_000 }),
  })
}

/** An attempt whose response was lost; the list before it showed these cases. */
export function loseAnswer(test: TestParts, id: string, caseIds?: readonly string[]): void {
  const destination = { ...SERVICE, centerId: null }
  if (caseIds) test.outbox.saveCaseList(destination, { readAt: MORNING, caseIds })
  endAttempt(test, id, 'unknown', 'becameUnknown', null)
}

/** The audit trail of a case, newest first. */
export function trailOf(test: TestParts, submissionId: string): AuditEntry[] {
  return test.outbox.listAudit({ submissionId, limit: 99 })
}
