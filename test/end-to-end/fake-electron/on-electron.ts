/** The desktop app on Electron itself, if it is installed, driven by Playwright. */
import { once } from 'node:events'
import { _electron, type Page } from 'playwright-core'
import { type DesktopProcess, logIn, valueOf } from './desktop.ts'

const PATIENCE_MS = 20_000

export async function startOnElectron(options: {
  readonly program: string
  readonly dataFolder: string
  readonly parameters: readonly string[]
}): Promise<DesktopProcess> {
  const environment = Object.entries(process.env)
  const app = await _electron.launch({
    executablePath: options.program,
    args: [...options.parameters],
    env: Object.fromEntries(environment.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  })
  const child = app.process()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exitCode = once(child, 'exit').then(() => child.exitCode)
  const page = (): Promise<Page> => app.firstWindow()
  const call: DesktopProcess['call'] = async (name, input) =>
    (await (
      await page()
    ).evaluate((asked) => window.fundusCourier?.call(asked.name, asked.input), {
      name,
      input: input ?? {},
    })) as never
  return {
    pid: child.pid ?? 0,
    page,
    call,
    value: async (name, input) => valueOf(name, await call(name, input)),
    stderr: () => stderr,
    log: () => logIn(options.dataFolder),
    async stop() {
      if (child.exitCode === null && child.signalCode === null)
        await app.evaluate(({ app: running }) => running.quit()).catch(() => undefined)
      const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      const code = await exitCode
      clearTimeout(late)
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await exitCode
    },
    exitCode,
  }
}
