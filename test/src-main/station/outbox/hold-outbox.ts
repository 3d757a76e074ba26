/** Run as a process of its own: tries to open the outbox of a folder, and says how that went on one line. */
import { openOutbox, type OpenOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'

const folder = process.argv[2] ?? ''
const mode = process.argv[3] ?? 'try'

/** A connection that no one refers to any more is collected, and its lock with it. */
let held: OpenOutbox | null = null

function attempt(): { readonly opened: boolean; readonly name?: string; readonly message?: string } {
  try {
    held = openOutbox(folder)
    if (mode !== 'hold') held.close()
    return { opened: true }
  } catch (error) {
    return error instanceof Error
      ? { opened: false, name: error.name, message: error.message }
      : { opened: false }
  }
}

process.stdout.write(`${JSON.stringify(attempt())}\n`)
// Anyone who started this process ends it by closing its input.
if (mode === 'hold') process.stdin.resume().once('end', () => held?.close())
