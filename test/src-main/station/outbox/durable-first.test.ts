/** What waits for the flush of what was committed: answers, manifests, and the removal of files. The disk flushes when a test says. */
import type * as Fs from 'node:fs'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { openRetention } from '../../../../src-main/station/storage/retention.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { started } from '../started.ts'
import { openWithManifests, THERE } from './manifests-with.ts'

const { disk } = vi.hoisted(() => ({ disk: { held: null as (() => void)[] | null } }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>()
  return {
    ...real,
    fdatasync: (file: number, end: (error: Error | null) => void) => {
      if (disk.held === null) real.fdatasync(file, end)
      else disk.held.push(() => real.fdatasync(file, end))
    },
  }
})

beforeEach(() => {
  disk.held = null
})
afterEach(flush)

/** Nothing is flushed until `flush`. */
function hold(): void {
  disk.held = []
}

function flush(): void {
  const held = disk.held ?? []
  disk.held = null
  for (const one of held) one()
}

/** Other work goes on meanwhile. */
const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('an answer waits for what the call committed; one that only reads does not wait', async () => {
  const { answer } = await started({})
  hold()
  let paused = 'not yet'
  void answer('station.pause').then(() => (paused = 'answered'))
  await someTurns()
  expect(await answer('station.status')).toMatchObject({ value: { mode: { kind: 'paused', why: 'person' } } })
  expect(paused).toBe('not yet')
  flush()
  await expect.poll(() => paused).toBe('answered')
})

it('a manifest is written after what it rests on', async () => {
  const test = await openWithManifests()
  const id = addWaiting(test)
  hold()
  const path = join(test.folder, 'spool', 'manifests', id.slice(0, 2), `${id}.json`)
  const announced = test.keeper.announce(id, THERE)
  await someTurns()
  expect(existsSync(path)).toBe(false)
  flush()
  expect(await announced).toEqual({ kind: 'announced' })
  expect(existsSync(path)).toBe(true)
})

it('a file is removed after the row that needed it', async () => {
  const test = openTestOutbox(temporaryFolder())
  const spoolFolder = join(test.folder, 'spool')
  mkdirSync(spoolFolder, { recursive: true })
  writeFileSync(join(spoolFolder, 'left'), '')
  const clock = new ManualClock({ now: MORNING })
  const leftovers = ['left']
  const outbox = {
    ...test.outbox,
    leftoversAfter: () => leftovers.splice(0),
    isSpoolFileNeeded: () => false,
  }
  const retention = openRetention({
    outbox,
    clock,
    logger: createRecordingLogger(),
    settings: () => ({ ...settingsSchema.parse({}).storage, keepImagesDays: null }),
    spoolFolder,
    mayRemove: () => true,
  })
  onTestFinished(() => retention.close())
  hold()
  test.outbox.writeFact('lastSentAt', '1')
  await clock.turn(6 * MINUTE)
  await someTurns()
  expect(existsSync(join(spoolFolder, 'left'))).toBe(true)
  flush()
  await expect.poll(() => existsSync(join(spoolFolder, 'left'))).toBe(false)
})
