import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Ran = { readonly output: string; readonly seconds: number }

/** Runs a program to its end; throws where it does not end well. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const startedAt = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`)
  return { output, seconds: (performance.now() - startedAt) / 1_000 }
}

/** Runs a line of the shell; `$1` and following are `args`. */
export async function runShell(line: string, ...args: readonly string[]): Promise<Ran> {
  return runProgram('sh', ['-ec', line, 'sh', ...args])
}

/** Runs a program of this folder, or one that was built from it, in a process of its own, and reads the JSON that it prints. */
export async function runOwn<Answer>(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const path = isAbsolute(name) ? name : fileURLToPath(new URL(name, import.meta.url))
  return JSON.parse((await runProgram(process.execPath, [path, ...args], environment)).output) as Answer
}
