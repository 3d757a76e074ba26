/**
 * A Chromium for tests, from npm alone.
 *
 * On Linux it is the one of `@sparticuz/chromium`, unpacked into the temporary folder. It was built for a machine in
 * a data centre: its own arguments switch web security off and put everything into one process, so
 * they are never used. Elsewhere an installed Chrome or Edge is taken.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { packagedChromium } from './packaged-chromium.ts'

export type TestBrowser =
  | { readonly kind: 'open'; readonly browser: Browser }
  /** Why there is none here; said instead of a test. */
  | { readonly kind: 'absent'; readonly why: string }

/** No sandbox, since build machines are containers; no GPU; and nothing that speaks to a network by itself. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Unpacks it once before the tests of a run, which would each do so; why it cannot be is told by those that open it. */
export async function unpackTestBrowser(): Promise<void> {
  if (process.platform === 'linux') await packagedChromium().catch(() => undefined)
}

/** Opens a browser without a window; whoever opens it closes it. */
export async function openTestBrowser(more: readonly string[] = []): Promise<TestBrowser> {
  const words = [...ARGUMENTS, ...more]
  return process.platform === 'linux' ? openFromPackage(words) : openInstalled(words)
}

async function openFromPackage(words: string[]): Promise<TestBrowser> {
  try {
    const executablePath = await packagedChromium()
    const browser = await chromium.launch({
      executablePath,
      args: words,
      headless: true,
      // The package's own font, so that screens look the same on every machine.
      env: { ...definedEnvironment(), FONTCONFIG_PATH: join(tmpdir(), 'fonts') },
    })
    return { kind: 'open', browser }
  } catch (error) {
    return { kind: 'absent', why: `The packaged Chromium does not start here: ${firstLine(error)}` }
  }
}

async function openInstalled(words: string[]): Promise<TestBrowser> {
  for (const channel of ['chrome', 'msedge']) {
    try {
      return { kind: 'open', browser: await chromium.launch({ channel, args: words, headless: true }) }
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
