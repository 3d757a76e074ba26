/** One run: a camera folder, a station in a process of its own, a proxy, and the service with its journal. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Random, randomFrom } from '../camera/random.ts'
import { quickFolder } from '../end-to-end/station-scene.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import type { StationConfig } from '../station-process/start-station.ts'
import { openChaosProxy, type ChaosProxy } from './chaos-proxy.ts'
import { compare, type ExpectedVisit, type Findings, type ReceivedCase } from './compare.ts'
import { isQuiet } from './is-quiet.ts'
import type { SceneWishes } from './scene-wishes.ts'
import { keepStation, type OutboxView, type StationKeeper, type Told } from './station-keeper.ts'
import { visitOf, writeVisit, type Visit } from './visits.ts'

export type ChaosScene = {
  readonly random: Random
  /** Where this run stands among those of its class, in [0, 1): chooses the step that breaks. */
  readonly share: number
  readonly root: string
  readonly camera: string
  readonly dataFolder: string
  readonly service: PracticeService
  readonly proxy: ChaosProxy
  readonly keeper: StationKeeper
  /** Other stations of this run; their outboxes count as well. */
  readonly others: StationKeeper[]
  configFor(changes?: Partial<StationConfig>): StationConfig
  /** Lets the camera write the visits of this run; with two centers, one half under each. */
  writeVisits(): Promise<void>
  /** Starts the station, paused, and waits until all visits are in its line. */
  queueAll(): Promise<void>
  /** Ends the pause of `queueAll`. */
  letGo(): Promise<void>
  /** Waits for something, asking often; answers whether it came. */
  until(ask: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean>
  /** Whole cases that the service stored, by its journal. */
  received(): readonly ReceivedCase[]
  /** Ends every fault and waits until all is quiet; null: it did not come to rest in time. */
  settle(): Promise<{
    readonly recoveryMs: number | null
    readonly findings: Findings
    readonly restless: readonly string[]
  }>
  /** What a person heard from a station of this run. */
  readonly heard: Told[]
  /** More to be ended when the fault is over. */
  onHeal(heal: () => unknown): void
  close(): Promise<void>
}

export const CENTERS = ['101', '102'] as const
const QUIET_WITHIN_MS = 100_000

