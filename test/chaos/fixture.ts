/** One run: a camera folder, a station in a process of its own, a proxy, and the service with its journal. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FailureKind } from '../../src-shared/failure.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import { type Random, randomFrom } from '../camera/random.ts'
import { quickFolder } from '../end-to-end/station-fixture.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import type { StationConfig } from '../station-process/start-station.ts'
import { compare, type ExpectedVisit, type Findings, isQuiet, receivedBy } from './compare.ts'
import { type ChaosProxy, openChaosProxy } from './proxy.ts'
import { type OutboxView, type Reported, type Supervisor, superviseStation } from './supervised-station.ts'
import { type BodySize, type Visit, visitOf, writeVisit } from './visits.ts'

/** A class of faults: a row of the table. */
export type FaultClass = {
  readonly name: string
  /** Runs of the short run within the tests, and of the full one. */
  readonly runs: { readonly short: number; readonly full: number }
  readonly fixture?: FixtureOptions
  /** Of a fault at every step: how many steps there are, counted in a run without a fault. Each is a full run. */
  readonly steps?: () => Promise<number>
  /** Why it cannot be tried here; null if it can. */
  readonly unavailable?: () => string | null
  /** What a person reads meanwhile: at least one of each list, in at least one run. */
  readonly reports?: {
    readonly failures?: readonly FailureKind[]
    readonly states?: readonly SubmissionState[]
    readonly alarms?: readonly string[]
    /** In the message of a failure, or of a start that was refused. */
    readonly text?: RegExp
  }
  /** Breaks it and returns how often the fault truly struck. `settle` heals it. */
  break(fixture: ChaosFixture): Promise<number>
}

export type FixtureOptions = {
  /** The sizes of the visits that the camera writes; by default two small ones. */
  readonly visits?: readonly BodySize[]
  readonly centers?: 1 | 2
  /** Does the service show free text, so that the reference is seen? The seed decides by default. */
  readonly isEchoing?: boolean
  readonly resendWhenProvenAbsent?: boolean
  readonly answerTimeoutSeconds?: number
  readonly listDelayMs?: number
}

export type ChaosFixture = {
  readonly random: Random
  /** The position of this run among those of its class, in [0, 1): chooses the step that breaks. */
  readonly share: number
  readonly root: string
  readonly camera: string
  readonly dataFolder: string
  readonly service: PracticeService
  readonly proxy: ChaosProxy
  readonly supervisor: Supervisor
  /** Other stations of this run; their outboxes count as well. */
  readonly others: Supervisor[]
  /** What a person read on the stations of this run. */
  readonly heard: Reported[]
  configFor(): StationConfig
  /** Lets the camera write the visits of this run; with two centers, one half under each. */
  writeVisits(): Promise<void>
  /** Starts the station, paused, and waits until all visits are in its queue. */
  queueAll(): Promise<void>
  /** Ends the pause of `queueAll`. */
  resume(): Promise<void>
  /** Polls until the condition holds; false if it does not in time. */
  until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean>
  /** Something else to be ended when the fault is over. */
  onHeal(heal: () => unknown): void
  /** Ends every fault and waits until all is quiet; null if it does not come to rest in time. */
  settle(): Promise<{
    readonly recoveryMs: number | null
    readonly findings: Findings
    readonly restless: readonly string[]
  }>
  close(): Promise<void>
}

export const CENTERS = ['101', '102'] as const
const QUIET_WITHIN_MS = 100_000

