/**
 * A renderer that dies leaves a black window, for hours where nobody clicks. So it is loaded again, but not for ever:
 * one that dies again and again needs a person.
 */
import { dialog, type BrowserWindow } from 'electron'
import type { Clock, Logger } from '../station/ports.ts'
import { createReloadAllowance } from './reload-allowance.ts'

export function recoverRenderer(window: BrowserWindow, clock: Clock, logger: Logger): void {
  const mayReload = createReloadAllowance(clock)
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return
    logger.error('the screens ended unexpectedly', { reason, exitCode })
    if (mayReload()) return window.webContents.reload()
    void dialog
      .showMessageBox(window, {
        type: 'warning',
        title: 'Fundus Courier',
        message: 'The screens stopped several times and are not shown any more.',
        detail: 'The station itself goes on: images are taken in and cases are sent.',
        buttons: ['Show the screens again'],
      })
      .then(() => window.webContents.reload())
  })
  window.webContents.on('did-fail-load', (_event, errorCode) =>
    logger.error('the screens could not be loaded', { errorCode }),
  )
  window.on('unresponsive', () => logger.warn('the screens do not respond'))
  window.on('responsive', () => logger.info('the screens respond again'))
}
