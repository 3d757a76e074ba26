/** What the start after an update reads and leaves: which version was to be installed, and if the window was hidden. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readCommandLine } from '../../../../src-main/electron/command-line.ts'
import { startUpdates } from '../../../../src-main/electron/updates/updates.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const { account } = vi.hoisted(() => ({ account: { folder: '' } }))
vi.mock('electron', () => ({
  app: { getPath: () => account.folder, getVersion: () => '1.0.0', isPackaged: false },
  powerMonitor: {},
}))

it.each([
  ['1.0.0', 'was installed', [true, false], false],
  ['1.1.0', 'failed', [true, false], true],
])(
  'a window that was hidden when %s %s is hidden at that start alone',
  async (version, _how, expected, isNoted) => {
    account.folder = temporaryFolder()
    const path = join(account.folder, 'update.json')
    writeFileSync(path, JSON.stringify({ version, window: 'hidden' }))
    const start = async (): Promise<boolean> => {
      const started = await startUpdates({
        clock: new ManualClock(),
        logger: createRecordingLogger(),
        commandLine: readCommandLine([]),
      })
      return started.wasHidden
    }
    expect([await start(), await start()]).toEqual(expected)
    expect(existsSync(path)).toBe(isNoted)
  },
)
