/** The same cases by `curl -F`: a program a lane, each with its connection kept for all its cases. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { peakMegabytesOf, runProgram } from './programs.ts'
import type { WaitingCase } from './waiting-cases.ts'

export type Curled = {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Of the largest of the programs. */
  readonly peakMegabytes: number
}

const POLL_MS = 20

/** The first line of `curl --version`, or null without curl. */
export async function curlVersion(): Promise<string | null> {
  try {
    return (await runProgram('curl', ['--version'])).output.split('\n')[0] ?? null
  } catch {
    return null
  }
}

/** In a value between quotes. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/**
 * One request as a section of a curl configuration. Without `Expect` curl does not wait for leave before a body, as
 * the station does not.
 */
function section(url: string, spoolFolder: string, { fields, files }: WaitingCase): string {
  const lines = Object.entries(fields).map(([name, value]) => `form-string = ${quoted(`${name}=${value}`)}`)
  for (const [index, { spoolName }] of files.entries()) {
    const path = quoted(join(spoolFolder, spoolName))
    lines.push(
      `form = ${quoted(`images[]=@${path};type=image/jpeg;filename=FC7K3M9QXAW_OD_${index + 1}.jpg`)}`,
    )
  }
  const headers = ['Expect:', 'Authorization: Bearer token', 'Accept: application/json']
  return [
    `url = ${quoted(`${url}/cases`)}`,
    'output = "/dev/null"',
    'silent',
    'show-error',
    'fail',
    ...headers.map((header) => `header = ${quoted(header)}`),
    ...lines,
  ].join('\n')
}

/** The seconds in the last line of what `times` says: user and system time of the programs that have ended. */
export function childSecondsIn(times: string): number {
  const [, line = ''] = times.trim().split('\n')
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}

async function runLane(configPath: string): Promise<{ cpuSeconds: number; peakMegabytes: number }> {
  const shell = spawn('sh', ['-c', 'curl -K "$1" & echo $!; wait $! || exit; times', 'sh', configPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let peakMegabytes = 0
  const poll = async (pid: number): Promise<void> => {
    // The highest so far: the program may have ended meanwhile.
    peakMegabytes = Math.max(peakMegabytes, await peakMegabytesOf(pid).catch(() => 0))
  }
  const timer = setInterval(() => void (lines[0] && poll(Number(lines[0]))), POLL_MS)
  createInterface({ input: shell.stdout }).on('line', (line) => lines.push(line))
  const [code] = (await once(shell, 'close')) as [number | null]
  clearInterval(timer)
  if (code !== 0) throw new Error(`curl ended with ${String(code)}`)
  return { cpuSeconds: childSecondsIn(lines.slice(1).join('\n')), peakMegabytes }
}

/** Sends the cases in so many lanes at once. */
export async function curlCases(options: {
  readonly folder: string
  readonly spoolFolder: string
  readonly url: string
  readonly concurrency: number
  readonly cases: readonly WaitingCase[]
}): Promise<Curled> {
  const { folder, spoolFolder, url, concurrency, cases } = options
  const lanes = Array.from({ length: Math.min(concurrency, cases.length) }, (_, lane) =>
    cases.filter((_, index) => index % concurrency === lane),
  )
  const paths: string[] = []
  for (const [lane, own] of lanes.entries()) {
    const path = join(folder, `lane-${lane}.curl`)
    await writeFile(path, own.map((one) => section(url, spoolFolder, one)).join('\nnext\n'))
    paths.push(path)
  }
  const startedAt = performance.now()
  const ran = await Promise.all(paths.map(runLane))
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: ran.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    peakMegabytes: Math.max(...ran.map((lane) => lane.peakMegabytes)),
  }
}
