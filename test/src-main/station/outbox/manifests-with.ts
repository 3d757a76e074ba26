/** An outbox with its manifests, on a real disk, that can be closed, cut off, copied and opened again. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import {
  type ManifestKeeper,
  openManifestKeeper,
} from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import {
  type Manifest,
  manifestsFolderIn,
  readManifestText,
} from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { handleRestored } from '../../../../src-main/station/outbox/restored-copy.ts'
import { systemClock } from '../../../../src-main/station/ports.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import {
  addWaiting,
  endAttempt,
  openTestOutbox,
  SERVICE,
  startAttempt,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

export const THERE = { ...SERVICE, centerId: null }

export type OutboxWithManifests = TestOutbox & {
  readonly keeper: ManifestKeeper
  readonly logger: ReturnType<typeof createRecordingLogger>
  /** Ends everything as it should be. */
  end(): Promise<void>
}

/** Opens an outbox as the station does: what was restored is settled before anything else. */
export async function openWithManifests(
  folder = temporaryFolder(),
  /** Leaves out what an opening finds out, so that what comes after it has to. */
  isCompared = true,
): Promise<OutboxWithManifests> {
  let wake = (): void => undefined
  const test = openTestOutbox(folder, () => wake())
  const logger = createRecordingLogger()
  const manifestsFolder = manifestsFolderIn(folder)
  if (isCompared)
    await handleRestored({
      outbox: test.outbox,
      manifestsFolder,
      clock: systemClock,
      logger,
      service: SERVICE,
    })
  const keeper = openManifestKeeper({
    outbox: test.outbox,
    folder: manifestsFolder,
    clock: systemClock,
    logger,
  })
  wake = () => keeper.wake()
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await keeper.close()
  }
  onTestFinished(close)
  return {
    ...test,
    keeper,
    logger,
    end: async () => {
      await close()
      test.close()
    },
  }
}

/** Such an outbox with one case that waits. */
export async function withOneCase(): Promise<{ readonly test: OutboxWithManifests; readonly id: string }> {
  const test = await openWithManifests()
  return { test, id: addWaiting(test) }
}

/** A copy of the whole data folder, as a kill would leave it. */
export function cutOff(folder: string): string {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** The database file alone with what belongs to it, as someone copies it by hand. */
export function copyDatabase(folder: string): string {
  const copy = temporaryFolder()
  for (const name of readdirSync(folder).filter((one) => one.startsWith('outbox.sqlite')))
    cpSync(join(folder, name), join(copy, name))
  return copy
}

export function manifestPath(folder: string, id: string): string {
  mkdirSync(join(manifestsFolderIn(folder), id.slice(0, 2)), { recursive: true })
  return join(manifestsFolderIn(folder), id.slice(0, 2), `${id}.json`)
}

export function manifestIn(folder: string, id: string): Manifest | null {
  return readManifestText(readFileSync(manifestPath(folder, id), 'utf8'))
}

/** Removes the database and what belongs to it, and leaves the rest of the folder. */
export function loseDatabase(folder: string): void {
  for (const part of ['', '-wal', '.seal']) rmSync(join(folder, `outbox.sqlite${part}`), { force: true })
}

/** Puts a copy of the database in the place of the one that is there, as a person does. */
export function putBack(copy: string, folder: string): void {
  loseDatabase(folder)
  cpSync(copy, folder, { recursive: true })
}

/** Sends a case as the sender does: announced, attempted, delivered. */
export async function send(test: OutboxWithManifests, id: string, caseId: string): Promise<void> {
  expect(await test.keeper.announce(id, THERE)).toEqual({ kind: 'announced' })
  startAttempt(test, id)
  endAttempt(test, id, 'delivered', { caseId })
  test.keeper.settle(id)
}