/** What does not come to rest is seldom seen twice, so it is saved. All of it is synthetic. */
async function saveForLater(seed: number, content: unknown): Promise<void> {
  const folder = fileURLToPath(new URL('../../test-results/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `chaos-restless-${seed}.json`), JSON.stringify(content, null, 2))
}

export async function openChaosFixture(
  seed: number,
  options: FixtureOptions,
  share = 0,
): Promise<ChaosFixture> {
  const random = randomFrom(seed)
  const isEchoing = options.isEchoing ?? random() < 0.7
  const root = await mkdtemp(join(tmpdir(), 'fundus-courier-chaos-'))
  const camera = join(root, 'camera')
  const dataFolder = join(root, 'one', 'station')
  await mkdir(camera)
  await mkdir(join(root, 'one'))
  const service = await openPracticeService({
    answerDelayMs: 10,
    reportDelayMs: 600_000,
    listDelayMs: options.listDelayMs ?? 0,
    dialect: isEchoing ? { caseFields: 'everything', marksCurrentCenter: true } : {},
  })
  const proxy = await openChaosProxy(Number(new URL(service.baseUrl).port))

  const sizes = options.visits ?? ['small', 'small']
  const visits: Visit[] = await Promise.all(sizes.map((size, index) => visitOf(index + 1, size)))
  const expected: ExpectedVisit[] = visits.map((visit, index) => ({
    ...visit,
    centerId: CENTERS[options.centers === 2 ? index % 2 : 0] ?? '101',
  }))
  let centerId: string = CENTERS[0]
  let written = 0
  const heals: (() => unknown)[] = []

  const config: StationConfig = {
    service: {
      baseUrl: `http://127.0.0.1:${proxy.port}`,
      clientId: service.clientId,
      clientSecret: service.clientSecret,
    },
    centerId,
    folders: [quickFolder(camera, { settleSeconds: 0.1, quietSeconds: 0.3 })],
    delivery: {
      retryBaseSeconds: 0.1,
      lookSeconds: [0.2, 0.5, 1],
      resendWhenProvenAbsent: options.resendWhenProvenAbsent ?? random() < 0.5,
      answerTimeoutSeconds: options.answerTimeoutSeconds ?? 600,
    },
    reports: { checkSeconds: 60 },
    // The disk of a test machine may be small, and nothing here is about its real size.
    storage: { lowWaterBytes: 0, ballastBytes: 0 },
  }
  const supervisor = superviseStation(dataFolder, config)
  const others: Supervisor[] = []

  const until: ChaosFixture['until'] = async (condition, withinMs) => {
    const end = performance.now() + withinMs
    for (;;) {
      if (await condition()) return true
      if (performance.now() > end) return false
      await pause(40)
    }
  }
  const received = () => receivedBy(service)
  const isSpooled = (sha256: string): boolean =>
    existsSync(join(dataFolder, 'spool', sha256.slice(0, 2), sha256))
  const viewOfAll = async (): Promise<OutboxView | null> => {
    const views = await Promise.all([supervisor, ...others].map((one) => one.view()))
    const whole = views.filter((view) => view !== null)
    if (whole.length < views.length) return null
    return {
      submissions: whole.flatMap((view) => view.submissions),
      alarms: whole.flatMap((view) => view.alarms),
    }
  }
  const writeOf = async (center: string): Promise<void> => {
    for (const [index, visit] of visits.entries())
      if (expected[index]?.centerId === center) {
        await writeVisit(camera, visit)
        written += 1
      }
  }
  const areAllQueued = async (): Promise<boolean> => {
    const view = await supervisor.view()
    return (view?.submissions.filter(({ state }) => state === 'waiting') ?? []).length >= written
  }
  const waitUntilQueued = async (): Promise<void> => {
    if (!(await until(areAllQueued, 60_000)))
      throw new Error('The visits did not come into the queue before anything was broken.')
  }

  return {
    random,
    share,
    root,
    camera,
    dataFolder,
    service,
    proxy,
    supervisor,
    others,
    heard: [supervisor.reported],
    configFor: () => ({ ...config, centerId }),
    writeVisits: async () => {
      for (const center of new Set(expected.map((visit) => visit.centerId))) await writeOf(center)
    },
    queueAll: async () => {
      if (!(await supervisor.start())) throw new Error(supervisor.reported.refusals.join('\n'))
      await supervisor.station()?.value('station.pause', { seconds: null })
      await writeOf(CENTERS[0])
      await waitUntilQueued()
      if (options.centers !== 2) return
      centerId = CENTERS[1]
      supervisor.setConfig({ ...config, centerId })
      await supervisor.stop()
      await supervisor.start()
      await writeOf(CENTERS[1])
      await waitUntilQueued()
    },
    resume: async () => {
      await supervisor.station()?.value('station.resume')
    },
    until,
    settle: async () => {
      for (const heal of heals) await heal()
      await proxy.heal()
      service.faults.clear()
      const healedAt = performance.now()
      let view: OutboxView | null = null
      let restless: readonly string[] = ['no answer']
      let quietSince: number | null = null
      while (performance.now() - healedAt < QUIET_WITHIN_MS) {
        for (const one of [supervisor, ...others])
          if (one.station() === null && !(await one.start())) await pause(300)
        view = (await viewOfAll()) ?? view
        restless = view
          ? isQuiet({ ...view, visits: expected, received: received(), isEchoing, isSpooled })
          : restless
        if (restless.length > 0) quietSince = null
        else quietSince ??= performance.now()
        // What is quiet stays so for a moment: a second case may be on its way.
        if (quietSince !== null && performance.now() - quietSince > 700) break
        await pause(100)
      }
      if (quietSince === null)
        await saveForLater(seed, {
          restless,
          view,
          logs: [supervisor, ...others].map((one) => one.station()?.log()),
        })
      const found = view ?? { submissions: [], alarms: [] }
      const findings = compare({ ...found, visits: expected, received: received(), isEchoing, isSpooled })
      return { recoveryMs: quietSince === null ? null : quietSince - healedAt, findings, restless }
    },
    onHeal: (heal: () => unknown) => void heals.push(heal),
    close: async () => {
      for (const one of [supervisor, ...others]) await one.kill()
      await proxy.close()
      await service.close()
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
