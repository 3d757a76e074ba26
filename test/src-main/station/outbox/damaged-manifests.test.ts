import { randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestsFolderIn, readManifest } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { recoverOutbox } from '../../../../src-main/station/outbox/recovery/recover.ts'
import { handleRestored } from '../../../../src-main/station/outbox/restored-copy.ts'
import { systemClock } from '../../../../src-main/station/ports.ts'
import {
  cutOff,
  loseDatabase,
  manifestIn,
  manifestPath,
  type OutboxWithManifests,
  openWithManifests,
  withOneCase,
  THERE,
} from './manifests-with.ts'
import {
  addWaiting,
  endAttempt,
  MORNING,
  openTestOutbox,
  SERVICE,
  someBytes,
  startAttempt,
  stateOf,
} from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'

/** A data folder that has lost its outbox, but not the manifest of its one case. */
async function lost(): Promise<{ readonly folder: string; readonly id: string; readonly hash: string }> {
  const { test, id } = await withOneCase()
  const hash = test.outbox.imageRowsOf(id)[0]?.sha256 ?? ''
  await test.end()
  rmSync(join(test.folder, 'outbox.sqlite'))
  return { folder: test.folder, id, hash }
}

function damage(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace('"history_number', '"history_numbex'))
}

it('a damaged manifest stays in its place until what it shows is committed', async () => {
  const { folder, id, hash } = await lost()
  damage(manifestPath(folder, id))
  const test = openTestOutbox(join(folder, 'elsewhere'))
  test.outbox.writeFact('restored', 'otherCopy')
  const settling = {
    manifestsFolder: manifestsFolderIn(folder),
    clock: systemClock,
    logger: createRecordingLogger(),
    service: SERVICE,
  }
  const cut = new Error('cut off')
  const outbox = {
    ...test.outbox,
    applyManifests: () => {
      throw cut
    },
  }
  await expect(handleRestored({ ...settling, outbox })).rejects.toBe(cut)
  expect(existsSync(manifestPath(folder, id))).toBe(true)
  await handleRestored({ ...settling, outbox: test.outbox })
  expect(stateOf(test, id)).toBe('unconfirmed')
  expect(test.outbox.holdersOf(hash)).toMatchObject([{ submissionId: id }])
  expect(existsSync(manifestPath(folder, id))).toBe(false)
  expect(existsSync(`${manifestPath(folder, id)}.damaged`)).toBe(true)
})

it('of a damaged manifest the images are salvaged, and no copy passes for one', async () => {
  const { test, id } = await withOneCase()
  const [image] = test.outbox.imageRowsOf(id)
  const mark = { folderPath: '/exports', relativePath: 'copy.jpg', sizeBytes: 1, mtimeMs: MORNING }
  test.outbox.markSeen({ ...mark, sha256: 'c'.repeat(64) }, 'copy', MORNING, { imageId: image?.id ?? '' })
  await test.end()
  loseDatabase(test.folder)
  damage(manifestPath(test.folder, id))
  expect(readFileSync(manifestPath(test.folder, id), 'utf8')).toContain('c'.repeat(64))
  await recoverOutbox(test.folder, MORNING)
  const again = await openWithManifests(test.folder)
  expect(again.outbox.imageRowsOf(id).map(({ sha256 }) => sha256)).toEqual([image?.sha256])
})

it.each([
  ['recovered', (folder: string) => loseDatabase(folder)],
  ['opened without its marker', (folder: string) => rmSync(join(folder, 'station.json'))],
])(
  'manifests copied under other ids become cases with references of their own if the outbox is %s',
  async (_how, lose) => {
    const { test, id } = await withOneCase()
    await test.end()
    const { folder } = test
    const ids = [id, randomUUID(), randomUUID()]
    for (const copy of ids.slice(1)) cpSync(manifestPath(folder, id), manifestPath(folder, copy))
    lose(folder)
    await recoverOutbox(folder, MORNING)
    const again = await openWithManifests(folder)
    expect(new Set(ids.map((one) => again.outbox.rowOf(one)?.reference)).size).toBe(3)
    for (const one of ids) expect(stateOf(again, one)).toBe('unconfirmed')
  },
)

