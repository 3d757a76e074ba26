/** What waits for the flush of what was committed: answers, manifests, and the removal of files. The disk flushes when a test says. */
import type * as Fs from 'node:fs'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { NO_HOOKS, StorageStopped } from '../../../../src-main/station/lib/storage-faults.ts'
import { openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { manifestsFolderIn } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { handleRestored } from '../../../../src-main/station/outbox/restored-copy.ts'
import { openRetention } from '../../../../src-main/station/storage/retention.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, MORNING, openTestOutbox, SERVICE } from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { started } from '../started.ts'
import { manifestPath, openWithManifests, THERE, withOneCase } from './manifests-with.ts'

const { disk } = vi.hoisted(() => ({
  disk: { held: null as (() => void)[] | null, blocked: 0, fault: null as Error | null },
}))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>()
  return {
    ...real,
    fdatasync: (file: number, end: (error: Error | null) => void) => {
      if (disk.fault !== null) setImmediate(end, disk.fault)
      else if (disk.held === null) real.fdatasync(file, end)
      else disk.held.push(() => real.fdatasync(file, end))
    },
    fdatasyncSync: (file: number) => {
      if (disk.fault !== null) throw disk.fault
      if (disk.held !== null) disk.blocked += 1
      real.fdatasyncSync(file)
    },
  }
})

beforeEach(() => {
  disk.held = null
  disk.blocked = 0
  disk.fault = null
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

it('a flush that ends after the files were removed makes nothing durable', async () => {
  const folder = temporaryFolder()
  const opened = openOutbox(folder)
  onTestFinished(() => opened.close())
  hold()
  opened.outbox.writeFact('lastSentAt', '1')
  const durable = opened.outbox.durable().then(
    () => 'durable',
    (error: unknown) => error,
  )
  rmSync(join(folder, 'outbox.sqlite'))
  expect(opened.hasItsFiles()).toBe(false)
  flush()
  expect(await durable).toBeInstanceOf(StorageStopped)
})

it('an opening that the disk refuses for lack of space leaves nothing behind that breaks the next one', async () => {
  const states: string[] = []
  const hooks = { ...NO_HOOKS, onState: (state: string) => void states.push(state) }
  const folder = temporaryFolder()
  disk.fault = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  expect(() => openOutbox(folder, hooks)).toThrow('space')
  await someTurns()
  disk.fault = null
  const opened = openOutbox(folder, hooks)
  await someTurns()
  opened.close()
  expect(states).toEqual([])
})

it('an end waits for a disk that hangs without blocking what limits it', async () => {
  const { station } = await started({})
  hold()
  let stopped = 'not yet'
  void station.stop().then(() => (stopped = 'stopped'))
  await expect.poll(() => disk.held?.length).toBe(1)
  await someTurns()
  expect([stopped, disk.blocked]).toEqual(['not yet', 0])
  flush()
  await expect.poll(() => stopped).toBe('stopped')
})

it('a manifest is written after what it rests on', async () => {
  const test = await openWithManifests()
  const id = addWaiting(test)
  hold()
  const path = join(test.folder, 'spool', 'manifests', id.slice(0, 2), `${id}.json`)
  const announced = test.keeper.announce(id, THERE)
  const written = (): string | undefined =>
    existsSync(dirname(path)) ? readdirSync(dirname(path)).find((name) => name.endsWith('.tmp')) : undefined
  await expect.poll(written).toBeDefined()
  // Whatever the keeper did after writing it would have been done by then.
  for (let time = 0; time < 5; time += 1) {
    const file = await open(join(dirname(path), written() ?? ''))
    await file.sync()
    await file.close()
    await someTurns()
  }
  expect(existsSync(path)).toBe(false)
  flush()
  expect(await announced).toEqual({ kind: 'announced' })
  expect(existsSync(path)).toBe(true)
})

it('a manifest that cannot be read is set aside after its case was marked', async () => {
  const { test: before, id } = await withOneCase()
  await expect.poll(() => existsSync(manifestPath(before.folder, id))).toBe(true)
  await before.end()
  const path = manifestPath(before.folder, id)
  rmSync(path)
  // What cannot be read as a file.
  mkdirSync(path)
  const test = await openWithManifests(before.folder, false)
  hold()
  const announced = test.keeper.announce(id, THERE)
  await expect.poll(() => test.outbox.rowOf(id)?.state).toBe('unconfirmed')
  await someTurns()
  expect(existsSync(path)).toBe(true)
  flush()
  expect(await announced).toEqual({ kind: 'notWaiting' })
  expect(existsSync(`${path}.unreadable`)).toBe(true)
})

it('a damaged manifest is set aside after what it shows', async () => {
  const { test: before, id } = await withOneCase()
  const path = manifestPath(before.folder, id)
  await expect.poll(() => existsSync(path)).toBe(true)
  await before.end()
  writeFileSync(path, readFileSync(path, 'utf8').replace('"history_number', '"history_numbex'))
  const test = openTestOutbox(join(before.folder, 'elsewhere'))
  test.outbox.writeFact('restored', 'otherCopy')
  hold()
  const settled = handleRestored({
    outbox: test.outbox,
    manifestsFolder: manifestsFolderIn(before.folder),
    clock: new ManualClock({ now: MORNING }),
    logger: createRecordingLogger(),
    service: SERVICE,
  })
  await expect.poll(() => test.outbox.rowOf(id)?.state).toBe('unconfirmed')
  await someTurns()
  expect(existsSync(path)).toBe(true)
  flush()
  await settled
  expect(existsSync(`${path}.damaged`)).toBe(true)
})

/** A spool with a leftover, and what removes it: now. */
async function retention(isNeeded: () => boolean) {
  const test = openTestOutbox(temporaryFolder())
  const spoolFolder = join(test.folder, 'spool')
  const path = join(spoolFolder, 'left')
  mkdirSync(spoolFolder, { recursive: true })
  writeFileSync(path, '')
  const clock = new ManualClock({ now: MORNING })
  const leftovers = ['left']
  const forgotten: string[] = []
  const outbox = {
    ...test.outbox,
    leftoversAfter: () => leftovers.splice(0),
    isSpoolFileNeeded: isNeeded,
    forgetLeftover: (name: string) => void forgotten.push(name),
  }
  const removing = openRetention({
    outbox,
    clock,
    logger: createRecordingLogger(),
    settings: () => ({ ...settingsSchema.parse({}).storage, keepImagesDays: null }),
    spoolFolder,
    thumbnailOf: () => join(test.folder, 'none'),
    mayRemove: () => true,
  })
  onTestFinished(() => removing.close())
  hold()
  test.outbox.writeFact('lastSentAt', '1')
  await clock.turn(6 * MINUTE)
  await someTurns()
  return { path, forgotten }
}

it('a file is removed after the row that needed it', async () => {
  const { path, forgotten } = await retention(() => false)
  expect(existsSync(path)).toBe(true)
  flush()
  await expect.poll(() => forgotten).toEqual(['left'])
  expect(existsSync(path)).toBe(false)
})

it('a file whose last row is given up amid the flush is left for the next run', async () => {
  let isNeeded = true
  const { path, forgotten } = await retention(() => isNeeded)
  isNeeded = false
  flush()
  await someTurns()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect([existsSync(path), forgotten]).toEqual([true, []])
})
