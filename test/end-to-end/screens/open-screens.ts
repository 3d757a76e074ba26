/**
 * The built screens on a real station in this process: its outbox is filled before it opens, the practice service is
 * its service, and the HTTP host carries it. All tests use one page, one after the other.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFinished, type TestContext } from 'vitest'
import { openHttpHost } from '../../../src-main/headless/http-server.ts'
import type { CallHandlers, Station } from '../../../src-main/station/api.ts'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { type ManagedSetup, parseConfig } from '../../../src-main/station/settings/managed-files.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { type CallInput, type CallName, type CallOutput, calls } from '../../../src-shared/contract.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { openPracticeService, type PracticeService } from '../../practice-service/practice-service.ts'
import type { PracticeOptions } from '../../practice-service/desk.ts'
import type { Dialect } from '../../practice-service/desk.ts'
import type { StationConfig } from '../../station-process/start-station.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { type AtEnd, temporaryFolder } from '../../tools/temporary-folder.ts'
import { openTestBrowser } from '../browser.ts'
import { quickFolder } from '../station-fixture.ts'
import { type SeededCase, seedCases } from './seed-cases.ts'

export type ScreensOptions = {
  /** What the outbox holds when the station opens. */
  readonly cases?: readonly SeededCase[]
  readonly practice?: PracticeOptions
  /** Over the defaults of a test; the camera folder is watched unless `folders` is given. */
  readonly config?: Partial<StationConfig>
  readonly managed?: ManagedSetup
  /** Can an approval be undone for some seconds? Else it is final at once. */
  readonly hasUndo?: boolean
  /** A data folder that is there already, in place of `cases`. */
  readonly dataFolder?: string
}

export type Screens = {
  readonly page: Page
  readonly service: PracticeService
  readonly station: Station
  /** The watched folder. */
  readonly camera: string
  readonly dataFolder: string
  /** The address that a person opens. */
  readonly address: string
  /** The ids of the seeded cases by their history number. */
  readonly ids: Readonly<Record<string, string>>
  /** Addresses outside of the station that were asked; what the page's policy stopped is not among them. */
  readonly strangers: string[]
  /** What the browser's console complained of. */
  readonly complaints: string[]
  /** Calls the station as another person does; a failure fails the test. */
  readonly value: <Name extends CallName>(name: Name, input?: CallInput<Name>) => Promise<CallOutput<Name>>
  /** The case with this history number as the station has it. */
  readonly caseOf: (who: string) => Promise<SubmissionDetails>
  /** Answers one call in the station's place until null is given. */
  readonly answerWith: <Name extends CallName>(name: Name, handler: CallHandlers[Name] | null) => void
  readonly goTo: (hash: string) => Promise<void>
  /** Opens the case with this history number and waits for its heading. */
  readonly openCase: (who: string) => Promise<void>
  readonly row: (who: string) => Locator
  /** Ends the host as a station that is gone. */
  readonly closeHost: () => Promise<void>
}

const VIEWPORT = { width: 1_280, height: 800 }

let shared: Page | null = null

/** The page of the run, or why there is none. */
async function findPage(): Promise<Page | string> {
  if (shared !== null) return shared
  const opened = await openTestBrowser()
  if (opened.kind === 'absent') return opened.why
  shared = await opened.browser.newPage({ colorScheme: 'light', viewport: VIEWPORT, locale: 'en-GB' })
  shared.setDefaultTimeout(90_000)
  return shared
}

// The page belongs to all tests: the first does not pay for it.
beforeAll(async () => {
  await findPage()
})

function printIfFailed({ task, onTestFinished: atEnd }: TestContext, page: Page): void {
  atEnd(async () => {
    if (task.result?.state === 'fail') process.stderr.write(`${await page.locator('body').ariaSnapshot()}\n`)
  })
}

async function emptyPage(page: Page): Promise<void> {
  await page.context().setOffline(false)
  await page.unrouteAll()
  await page.goto('about:blank')
  page.removeAllListeners()
  await page.setViewportSize(VIEWPORT)
  await page.emulateMedia({ colorScheme: 'light', media: null })
}

/**
 * Opens the screens and waits for the queue; everything is closed when the test ends. Without a browser the test is
 * skipped.
 */
export async function openScreens(context: TestContext, options: ScreensOptions = {}): Promise<Screens> {
  const page = await findPage()
  if (typeof page === 'string') return context.skip(page)
  const screens = await openOn(page, options, onTestFinished)
  printIfFailed(context, page)
  return screens
}

/**
 * One station and its screens for all tests of a file: most of the time of a small test is their start. They are open
 * before the first test, and closed after the last one.
 */
