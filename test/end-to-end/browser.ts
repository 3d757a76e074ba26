/**
 * A Chromium for tests, from npm alone.
 *
 * On Linux it is the one of `@sparticuz/chromium`, unpacked into the temporary folder. It was built for a machine in
 * a data centre: its own arguments switch web security off and put everything into one process, so
 * they are never used. Elsewhere an installed Chrome or Edge is taken.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type LaunchOptions, type Page } from 'playwright-core'
import { packagedChromium } from './packaged-chromium.ts'

export type TestBrowser =
  | { readonly kind: 'open'; readonly browser: Browser }
  /** Why there is none here; said instead of a test. */
  | { readonly kind: 'absent'; readonly why: string }

/** No sandbox, since build machines are containers; no GPU; and nothing that speaks to a network on its own. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Names the browser of the run. */
const SHARED = 'FUNDUS_COURIER_TEST_BROWSER'

/** Unpacks it once before the tests of a run, which would each do so; those that open it say why it cannot. */
export async function unpackTestBrowser(): Promise<void> {
  if (process.platform === 'linux') await packagedChromium().catch(() => undefined)
}

/**
 * Opens a browser without a window, or comes to that of the run if it needs no arguments of its own; the caller closes it, which ends only its own pages in a shared one.
 */
export async function openTestBrowser(more: readonly string[] = []): Promise<TestBrowser> {
  const shared = process.env[SHARED]
  if (shared !== undefined && more.length === 0)
    return { kind: 'open', browser: await chromium.connect(shared) }
  const parameters = [...ARGUMENTS, ...more]
  return process.platform === 'linux' ? openFromPackage(parameters) : openInstalled(parameters)
}

/**
 * One browser for the specs of a run; the answer ends it. If it does not start, each spec tries on its own and says
 * why it cannot.
 */
export async function shareTestBrowser(): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return () => Promise.resolve()
  const server = await packagedLaunch(ARGUMENTS)
    .then((options) => chromium.launchServer(options))
    .catch(() => null)
  if (server === null) return () => Promise.resolve()
  process.env[SHARED] = server.wsEndpoint()
  return async () => {
    delete process.env[SHARED]
    await server.close()
  }
}

async function openFromPackage(parameters: string[]): Promise<TestBrowser> {
  try {
    return { kind: 'open', browser: await chromium.launch(await packagedLaunch(parameters)) }
  } catch (error) {
    return { kind: 'absent', why: `The packaged Chromium does not start here: ${firstLine(error)}` }
  }
}

async function packagedLaunch(parameters: string[]): Promise<LaunchOptions> {
  return {
    executablePath: await packagedChromium(),
    args: parameters,
    headless: true,
    // The package's own font, so that screens look the same on every machine.
    env: { ...definedEnvironment(), FONTCONFIG_PATH: join(tmpdir(), 'fonts') },
  }
}

async function openInstalled(parameters: string[]): Promise<TestBrowser> {
  for (const channel of ['chrome', 'msedge']) {
    try {
      return { kind: 'open', browser: await chromium.launch({ channel, args: parameters, headless: true }) }
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
  }
  return { kind: 'absent', why: 'Neither Chrome nor Edge is installed here.' }
}

function definedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(entries)
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : 'unknown').split('\n')[0] ?? ''
}

/** Approves the case that the desk shows, once it was in view long enough; a number that it asks about is right. */
export async function approveShown(page: Page): Promise<void> {
  const ready = page.locator('button[data-ready="true"]')
  const isRight = page.getByRole('button', { name: 'Number is right' })
  await ready.or(isRight).first().waitFor()
  if (await isRight.isVisible()) await isRight.click()
  await ready.waitFor()
  await page.keyboard.press('Enter')
}
