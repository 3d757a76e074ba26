/** The way without Electron: the headless host, and the address of its screens for a browser. */
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectFolder } from './step.ts'

/** Where Electron would keep the station of this account, so that its cases are there when Electron is. */
export function accountDataFolder(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const applicationData =
    platform === 'win32'
      ? (environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (environment['XDG_CONFIG_HOME'] ?? join(home, '.config'))
  return join(applicationData, 'fundus-courier', 'station')
}

/** Runs the headless host until it ends; resolves with its exit code. */
export function serveScreens(parameters: readonly string[]): Promise<number> {
  const data = parameters.some((parameter) => parameter === '--data' || parameter.startsWith('--data='))
    ? []
    : ['--data', accountDataFolder(process.platform, process.env, homedir())]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['tools/serve.ts', ...parameters, ...data], {
      cwd: projectFolder,
      stdio: ['inherit', 'pipe', 'inherit'],
    })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    createInterface({ input: child.stdout }).once('line', (line) => {
      const { listening, token }: { listening: string; token: string } = JSON.parse(line)
      console.log(`The screens are at  ${listening}/#token=${token}`)
      console.log(
        'The address lets in anyone who has it: open it here, and do not pass it on. Ctrl+C ends the station.',
      )
    })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 0))
  })
}
