/**
 * The desktop app on Electron itself, if it is installed: the same interface, driven by Playwright. What the system shows
 * outside of windows (tray, notifications, menus) cannot be seen from there, and what came before the first window is not
 * recorded: specs that need that ask `records` and are skipped, with a reason.
 */
import { once } from 'node:events'
import { _electron, type Page } from 'playwright-core'
import {
  type Act,
  type AppFiles,
  type Desktop,
  logIn,
  type RecordKind,
  type Records,
  valueOf,
} from './desktop.ts'

/** Recorded by wrapping members of electron from inside, once the app runs. */
const RECORDED: readonly RecordKind[] = [
  'dialog',
  'openExternal',
  'powerSave',
  'relaunch',
  'loginItem',
  'badge',
]

const PATIENCE_MS = 20_000

export async function startOnElectron(options: {
  readonly program: string
  readonly files: AppFiles
  readonly userData: string
  readonly dataFolder: string
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}): Promise<Desktop> {
  const { userData, dataFolder } = options
  const environment = Object.entries({ ...process.env, ...options.environment })
  const app = await _electron.launch({
    executablePath: options.program,
    args: [options.files.folder, `--user-data-dir=${userData}`, ...options.parameters],
    env: Object.fromEntries(environment.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  })
  const child = app.process()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exitCode = once(child, 'exit').then(() => child.exitCode)
  const records: { readonly of: RecordKind; readonly record: unknown }[] = []
  app.on('console', (message) => {
    const [, of, record] = /^recorded (\w+) (.*)$/s.exec(message.text()) ?? []
    if (of !== undefined && record !== undefined)
      records.push({ of: of as RecordKind, record: JSON.parse(record) as unknown })
  })
  await app.evaluate(recordInside)
  const page = (): Promise<Page> => app.firstWindow()
  const recorded = <Kind extends RecordKind>(kind: Kind): Records[Kind][] => {
    if (!RECORDED.includes(kind)) throw new Error(`Electron does not report ${kind}`)
    return records.filter(({ of }) => of === kind).map(({ record }) => record as Records[Kind])
  }
  const call: Desktop['call'] = async (name, input) =>
    (await (
      await page()
    ).evaluate((asked) => window.fundusCourier?.call(asked.name, asked.input), {
      name,
      input: input ?? {},
    })) as never
  const act: Desktop['act'] = async (one) => {
    const refused = await app.evaluate(performInside, one)
    if (typeof refused === 'string') throw new Error(`${refused} is not possible on Electron itself`)
  }
  return {
    runsOn: 'electron',
    pid: child.pid ?? 0,
    userData,
    dataFolder,
    page,
    call,
    value: async (name, input) => valueOf(name, await call(name, input)),
    invokeFrom: () => Promise.reject(new Error('Electron lets no test say which frame asks')),
    fetch: (address, init = {}) =>
      app.evaluate(
        async ({ net }, asked) => {
          const answer = await net.fetch(asked.address, asked.init)
          const headers = Object.fromEntries(answer.headers)
          return { status: answer.status, headers, text: await answer.text() }
        },
        { address, init },
      ),
    records: (kind) => RECORDED.includes(kind),
    recorded,
    async waitFor(kind, isWanted = () => true) {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
        const found = recorded(kind).find(isWanted)
        if (found) return found
        await new Promise((next) => setTimeout(next, 50))
      }
      throw new Error(`no such ${kind}; there were ${JSON.stringify(recorded(kind))}`)
    },
    act,
    stderr: () => stderr,
    log: () => logIn(dataFolder),
    async stop() {
      if (child.exitCode === null && child.signalCode === null)
        await act({ kind: 'quit' }).catch(() => undefined)
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

/** Runs inside Electron's main process, and knows nothing from outside of itself. */
function recordInside({ app, dialog, powerSaveBlocker, shell }: typeof Electron.CrossProcessExports): void {
  // oxlint-disable-next-line no-console -- it runs in Electron, and Playwright reads its console
  const note = (of: string, record: object): void => console.info(`recorded ${of} ${JSON.stringify(record)}`)
  const showMessage = dialog.showMessageBox.bind(dialog)
  Object.assign(dialog, {
    showErrorBox: (_title: string, message: string) => note('dialog', { message }),
    // The answer is the one that changes nothing.
    showMessageBox: (...parameters: Parameters<typeof showMessage>) => {
      const options = parameters.at(-1) as Electron.MessageBoxOptions
      note('dialog', { ...options, options })
      return Promise.resolve({
        response: options.cancelId ?? 0,
        checkboxChecked: options.checkboxChecked ?? false,
      })
    },
  })
  Object.assign(shell, { openExternal: async (url: string) => note('openExternal', { url }) })
  const startBlocker = powerSaveBlocker.start.bind(powerSaveBlocker)
  Object.assign(powerSaveBlocker, {
    start: (type: 'prevent-app-suspension') => {
      const id = startBlocker(type)
      note('powerSave', { what: 'started', id, type })
      return id
    },
  })
  Object.assign(app, {
    relaunch: (options: Electron.RelaunchOptions = {}) =>
      note('relaunch', { parameters: options.args ?? null }),
    setLoginItemSettings: (settings: object) => note('loginItem', settings),
    setBadgeCount: (count: number) => note('badge', { count }),
  })
}

/** Runs inside Electron's main process. Answers the kind of an act that cannot be performed there. */
function performInside({ app, BrowserWindow, powerMonitor }: typeof Electron.CrossProcessExports, act: Act) {
  const windows = BrowserWindow.getAllWindows()
  switch (act.kind) {
    case 'secondInstance':
      return void app.emit('second-instance', {}, [''], '', null)
    case 'closeWindow':
      return windows.forEach((window) => window.close())
    case 'quit':
      return app.quit()
    case 'suspend':
    case 'resume':
    case 'shutdown':
      return void powerMonitor.emit(act.kind)
    case 'lock':
    case 'unlock':
      return void powerMonitor.emit(`${act.kind}-screen`)
    case 'rendererGone':
      return windows[0]?.webContents.forcefullyCrashRenderer()
    default:
      return act.kind
  }
}
