/**
 * Finds Electron's runtime. The npm package `electron` brings types and a downloader only: since version 42 the
 * program itself is fetched from github.com at its first use, and many networks do not let that through.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './step.ts'

export type Runtime =
  | { readonly kind: 'found'; readonly path: string }
  /** A sentence without its subject, such as "it could not be downloaded". */
  | { readonly kind: 'missing'; readonly why: string }

type Surroundings = {
  readonly packageFolder: string
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
}

export const surroundings: Surroundings = {
  packageFolder: join(projectFolder, 'node_modules', 'electron'),
  platform: process.platform,
  environment: process.env,
}

/** Ten minutes for some 110 MB over a slow line; a network that swallows everything must not hold a person longer. */
const DOWNLOAD_WITHIN_MS = 10 * 60_000

/** The program that the downloader has put there, by its own note of where. */
export function findProgram({ packageFolder, environment }: Surroundings): string | null {
  const note = join(packageFolder, 'path.txt')
  if (!existsSync(note)) return null
  const dist = environment['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(packageFolder, 'dist')
  const program = join(dist, readFileSync(note, 'utf8').trim())
  return existsSync(program) ? program : null
}

/** Why no window could be opened here, even with the program; null if nothing prevents it. */
export function whyNoWindow({ platform, environment }: Surroundings): string | null {
  if (platform !== 'linux') return null
  const hasDisplay = environment['DISPLAY'] !== undefined || environment['WAYLAND_DISPLAY'] !== undefined
  return hasDisplay ? null : 'there is no graphical desktop on this computer'
}

/**
 * Electron as the tests take it: the program that FUNDUS_COURIER_ELECTRON names or the downloader has put there, and
 * never one that is fetched first.
 */
export function findForTests(here: Surroundings): Runtime {
  const noWindow = whyNoWindow(here)
  if (noWindow !== null) return { kind: 'missing', why: noWindow }
  const named = here.environment['FUNDUS_COURIER_ELECTRON']
  if (named !== undefined)
    return existsSync(named)
      ? { kind: 'found', path: named }
      : { kind: 'missing', why: 'FUNDUS_COURIER_ELECTRON names no file' }
  const present = findProgram(here)
  return present === null
    ? { kind: 'missing', why: 'it was never downloaded' }
    : { kind: 'found', path: present }
}

/** Looks for the runtime and, if it is missing, tries once to fetch it. */
export async function findRuntime(here: Surroundings): Promise<Runtime> {
  const noWindow = whyNoWindow(here)
  if (noWindow !== null) return { kind: 'missing', why: noWindow }
  const present = findProgram(here)
  if (present !== null) return { kind: 'found', path: present }
  console.log('Electron’s runtime is not here yet; fetching it from github.com, once …')
  const trouble = await download(here.packageFolder)
  const fetched = findProgram(here)
  if (fetched !== null) return { kind: 'found', path: fetched }
  return { kind: 'missing', why: `it could not be downloaded (${trouble ?? 'the download left no program'})` }
}

/** Runs the package's own downloader; returns the reason if it failed. */
function download(packageFolder: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(packageFolder, 'install.js')], {
      stdio: ['ignore', 'inherit', 'pipe'],
      timeout: DOWNLOAD_WITHIN_MS,
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve(null)
      else if (signal !== null) resolve('it took too long')
      else resolve(reasonIn(output))
    })
  })
}

/** The best reason in a stack trace: the error of the network, else its first line. */
export function reasonIn(stack: string): string {
  const network = /\b(?:getaddrinfo )?(?:E[A-Z]{4,}|UND_ERR_\w+|CERT_\w+|SELF_SIGNED\w*)\b[^\n]{0,60}/.exec(
    stack,
  )
  const line = network?.[0] ?? stack.split('\n').find((text) => text.trim() !== '') ?? 'no reason was given'
  return line.trim().replace(/['",{]+$/, '')
}
