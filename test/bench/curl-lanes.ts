/** The same cases by `curl -F`: a program a lane, each with its connection kept for all its cases. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './programs.ts'
import type { WaitingCase } from './waiting-cases.ts'

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

/** Sends the cases in so many lanes at once; the seconds that it took. */
export async function curlCases(options: {
  readonly folder: string
  readonly spoolFolder: string
  readonly url: string
  readonly concurrency: number
  readonly cases: readonly WaitingCase[]
}): Promise<number> {
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
  await Promise.all(paths.map((path) => runProgram('curl', ['-K', path])))
  return (performance.now() - startedAt) / 1_000
}
