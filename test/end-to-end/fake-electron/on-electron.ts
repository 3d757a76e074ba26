/**
 * The desktop app on Electron itself, where it is installed: the same interface, driven by Playwright. What the system
 * shows outside of windows (tray, notices, menus) cannot be seen from there, and what came before the first window is
 * not recorded: specs that need that ask `records` and are skipped, with a reason, or run on the stand-in.
 */
import { once } from 'node:events'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import type { Act, AppFiles, Desktop, RecordKind, Records } from './desktop.ts'

/** Told by wrapping members of electron from inside, once the app runs. */
const RECORDED: readonly RecordKind[] = [
  'dialog',
  'openExternal',
  'powerSave',
  'relaunch',
  'loginItem',
  'badge',
]

const STOP_WITHIN_MS = 10_000

export async function startOnElectron(given: {
  readonly program: string
  readonly files: AppFiles
  readonly userData: string
  readonly dataFolder: string
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}): Promise<Desktop> {
  const environment = Object.entries({ ...process.env, ...given.environment })
  const app = await _electron.launch({
    executablePath: given.program,
    args: [given.files.folder, `--user-data-dir=${given.userData}`, ...given.parameters],
    env: Object.fromEntries(environment.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  })
  const child = app.process()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exitCode = once(child, 'exit').then(() => child.exitCode)
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const records: { readonly of: RecordKind; readonly record: unknown }[] = []
  app.on('console', (message) => {
    const [, of, record] = /^recorded (\w+) (.*)$/s.exec(message.text()) ?? []
    if (of !== undefined && record !== undefined)
      records.push({ of: of as RecordKind, record: JSON.parse(record) as unknown })
  })
  await app.evaluate(recordInside)
  const page = (): Promise<Page> => app.firstWindow()

  const recorded = <Kind extends RecordKind>(kind: Kind): Records[Kind][] => {
    if (!RECORDED.includes(kind)) throw new Error(`Electron does not tell of ${kind}`)
    return records.filter(({ of }) => of === kind).map(({ record }) => record as Records[Kind])
  }
  const call: Desktop['call'] = async (name, input) =>
    (await (
      await page()
    ).evaluate((asked) => window.fundusCourier?.call(asked.name, asked.input), {
      name,
      input: input ?? {},
    })) as never

  return {
    runsOn: 'electron',
    pid: child.pid ?? 0,
    userData: given.userData,
    dataFolder: given.dataFolder,
    page,
    call,
    value: async (name, input) => {
      const answer = await call(name, input)
      if (!answer.ok) throw new Error(`${name}: ${answer.failure.kind}: ${answer.failure.message}`)
      return answer.value
    },
    invokeFrom: () => Promise.reject(new Error('Electron lets no test say which frame asks')),
    fetch: (address, init = {}) =>
      app.evaluate(
        async ({ net }, asked) => {
          const answer = await net.fetch(asked.address, asked.init)
          return {
            status: answer.status,
            headers: Object.fromEntries(answer.headers),
            text: await answer.text(),
          }
        },
        { address, init },
      ),
    records: (kind) => RECORDED.includes(kind),
    recorded,
    async waitFor(kind, isWanted = () => true) {
      for (const end = performance.now() + 20_000; performance.now() < end;) {
        const found = recorded(kind).find(isWanted)
        if (found) return found
        await new Promise((next) => setTimeout(next, 50))
      }
      throw new Error(`no such ${kind}; there were ${JSON.stringify(recorded(kind))}`)
    },
    act: (act) => perform(app, act),
    stderr: () => stderr,
    async stop() {
      if (!hasEnded()) await perform(app, { kind: 'quit' }).catch(() => undefined)
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
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
  // oxlint-disable-next-line no-console -- it runs in Electron, and Playwright hears what its console says
  const note = (of: string, record: object): void => console.info(`recorded ${of} ${JSON.stringify(record)}`)
  const showMessage = dialog.showMessageBox.bind(dialog)
  Object.assign(dialog, {
    showErrorBox: (title: string, message: string) => note('dialog', { type: 'error', title, message }),
    // Nobody sits before it: the answer is the one that changes nothing.
    showMessageBox: (...parameters: Parameters<typeof showMessage>) => {
      const options = parameters.at(-1) as Electron.MessageBoxOptions
      const answer = options.cancelId ?? 0
      note('dialog', { type: 'message', ...options, answer, options })
      return Promise.resolve({ response: answer, checkboxChecked: options.checkboxChecked ?? false })
    },
  })
  Object.assign(shell, {
    openExternal: (url: string) => {
      note('openExternal', { url })
      return Promise.resolve()
    },
  })
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
      note('relaunch', { parameters: options.args ?? null, program: options.execPath ?? null }),
    setLoginItemSettings: (settings: object) => note('loginItem', settings),
    setBadgeCount: (count: number) => note('badge', { count }),
  })
}

async function perform(app: ElectronApplication, act: Act): Promise<void> {
  const refused = await app.evaluate(({ app: inside, BrowserWindow, powerMonitor }, asked) => {
    const windows = BrowserWindow.getAllWindows()
    switch (asked.kind) {
      case 'secondInstance':
        return void inside.emit('second-instance', {}, ['', ...(asked.parameters ?? [])], '', null)
      case 'closeWindow':
        return windows.forEach((window) => window.close())
      case 'quit':
        return inside.quit()
      case 'activate':
        return void inside.emit('activate', {}, false)
      case 'suspend':
      case 'resume':
      case 'shutdown':
        return void powerMonitor.emit(asked.kind)
      case 'lock':
      case 'unlock':
        return void powerMonitor.emit(`${asked.kind}-screen`)
      case 'rendererGone':
        return windows[0]?.webContents.forcefullyCrashRenderer()
      default:
        return asked.kind
    }
  }, act)
  if (typeof refused === 'string') throw new Error(`${refused} cannot be played on Electron itself`)
}