/** What does not come to rest is seldom seen twice: what it looked like is kept. All of it is synthetic. */
async function keepForLater(seed: number, content: unknown): Promise<void> {
  const folder = fileURLToPath(new URL('../../test-results/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `chaos-restless-${seed}.json`), JSON.stringify(content, null, 2))
}

export async function openChaosScene(seed: number, wishes: SceneWishes, share = 0): Promise<ChaosScene> {
  const random = randomFrom(seed)
  const isEchoing = wishes.isEchoing ?? random() < 0.7
  const root = await mkdtemp(join(tmpdir(), 'fundus-courier-chaos-'))
  const camera = join(root, 'camera')
  const dataFolder = join(root, 'one', 'station')
  await mkdir(camera)
  await mkdir(join(root, 'one'))
  const service = await openPracticeService({
    answerDelayMs: 10,
    reportDelayMs: 600_000,
    listDelayMs: wishes.listDelayMs ?? 0,
    dialect: isEchoing ? { caseFields: 'everything', marksCurrentCenter: true } : {},
  })
  const proxy = await openChaosProxy(Number(new URL(service.baseUrl).port))

  const sizes = wishes.visits ?? ['small', 'small']
  const visits: Visit[] = await Promise.all(sizes.map((size, index) => visitOf(index + 1, size)))
  const expected: ExpectedVisit[] = visits.map((visit, index) => ({
    ...visit,
    centerId: CENTERS[wishes.centers === 2 ? index % 2 : 0] ?? '101',
  }))
  let centerId: string = CENTERS[0]
  let written = 0
  const heals: (() => unknown)[] = []

  const configFor = (changes: Partial<StationConfig> = {}): StationConfig => ({
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
      resendWhenProvenAbsent: wishes.resendWhenProvenAbsent ?? random() < 0.5,
      answerTimeoutSeconds: wishes.answerTimeoutSeconds ?? 600,
    },
    reports: { checkSeconds: 60 },
    // The disk of a test machine may be small, and nothing here is about its real size.
    storage: { lowWaterBytes: 0, ballastBytes: 0 },
    ...changes,
  })
  const config = configFor()
  const keeper = keepStation(dataFolder, config)
  const others: StationKeeper[] = []

  const until: ChaosScene['until'] = async (ask, withinMs) => {
    const end = performance.now() + withinMs
    for (;;) {
      if (await ask()) return true
      if (performance.now() > end) return false
      await pause(40)
    }
  }
  const received = (): readonly ReceivedCase[] =>
    service.journal
      .of('POST /cases')
      .flatMap(({ caseId, centerId: under, fields, images }) =>
        caseId === null ? [] : [{ caseId, centerId: under ?? '', fields, images }],
      )
  const viewOfAll = async (): Promise<OutboxView | null> => {
    const views = await Promise.all([keeper, ...others].map((one) => one.view()))
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
  const areAllSeen = async (): Promise<boolean> => {
    const view = await keeper.view()
    const queued = view?.submissions.filter(({ state }) => state === 'waiting') ?? []
    return queued.length >= written
  }
  const mustSee = async (): Promise<void> => {
    if (!(await until(areAllSeen, 60_000)))
      throw new Error('The visits did not come into the line before anything was broken.')
  }

  return {
    random,
    share,
    root,
    camera,
    dataFolder,
    service,
    proxy,
    keeper,
    others,
    heard: [keeper.told],
    configFor: (changes: Partial<StationConfig> = {}) => ({ ...config, centerId, ...changes }),
    writeVisits: async () => {
      for (const center of new Set(expected.map((visit) => visit.centerId))) await writeOf(center)
    },
    queueAll: async () => {
      if (!(await keeper.start())) throw new Error(keeper.told.refusals.join('\n'))
      await keeper.station()?.value('station.pause', { seconds: null })
      await writeOf(CENTERS[0])
      await mustSee()
      if (wishes.centers !== 2) return
      centerId = CENTERS[1]
      keeper.setConfig({ ...config, centerId })
      await keeper.stop()
      await keeper.start()
      await writeOf(CENTERS[1])
      await mustSee()
    },
    letGo: async () => {
      await keeper.station()?.value('station.resume')
    },
    until,
    received,
    settle: async () => {
      for (const heal of heals) await heal()
      await proxy.heal()
      service.faults.clear()
      const healedAt = performance.now()
      let view: OutboxView | null = null
      let restless: readonly string[] = ['nobody answered']
      let quietSince: number | null = null
      while (performance.now() - healedAt < QUIET_WITHIN_MS) {
        for (const one of [keeper, ...others])
          if (one.station() === null && !(await one.start())) await pause(300)
        view = (await viewOfAll()) ?? view
        restless = view
          ? isQuiet({ visits: expected, received: received(), submissions: view.submissions, isEchoing })
          : ['nobody answered']
        if (restless.length > 0) quietSince = null
        else quietSince ??= performance.now()
        // What is quiet stays so for a moment: a second case may be on its way.
        if (quietSince !== null && performance.now() - quietSince > 700) break
        await pause(100)
      }
      if (quietSince === null)
        await keepForLater(seed, {
          restless,
          view,
          logs: [keeper, ...others].map((one) => one.station()?.log()),
        })
      const findings = compare({
        visits: expected,
        received: received(),
        submissions: view?.submissions ?? [],
        alarms: view?.alarms ?? [],
        isEchoing,
      })
      return { recoveryMs: quietSince === null ? null : quietSince - healedAt, findings, restless }
    },
    onHeal: (heal: () => unknown) => void heals.push(heal),
    close: async () => {
      for (const one of [keeper, ...others]) await one.kill()
      await proxy.close()
      await service.close()
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
