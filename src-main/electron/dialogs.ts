/** Dialogs of the desktop app: quitting, recovery, and trouble with screens or managed files. */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { dialog } from 'electron'
import type { ManagedFile } from '../../src-shared/settings.ts'
import type { Station } from '../station/api.ts'
import { errorCode } from '../station/lib/errors.ts'
import type { Logger } from '../station/ports.ts'
import type { HostWords } from './language-setting.ts'
import { type PendingCases, type QuitChoice, quitQuestion } from './shutdown.ts'

const TITLE = 'Fundus Courier'

/** Asks whether to quit although cases wait. */
export async function confirmQuit(pending: PendingCases, texts: HostWords): Promise<QuitChoice> {
  const { message, detail, choices } = quitQuestion(pending, texts)
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: TITLE,
    message,
    detail,
    buttons: choices.map(({ label }) => label),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return choices[response]?.choice ?? 'keepRunning'
}

/** Explains that the station keeps running. It also mentions a second start, for desktops without a tray. */
export async function showCloseExplanation({ life: texts }: HostWords): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title: TITLE,
    message: texts.closedTitle,
    detail: texts.closedDetail,
    buttons: [texts.understood],
    noLink: true,
  })
}

/** Reports that the window cannot display anything, not even the recovery page. */
export async function showScreensFailed(texts: HostWords['life'], logFolder: string): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    title: TITLE,
    message: texts.failedTitle,
    detail: `${texts.failedSafe}\n\n${texts.failedLogs} ${logFolder}`,
    buttons: [texts.understood],
    noLink: true,
  })
}

/** Asks whether to rebuild the outbox. Closing the dialog quits and changes nothing. */
export async function askForRecovery(
  message: string,
  texts: HostWords['recovery'],
): Promise<'recover' | 'quit'> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: TITLE,
    message,
    detail: texts.detail,
    buttons: [texts.recover, texts.quit],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0 ? 'recover' : 'quit'
}

/** Reports the result of a recovery, which leaves a healthy outbox unchanged. */
export async function showRecoveryResult(
  sentences: readonly string[],
  texts: HostWords['recovery'],
): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title: TITLE,
    message: sentences[0] ?? texts.unchanged,
    detail: sentences.slice(1).join('\n'),
    buttons: [texts.go],
    noLink: true,
  })
}

/**
 * Explains, once per account, that closing the window does not stop the station. Call the returned function whenever
 * the window is closed.
 */
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
    if (await fileExists(path)) return
    await explain()
    // Written only now: if the person never saw the dialog, it is shown again next time.
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, '{}')
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      logger.warn('that closing was explained could not be remembered')
    }
  }
}

async function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** What to report about the administrator's files; null if they are all in order. Pure. */
export function describeManagedTrouble(
  files: readonly ManagedFile[],
  texts: HostWords['managed'],
): { readonly title: string; readonly detail: string; readonly close: string } | null {
  const troubles = files.flatMap((file) => {
    const trouble = managedTroubleKind(file)
    if (trouble === null) return []
    const consequence = consequences(file, texts)
    const detail = file.detail === null ? [] : [file.detail]
    return [
      [`${texts.files[file.kind]}: ${file.path}`, texts.troubles[trouble], ...detail, ...consequence].join(
        '\n',
      ),
    ]
  })
  if (troubles.length === 0) return null
  return { title: texts.title, detail: [...troubles, texts.where].join('\n\n'), close: texts.close }
}

function consequences({ kind, inForce }: ManagedFile, texts: HostWords['managed']): string[] {
  if (kind === 'enrolment') return []
  if (inForce === 'lastKnown') return [texts.lastKnown]
  return [kind === 'configuration' ? texts.noConfiguration : texts.nothing]
}

function managedTroubleKind({ state, inForce }: ManagedFile): keyof HostWords['managed']['troubles'] | null {
  if (state === 'read' || state === 'taken') return null
  // If there never was a file, none is missing.
  return state === 'none' && inForce === 'nothing' ? null : state
}

/** Reports once what is wrong with the administrator's files, without blocking: the station works meanwhile. */
export async function showManagedTrouble(
  station: Pick<Station, 'handlers'>,
  texts: () => HostWords,
): Promise<void> {
  const sources = await station.handlers['settings.sources']({})
  const notice = sources.ok ? describeManagedTrouble(sources.value.files, texts().managed) : null
  if (notice === null) return
  await dialog.showMessageBox({
    type: 'warning',
    title: 'Fundus Courier',
    message: notice.title,
    detail: notice.detail,
    buttons: [notice.close],
    noLink: true,
  })
}
