/** What a person or the system does to the app, at the word of a test. */
import type { Act } from '../desktop.ts'
import { click, entriesOfApplication } from './pictures-and-menus.ts'
import { changeSurroundings, order, start } from './stage.ts'
import { becomeDark, powerEvents } from './system.ts'
import { app, emitOnApp, preventable } from './the-app.ts'
import { notice, shownTray } from './tray-and-notices.ts'
import { allWindows } from './windows.ts'

const POWER_EVENTS = {
  suspend: 'suspend',
  resume: 'resume',
  lock: 'lock-screen',
  unlock: 'unlock-screen',
} as const

export async function perform(act: Act): Promise<void> {
  switch (act.kind) {
    case 'secondInstance':
      return void emitOnApp(
        'second-instance',
        preventable(),
        [process.argv[0], ...(act.parameters ?? [])],
        start.files.folder,
        null,
      )
    case 'closeWindow':
      return allWindows().forEach((window) => window.close())
    case 'quit':
      return app.quit()
    case 'activate':
      return void emitOnApp(
        'activate',
        {},
        allWindows().some((window) => window.isVisible()),
      )
    case 'suspend':
    case 'resume':
    case 'lock':
    case 'unlock':
      if (act.kind === 'lock' || act.kind === 'unlock') changeSurroundings({ isLocked: act.kind === 'lock' })
      return void powerEvents.emit(POWER_EVENTS[act.kind])
    case 'shutdown':
      return void powerEvents.emit('shutdown', preventable())
    case 'sessionEnd':
      for (const event of ['query-session-end', 'session-end'])
        for (const window of allWindows()) window.emit(event, { ...preventable(), reasons: ['shutdown'] })
      return
    case 'rendererGone': {
      const [window] = allWindows()
      // The other ends than a crash leave no trace in Chromium that a test could make.
      if (act.reason !== undefined && act.reason !== 'crashed')
        return void window?.webContents.emit('render-process-gone', {}, { reason: act.reason, exitCode: 1 })
      if (window) await order({ kind: 'crash', window: window.id })
      return
    }
    case 'childGone':
      return void emitOnApp(
        'child-process-gone',
        {},
        { type: act.type, reason: act.reason ?? 'crashed', exitCode: 5 },
      )
    case 'unresponsive':
    case 'responsive':
      return allWindows().forEach((window) => window.hear({ kind: act.kind }))
    case 'bug':
      setImmediate(() => {
        throw new TypeError('H-00017 stumbled')
      })
      return
    case 'trayClick':
      return void shownTray().emit('click', {}, {}, {})
    case 'menuClick':
      return click(shownTray().entries, act.labels)
    case 'applicationMenuClick':
      return click(entriesOfApplication(), act.labels)
    case 'notificationClick':
      return void notice(act.id).emit('click', {})
    case 'notificationClose':
      return notice(act.id).close()
    case 'surroundings':
      changeSurroundings(act.changes)
      if (act.changes.isDark !== undefined) becomeDark(act.changes.isDark)
      return
  }
}
