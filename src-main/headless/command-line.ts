/** The command line of the headless host. */
import { parseArgs } from 'node:util'

type CommandLine = {
  readonly configPath: string | null
  readonly dataFolder: string
  readonly port: number
  readonly address: string
  /** Rebuild a lost or damaged outbox before the start. */
  readonly isRecovering: boolean
}

/** Reads the command line. Answers with the usage if it cannot be read. */
export function readCommandLine(args: readonly string[]): CommandLine | { readonly usage: string } {
  const usage =
    'usage: npm run serve -- --config FILE [--data DIR] [--port N] [--address 127.0.0.1] [--recover]'
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: { type: 'string' },
        data: { type: 'string', default: './fundus-courier-data' },
        port: { type: 'string', default: '0' },
        address: { type: 'string', default: '127.0.0.1' },
        recover: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return { usage }
    return {
      configPath: values.config ?? null,
      dataFolder: values.data,
      port,
      address: values.address,
      isRecovering: values.recover,
    }
  } catch (error) {
    if (error instanceof TypeError) return { usage: `${error.message}\n${usage}` }
    throw error
  }
}
