/** A service that takes everything, in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Tally } from './sink-process.ts'

export type Sink = {
  readonly url: string
  /** What came since it was asked for last. */
  tally(): Promise<Tally>
  end(): Promise<void>
}

/** Starts a sink. It ends with this process at the latest. */
export async function startSink(): Promise<Sink> {
  const path = fileURLToPath(new URL('./sink-process.ts', import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    tally: async () => (await (await fetch(`${url}/tally`)).json()) as Tally,
    end: async () => {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
