/** Dialogs of the desktop app: quitting, recovery, and trouble with screens or managed files. */
import { existsSync } from 'node:fs'
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import type { ManagedFile } from '../../src-shared/setting-sources.ts'
import type { Message } from '../../src-shared/wording.ts'
import type { Station } from '../station/api.ts'
import { writeDurably } from '../station/lib/files.ts'
import type { Logger } from '../station/ports.ts'
import type { HostTexts } from './texts.ts'

export type QuitChoice = 'keepRunning' | 'sendFirst' | 'quitNow'

export type PendingCases = {
  readonly count: number
  /** Would they be sent now if the person waited? */
  readonly isSending: boolean
}

/** Shows a dialog of this app; the number of the button that was chosen. */
async function show(options: MessageBoxOptions, window: BrowserWindow | null = null): Promise<number> {
  const shown = { title: 'Fundus Courier', noLink: true, ...options }
  const { response } = await (window === null
    ? dialog.showMessageBox(shown)
    : dialog.showMessageBox(window, shown))
  return response
}

/** Asks for a file, or else a folder. It begins at none: the system would wait for one on a share that hangs. */
export async function choosePath(
  window: BrowserWindow,
  what: unknown,
): Promise<{ readonly path: string | null }> {
  const { filePaths } = await dialog.showOpenDialog(window, {
    properties: [what === 'file' ? 'openFile' : 'openDirectory', 'dontAddToRecent'],
  })
  return { path: filePaths[0] ?? null }
}

/** Shows what needs no answer but one button. */
async function inform(
  type: 'info' | 'warning',
  message: string,
  detail: string,
  button: string,
): Promise<void> {
  await show({ type, message, detail, buttons: [button] })
}

/** The question. If nothing is sent at the moment, sending first is no choice: it could take for ever. */
export function quitQuestion({ count, isSending }: PendingCases, { t }: HostTexts) {
  return {
    message: t('life.quitTitle', { count }),
    detail: t('life.quitDetail'),
    /** The safe choice first: it is the default and the result of closing the dialog. */
    choices: [
      { choice: 'keepRunning', label: t('life.keepRunning') } as const,
      { choice: 'quitNow', label: t('life.quitNow') } as const,
      ...(isSending ? [{ choice: 'sendFirst', label: t('life.sendFirst') } as const] : []),
    ],
  }
}

export async function confirmQuit(pending: PendingCases, texts: HostTexts): Promise<QuitChoice> {
  const { message, detail, choices } = quitQuestion(pending, texts)
  const buttons = choices.map(({ label }) => label)
  const response = await show({ type: 'question', message, detail, buttons, defaultId: 0, cancelId: 0 })
  return choices[response]?.choice ?? 'keepRunning'
}

/** The explanation. It also explains the way back if the desktop shows no tray icon: a second start. */
export function showCloseExplanation({ t }: HostTexts): Promise<void> {
  return inform('info', t('life.closedTitle'), t('life.closedDetail'), t('life.understood'))
}

/**
 * Says that the screens keep crashing and what goes on without them; resolves once a person wants to see them again. It
 * may be hours until someone comes, and on macOS a dialog without a window halts the whole program (electron 23319).
 */
export async function showScreensFailed(
  { t }: HostTexts,
  logFolder: string,
  window: BrowserWindow,
  platform = process.platform,
): Promise<void> {
  const detail = t('life.failedDetail', { folder: logFolder })
  const options = { message: t('life.failedTitle'), detail, buttons: [t('life.tryAgain')] }
  const parent = platform === 'darwin' ? window : null
  // A dialog of a hidden window might not be seen.
  parent?.show()
  await show({ type: 'warning', ...options }, parent)
}

/** Asks whether to rebuild the outbox. Closing the question quits: nothing is changed then. */
export async function askForRecovery(
  message: Message,
  { t, messageOf }: HostTexts,
): Promise<'recover' | 'quit'> {
  const response = await show({
    type: 'error',
    message: messageOf(message),
    detail: t('recovery.detail'),
    buttons: [t('recovery.recover'), t('recovery.quit')],
    defaultId: 1,
    cancelId: 1,
  })
  return response === 0 ? 'recover' : 'quit'
}

/** Says what a recovery has done, which may be nothing: an outbox that is sound is left as it is. */
export function showRecoveryResult(messages: readonly Message[], { t, messageOf }: HostTexts): Promise<void> {
  const [first = t('recovery.unchanged'), ...rest] = messages.map(messageOf)
  return inform('info', first, rest.join('\n'), t('recovery.go'))
}

/** Explains, once per account, that closing the window does not stop the station; call it at each closing. */
export function createCloseExplainer(options: {
  /** A file that exists once the explanation was shown. */
  readonly path: string
  readonly logger: Logger
  readonly explain: () => Promise<unknown>
}): () => Promise<void> {
  const { path, logger, explain } = options
  let isStarted = false
  return async () => {
    if (isStarted) return
    isStarted = true
    if (existsSync(path)) return
    await explain()
    // Written only now: if the person never saw the dialog, it is shown again next time.
    await writeDurably(path, '{}').catch(() =>
      logger.warn('that closing was explained could not be remembered'),
    )
  }
}

/** What to report about the administrator's files, one text each; nothing if they are all in order. Pure. */
export function describeManagedTroubles(files: readonly ManagedFile[], { t }: HostTexts): readonly string[] {
  return files.flatMap((file) => {
    if (!hasProblem(file)) return []
    const lines = [
      `${t(`managed:kind.${file.kind}`)}: ${file.path}`,
      t(`managed:state.${file.state}`),
      file.detail,
      consequenceOf(file, t),
    ]
    return [lines.filter((line) => line !== null).join('\n')]
  })
}

function consequenceOf({ kind, inForce }: ManagedFile, t: HostTexts['t']): string | null {
  if (kind === 'enrolment') return null
  if (inForce === 'lastKnown') return t('managed:lastKnown')
  return t(kind === 'configuration' ? 'managed:noConfiguration' : 'managed.nothing')
}

/** If there never was a file, none is missing. */
function hasProblem({ state, inForce }: ManagedFile): boolean {
  return state === 'none' ? inForce !== 'nothing' : state !== 'read' && state !== 'taken'
}

/** Reports once what is wrong with the administrator's files, without blocking: the station works meanwhile. */
export async function showManagedTrouble(
  station: Pick<Station, 'handlers'>,
  texts: () => HostTexts,
): Promise<void> {
  const sources = await station.handlers['settings.sources']({})
  const { t } = texts()
  const troubles = sources.ok ? describeManagedTroubles(sources.value.files, texts()) : []
  if (troubles.length === 0) return
  const detail = [...troubles, t('managed.where')].join('\n\n')
  await inform('warning', t('managed.title'), detail, t('managed.close'))
}