export function shareScreens(options: ScreensOptions = {}): (context: TestContext) => Screens {
  const ends: (() => Promise<void>)[] = []
  let opened: Screens | string = 'The screens are not open yet.'
  beforeAll(async () => {
    const page = await findPage()
    opened = typeof page === 'string' ? page : await openOn(page, options, (end) => void ends.push(end))
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (context) => {
    if (typeof opened === 'string') return context.skip(opened)
    printIfFailed(context, opened.page)
    return opened
  }
}

async function openOn(page: Page, options: ScreensOptions, atEnd: AtEnd): Promise<Screens> {
  atEnd(() => emptyPage(page))
  const root = temporaryFolder(atEnd)
  const camera = join(root, 'camera')
  const dataFolder = options.dataFolder ?? join(root, 'station')
  for (const folder of [camera, dataFolder]) mkdirSync(folder, { recursive: true })
  const service = await openPracticeService({ answerDelayMs: 0, reportDelayMs: 0, ...options.practice })
  atEnd(() => service.close())
  const { baseUrl, clientId, clientSecret } = service
  const ids = await seedCases(dataFolder, { baseUrl, clientId }, options.cases ?? [])
  const stated: Partial<StationConfig> = {
    service: { baseUrl, clientId, clientSecret },
    centerId: '101',
    setup: 'done',
    folders: [quickFolder(camera, { sendWithoutReview: false })],
    delivery: { retryBaseSeconds: 0.2, lookSeconds: [3_600] },
    reports: { checkSeconds: 0.3 },
    ...options.config,
  }
  const ports = stationPorts()
  const station = await openStation({
    dataFolder,
    ports,
    config: parseConfig(stated),
    ...(options.managed && { managed: options.managed }),
  })
  atEnd(() => station.stop())
  const value: Screens['value'] = async (name, input) => {
    const answer = await answerCall(station.handlers, ports.logger, name, input ?? {})
    if (!answer.ok) throw new Error(`${name}: ${answer.failure.kind}: ${answer.failure.message}`)
    return calls[name].output.parse(answer.value) as never
  }
  if (options.cases)
    await expect.poll(async () => (await value('station.status')).counts.collecting, { interval: 20 }).toBe(0)
  const handlers: CallHandlers = {
    ...station.handlers,
    // Only what tests of undo wait for.
    'submissions.approve': ({ undoSeconds, ...input }) =>
      station.handlers['submissions.approve']({ ...input, ...(options.hasUndo === true && { undoSeconds }) }),
  }
  const host = await openHttpHost({
    station: { ...station, handlers },
    logger: ports.logger,
    address: '127.0.0.1',
    port: 0,
    screensFolder: inject('screensFolder'),
  })
  atEnd(() => host.close())
  const address = `${host.url}/#token=${host.token}`
  const { strangers, complaints } = listenTo(page, host.url)
  await page.goto(address)
  await page.getByRole('navigation').first().waitFor()

  const goTo = (hash: string): Promise<void> =>
    page.evaluate((to) => {
      window.location.hash = to
    }, hash)
  const idOf = async (who: string): Promise<string> => {
    const [found] = ids[who] ? [{ id: ids[who] }] : (await value('submissions.list', { search: who })).items
    if (!found) throw new Error(`The station has no case of ${who}`)
    return found.id
  }
  return {
    page,
    service,
    station,
    camera,
    dataFolder,
    address,
    ids,
    strangers,
    complaints,
    value,
    caseOf: async (who) => value('submissions.get', { id: await idOf(who) }),
    answerWith: (name, handler) =>
      void Object.assign(handlers, { [name]: handler ?? station.handlers[name] }),
    goTo,
    async openCase(who) {
      // The heading of the screen before may have the focus, which the one that is opened takes.
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      )
      const hash = `#/queue/${await idOf(who)}`
      await goTo(hash)
      await page.waitForFunction(
        (to) => window.location.hash === to && document.activeElement?.tagName === 'H1',
        hash,
      )
    },
    row: (who) => page.getByRole('row').filter({ hasText: who }),
    closeHost: () => host.close(),
  }
}

function listenTo(page: Page, origin: string): Pick<Screens, 'strangers' | 'complaints'> {
  const strangers: string[] = []
  const complaints: string[] = []
  const note = (url: string): void => {
    if (!/^(blob|data):/.test(url) && !url.startsWith(origin)) strangers.push(url)
  }
  page.on('requestfinished', (request) => note(request.url()))
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'csp') note(request.url())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { strangers, complaints }
}

/** A person at the screens whose acts are counted: a click, or a field that is filled in. Looking is none. */
export function countedActs() {
  let acts = 0
  return {
    async click(what: Locator): Promise<void> {
      acts += 1
      await what.click()
    },
    async type(where: Locator, text: string): Promise<void> {
      acts += 1
      await where.fill(text)
    },
    async choose(where: Locator, option: string): Promise<void> {
      acts += 1
      await where.selectOption(option)
    },
    expectAtMost: (most: number): void => expect(acts, 'acts of the person').toBeLessThanOrEqual(most),
  }
}

const PATIENTS = ['Demoson, Synthia', 'Sampleton, Testopher', 'Trialgado, Testina']
const CASES: readonly SeededCase[] = PATIENTS.map((name, index) => ({
  who: `H-0035${index}`,
  name,
  state: 'waiting',
}))

/** Three cases that the station sends, and their reports in the words of this service. */
export async function openReports(
  context: TestContext,
  report: Dialect['report'],
): Promise<Screens & { readonly caseIds: readonly string[] }> {
  const screens = await openScreens(context, { cases: CASES, practice: { dialect: { report } } })
  await screens.page.getByRole('link', { name: /Reports.*3 unread/ }).waitFor()
  const caseIds = await Promise.all(CASES.map(async ({ who }) => (await screens.caseOf(who)).caseId ?? ''))
  return { ...screens, caseIds }
}

/** Chooses these cases in the queue. */
export async function select(page: Page, ...who: readonly string[]): Promise<void> {
  for (const one of who) await page.getByRole('checkbox', { name: new RegExp(`Select ${one}`) }).check()
}
