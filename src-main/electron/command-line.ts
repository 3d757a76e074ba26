/** The command line of the desktop app. Chromium reads the same line, so what is unknown here is left alone. */
import { parseArgs } from 'node:util'

export type CommandLine = {
  /** A file of settings, as `npm run serve -- --config` takes it. */
  readonly configPath: string | null
  readonly dataFolder: string | null
  /** Start in the tray, as at login. */
  readonly isHidden: boolean
  /** Build a lost or damaged outbox anew before the start. */
  readonly isRecovering: boolean
}

export function readCommandLine(words: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...words],
    strict: false,
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      data: { type: 'string' },
      hidden: { type: 'boolean' },
      recover: { type: 'boolean' },
    },
  })
  return {
    configPath: typeof values.config === 'string' ? values.config : null,
    dataFolder: typeof values.data === 'string' ? values.data : null,
    isHidden: values.hidden === true,
    isRecovering: values.recover === true,
  }
}
