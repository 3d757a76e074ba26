/** Starts the headless host. A defect ends its process. */
import { errorName } from '../station/lib/errors.ts'
import { limitOwnHeap } from '../station/ports.ts'
import { createJsonLogger, messageFor, positionOf, serve } from './host.ts'

limitOwnHeap()

/** A defect ends the process: what goes on in an unknown state could send twice. The next start is safe at any moment. */
function exitOnDefect(error: unknown): void {
  createJsonLogger().error('a defect ended the station', { error: errorName(error), at: positionOf(error) })
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
