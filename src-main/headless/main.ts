/** Starts the headless host. A defect ends its process. */
import { errorName } from '../station/lib/errors.ts'
import { createJsonLogger, messageFor, serve } from './host.ts'

/** A defect ends the process: what goes on in an unknown state could send twice. The next start is safe at any moment. */
function exitOnDefect(error: unknown): void {
  // Only names and positions in our own code: a message may contain the name of a patient's file.
  const frame =
    error instanceof Error ? (error.stack?.split('\n').find((line) => line.includes('/src-main/')) ?? '') : ''
  const at = /src-main\/[^):]+:\d+/.exec(frame)?.[0] ?? null
  createJsonLogger().error('a defect ended the station', {
    error: errorName(error),
    at,
  })
  process.exit(1)
}

process.on('uncaughtException', exitOnDefect)

process.on('unhandledRejection', exitOnDefect)

try {
  await serve(process.argv.slice(2))
} catch (error) {
  const message = messageFor(error)
  if (message === null) exitOnDefect(error)
  console.error(message)
  process.exitCode = 1
}