it('an image that was moved stays known where only the manifest of the case that lost it was written', async () => {
  const test = await openWithManifests()
  const from = addWaiting(test, {
    images: [
      { bytes: someBytes(), eye: 'left' },
      { bytes: someBytes(), eye: 'right' },
    ],
  })
  const to = addWaiting(test)
  await expect.poll(() => test.outbox.dueManifests(1)).toEqual([])
  const before = cutOff(test.folder)
  const [moved] = test.outbox.imageRowsOf(from)
  test.outbox.moveImages([moved?.id ?? ''], to)
  await expect.poll(() => test.outbox.dueManifests(1)).toEqual([])
  expect(manifestIn(test.folder, from)?.images).toHaveLength(1)

  // The backup and the manifest of the other case are of before, as if a kill came between two manifests.
  const lost = cutOff(test.folder)
  cpSync(manifestPath(before, to), manifestPath(lost, to))
  mkdirSync(join(lost, 'backups'))
  await (await openWithManifests(before)).end()
  cpSync(join(before, 'outbox.sqlite'), join(lost, 'backups', 'outbox-2026-11-20.sqlite'))
  loseDatabase(lost)
  await recoverOutbox(lost, MORNING)

  const again = await openWithManifests(lost)
  const row = [from, to].flatMap((id) => again.outbox.imageRowsOf(id)).find(({ id }) => id === moved?.id)
  expect(row).toMatchObject({ submission_id: from, sha256: moved?.sha256 })
  expect(row?.excluded_because).toContain('Belonged to another case')
  // The file of the camera makes no second case.
  expect(again.outbox.holdersOf(moved?.sha256 ?? '')).toMatchObject([{ submissionId: from }])
  expect(again.outbox.openAlarms()).toContainEqual(
    expect.objectContaining({
      submissionId: from,
      message: expect.stringContaining('find their case') as string,
    }),
  )
})

/** What the disk does not give: a folder with the name of a manifest. */
function makeUnreadable(folder: string, id: string): void {
  rmSync(manifestPath(folder, id))
  mkdirSync(manifestPath(folder, id))
}

/** What a kill leaves of a station with some cases, of which all have manifests. */
async function killed(
  add: (test: OutboxWithManifests) => readonly string[],
): Promise<readonly [string, readonly string[]]> {
  const test = await openWithManifests()
  const ids = add(test)
  await expect.poll(() => test.outbox.dueManifests(1)).toEqual([])
  return [cutOff(test.folder), ids]
}

describe('after a crash, a manifest that cannot be read', () => {
  it('is no "knows no more": its one case is in doubt, the others wait, and the station starts', async () => {
    const [folder, [unread = '', other = '']] = await killed((test) => [addWaiting(test), addWaiting(test)])
    makeUnreadable(folder, unread)
    const again = await openWithManifests(folder)
    expect(stateOf(again, unread)).toBe('unconfirmed')
    expect(stateOf(again, other)).toBe('waiting')
    expect(again.outbox.openAlarms()).toMatchObject([{ kind: 'outboxRestored', submissionId: unread }])
    expect(again.logger.errors()).toContain('a manifest cannot be read')
    expect(again.outbox.readFact('restored')).toBe('')
    // It is kept under another name, and one that shows of the doubt is in its place.
    await expect.poll(() => existsSync(`${manifestPath(folder, unread)}.unreadable`)).toBe(true)
    await expect.poll(() => manifestIn(folder, unread)?.submission.state).toBe('unconfirmed')
  })

  it('of what is sent or in doubt already changes nothing', async () => {
    const [folder, [sent = '', unconfirmed = '']] = await killed((test) => {
      const ids = [addWaiting(test), addWaiting(test)]
      for (const id of ids) {
        startAttempt(test, id)
        endAttempt(test, id, id === ids[0] ? 'delivered' : 'unknown')
      }
      return ids
    })
    for (const id of [sent, unconfirmed]) makeUnreadable(folder, id)
    const again = await openWithManifests(folder)
    expect(stateOf(again, sent)).toBe('sent')
    expect(stateOf(again, unconfirmed)).toBe('unconfirmed')
    expect(again.outbox.attemptsOf(unconfirmed)).toHaveLength(1)
    expect(again.outbox.openAlarms()).toEqual([])
  })

  it('with all others in one folder lets the station start, too', async () => {
    const [folder, [unread = '']] = await killed((test) => [addWaiting(test)])
    const beside = join(manifestsFolderIn(folder), unread.slice(0, 2))
    renameSync(beside, `${beside}-moved`)
    symlinkSync(beside, beside)
    const again = await openWithManifests(folder)
    expect(stateOf(again, unread)).toBe('unconfirmed')
    expect(again.logger.errors()).toContain('a folder of manifests cannot be read')
  })
})

it('a recovery shows of manifests that it could not read, and leaves them in place', async () => {
  const [folder, [unread = '', other = '']] = await killed((test) => [addWaiting(test), addWaiting(test)])
  makeUnreadable(folder, unread)
  rmSync(join(folder, 'outbox.sqlite'))
  const sentences = (await recoverOutbox(folder, MORNING)).map(({ message }) => message).join('\n')
  expect(sentences).toContain('Unreadable notes beside images: 1.')
  expect((await readManifest(manifestsFolderIn(folder), unread)).kind).toBe('unreadable')
  expect(stateOf(await openWithManifests(folder), other)).toBe('unconfirmed')
})

it('an attempt does not begin beside a manifest that cannot be read: its case is in doubt first', async () => {
  const { test, id } = await withOneCase()
  await test.end()
  makeUnreadable(test.folder, id)
  const again = await openWithManifests(test.folder)
  expect(await again.keeper.announce(id, THERE)).toEqual({ kind: 'notWaiting' })
  expect(stateOf(again, id)).toBe('unconfirmed')
})
