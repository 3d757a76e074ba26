/**
 * A Chromium for tests, from npm alone.
 *
 * On Linux it is the one of `@sparticuz/chromium`, which unpacks itself into the temporary folder. It was built for
 * a machine in a data centre: its own arguments switch web security off and put everything into one process, so
 * they are never used. Elsewhere an installed Chrome or Edge is taken.
 */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

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

/** Where distributions keep the two libraries that Chromium needs and a small container lacks. */
const LIBRARY_FOLDERS = [
  '/lib/x86_64-linux-gnu',
  '/usr/lib/x86_64-linux-gnu',
  '/lib/aarch64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
]

function hasLibrary(name: string): boolean {
  return LIBRARY_FOLDERS.some((folder) => existsSync(join(folder, name)))
}

/** Opens a browser without a window; whoever opens it closes it. */
export async function openTestBrowser(more: readonly string[] = []): Promise<TestBrowser> {
  const words = [...ARGUMENTS, ...more]
  return process.platform === 'linux' ? openFromPackage(words) : openInstalled(words)
}

async function openFromPackage(words: string[]): Promise<TestBrowser> {
  // The package looks at its environment while it is imported, and brings the libraries only where this is set.
  if (!hasLibrary('libnss3.so') || !hasLibrary('libnspr4.so'))
    process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs20.x'
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    const executablePath = await packaged.executablePath()
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
