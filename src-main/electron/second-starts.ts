import type { Logger } from '../station/ports.ts'

/** The part of `app` that is needed. */
export type SecondStartSource = {
  on(event: 'second-instance', listener: (event: unknown, args: readonly string[]) => void): unknown
  on(event: 'activate', listener: () => void): unknown
}

/**
 * Whoever starts the app a second time wants to see it; also where this one started hidden, and before its window is
 * there. Only the start at login says `--hidden`, and then nobody has asked for anything.
 */
export function onSecondStart(app: SecondStartSource, logger: Logger, show: () => void): void {
  app.on('second-instance', (_event, args) => {
    const isHidden = args.includes('--hidden')
    logger.info('it was started a second time', { isWindowShown: !isHidden })
    if (!isHidden) show()
  })
  app.on('activate', show)
}
