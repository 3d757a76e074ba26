import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../../../../../src-main/station/lib/storage-faults.ts'
import { openDatabase } from '../../../../../src-main/station/outbox/migrations/migrate.ts'
import { recoverOutbox as recoverMessages } from '../../../../../src-main/station/outbox/recovery/recover.ts'
import { openOutbox } from '../../../../../src-main/station/outbox/open-outbox.ts'
import {
  addWaiting,
  startAttempt,
  MORNING,
  newSubmission,
  someBytes,
  stateOf,
} from '../../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'
import {
  copyDatabase,
  loseDatabase,
  manifestPath,
  openWithManifests,
  putBack,
  send,
  THERE,
} from '../manifests-with.ts'

const SOUND = 'The outbox is sound and was not changed.'

/** What a recovery reports, in English. */
async function recoverOutbox(folder: string, now: number): Promise<readonly string[]> {
  return (await recoverMessages(folder, now)).map(({ message }) => message)
}

/** A data folder in which a station worked, with a case in each kind of state. */
async function usedFolder() {
  const test = await openWithManifests()
  const sent = addWaiting(test, { images: [{ bytes: someBytes(), eye: 'left' }] })
  await send(test, sent, 'case-1')
  const waiting = addWaiting(test)
  const collecting = test.outbox.createSubmission(newSubmission({ groupKey: 'k-1', addendumTo: sent }))
  const sending = addWaiting(test)
  await test.keeper.announce(sending, THERE)
  startAttempt(test, sending)
  const discarded = addWaiting(test)
  test.outbox.moveSubmission(discarded, 'discarded', {}, { at: MORNING })
  await test.end()
  return { folder: test.folder, sent, waiting, collecting, sending, discarded }
}

const databaseIn = (folder: string): string => join(folder, 'outbox.sqlite')

/** What a hard end leaves if all content is in the WAL, and the WAL was lost: sound, and ours, and knowing nothing. */
function empty(path: string): void {
  loseDatabase(dirname(path))
  openDatabase(path).close()
}

function flipBytes(path: string): void {
  const bytes = readFileSync(path)
  for (let at = 4_096 * 3; at < bytes.length; at += 4_096 * 5) bytes.fill(0xa5, at, at + 600)
  writeFileSync(path, bytes)
}

const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ['gone', (path) => rmSync(path)],
  ['of length zero', (path) => truncateSync(path)],
  ['cut off', (path) => truncateSync(path, 10_000)],
  ['without one table', empty],
  ['full of flipped bytes', flipBytes],
  ['another file', (path) => writeFileSync(path, 'no database at all, but not empty either'.repeat(100))],
]

describe('an outbox that is', () => {
  it.each(DAMAGES)(
    '%s: names the recovery, and is built again without sending anything again',
    async (_what, damage) => {
      const used = await usedFolder()
      damage(databaseIn(used.folder))
      const refusal = await openWithManifests(used.folder).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(StorageError)
      expect(refusal).toMatchObject({
        remedy: 'recover',
        message: expect.stringContaining('Nothing was sent') as string,
      })

      const before = existsSync(databaseIn(used.folder)) ? readFileSync(databaseIn(used.folder)) : null
      const sentences = await recoverOutbox(used.folder, Date.now())
      expect(sentences.at(-1)).toMatch(/^Cases not known as sent: /)
      const aside = readdirSync(used.folder).find(
        (name) => name.startsWith('outbox-set-aside') && name.endsWith('.sqlite'),
      )
      expect(aside === undefined ? null : readFileSync(join(used.folder, aside))).toEqual(before)

      const again = await openWithManifests(used.folder)
      expect(again.outbox.rowOf(used.sent)).toMatchObject({ state: 'sent', case_id: 'case-1' })
      expect(again.outbox.imageRowsOf(used.sent)).toMatchObject([{ eye: 'left' }])
      expect(again.outbox.dueReportWatches(Date.now())).toMatchObject([{ case_id: 'case-1' }])
      for (const id of [used.waiting, used.collecting, used.sending])
        expect(stateOf(again, id)).toBe('unconfirmed')
      expect(again.outbox.rowOf(used.collecting)?.addendum_to).toBe(used.sent)
      expect(again.outbox.groupKeysOf(used.collecting)).toEqual(['k-1'])
      expect(stateOf(again, used.discarded)).toBe('discarded')
      expect(again.outbox.hasUnresolvedAttempt(used.discarded)).toBe(true)
      expect(again.outbox.submissionIdsIn('waiting')).toEqual([])
      // What was passed for sending then is still just that.
      expect(again.outbox.matchesClearance(used.waiting)).toBe(true)
      expect(again.outbox.openAlarms()).toMatchObject([{ kind: 'outboxRestored' }])
      expect(
        again.outbox.listSubmissions({
          limit: 10,
          search: again.outbox.rowOf(used.sent)?.reference,
        }),
      ).toMatchObject({
        total: 1,
      })
    },
  )
})

describe('a recovery', () => {
  it.each([
    ['an alarm if the service was not called', null, ['outboxRestored', 'sentWrongly']],
    ['none if it was', { spokenTo: 'Ms Sample', at: 2, by: 'AB' }, ['outboxRestored']],
  ])('keeps what was sent wrongly, and what corrects it: %s', async (_what, call, alarms) => {
    const before = await openWithManifests()
    const sent = addWaiting(before)
    await send(before, sent, 'case-1')
    await before.end()
    const test = await openWithManifests(before.folder)
    const note = { because: 'eye' as const, right: '', at: 1, by: 'AB', call }
    test.outbox.noteSentWrongly(sent, note, { by: 'AB', at: 1 })
    const corrected = test.outbox.createSubmission(newSubmission({ replaces: sent }))
    await test.end()
    loseDatabase(test.folder)
    await recoverOutbox(test.folder, Date.now())
    const again = await openWithManifests(test.folder)
    expect(again.outbox.submissionOf(sent)).toMatchObject({ state: 'sent', sentWrongly: note })
    expect(again.outbox.detailsOf(corrected)).toMatchObject({ replaces: { id: sent, caseId: 'case-1' } })
    expect(
      again.outbox
        .openAlarms()
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(alarms)
  })

  it('builds on the newest backup that is sound, and applies what came since', async () => {
    const used = await usedFolder()
    const copy = copyDatabase(used.folder)
    const backups = join(used.folder, 'backups')
    mkdirSync(backups)
    renameSync(join(copy, 'outbox.sqlite'), join(backups, 'outbox-2026-11-19.sqlite'))
    const marking = new Database(join(backups, 'outbox-2026-11-19.sqlite'))
    marking.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('backupOf', 'then')")
    marking.close()
    writeFileSync(join(backups, 'outbox-2026-11-20.sqlite'), 'damaged, and newer')
    const later = await openWithManifests(used.folder)
    await send(later, used.waiting, 'case-2')
    const added = addWaiting(later)
    await later.end()
    rmSync(databaseIn(used.folder))
    // What only the backup knows any more.
    rmSync(manifestPath(used.folder, used.collecting))

    const sentences = (await recoverOutbox(used.folder, Date.now())).join('\n')
    expect(sentences).toContain('Backup outbox-2026-11-20.sqlite could not be used.')
    expect(sentences).toContain('rebuilt from backup outbox-2026-11-19.sqlite')
    const again = await openWithManifests(used.folder)
    expect(again.outbox.rowOf(used.waiting)).toMatchObject({ state: 'sent', case_id: 'case-2' })
    expect(stateOf(again, added)).toBe('unconfirmed')
    expect(stateOf(again, used.collecting)).toBe('unconfirmed')
    expect(readdirSync(backups).toSorted()).toEqual(['outbox-2026-11-19.sqlite', 'outbox-2026-11-20.sqlite'])
  })

  it('builds on the backup that knows most, whatever day a wrong clock has named it after', async () => {
    const test = await openWithManifests()
    const first = addWaiting(test)
    await test.end()
    const backups = join(test.folder, 'backups')
    mkdirSync(backups)
    cpSync(databaseIn(test.folder), join(backups, 'outbox-2031-01-01.sqlite'))
    const later = await openWithManifests(test.folder)
    const second = addWaiting(later)
    await later.end()
    cpSync(databaseIn(test.folder), join(backups, 'outbox-2026-11-20.sqlite'))
    rmSync(databaseIn(test.folder))
    // Only the backup of that day knows of it.
    rmSync(manifestPath(test.folder, second))
    expect((await recoverOutbox(test.folder, Date.now())).join('\n')).toContain(
      'rebuilt from backup outbox-2026-11-20.sqlite',
    )
    const again = await openWithManifests(test.folder)
    for (const id of [first, second]) expect(stateOf(again, id)).toBe('unconfirmed')
  })

  it.each(['an outbox that is lost', 'an older copy of it'])(
    'lets an approval that was not final go nowhere from %s without a look, whatever was approved before',
    async (which) => {
      const test = await openWithManifests()
      const id = addWaiting(test)
      const events = ['gatheredForReview', 'approved', 'held', 'releasedToReview'] as const
      for (const event of events) test.outbox.moveSubmission(id, event, {}, { at: MORNING })
      const before = test.outbox.rowOf(id)
      if (!before) throw new Error('no case')
      test.outbox.moveSubmission(id, 'approved', {}, { at: MORNING, undo: { ms: 8_000, before } })
      await test.end()
      if (which === 'an older copy of it') {
        const copy = copyDatabase(test.folder)
        const later = await openWithManifests(test.folder)
        later.outbox.moveSubmission(id, 'undone', {}, { at: MORNING })
        await later.end()
        putBack(copy, test.folder)
      } else {
        rmSync(databaseIn(test.folder))
        await recoverOutbox(test.folder, Date.now())
      }
      const { outbox } = await openWithManifests(test.folder)
      expect(outbox.rowOf(id)).toMatchObject({ state: 'unconfirmed', undo_ms: null, approved_digest: null })
      expect(outbox.moveSubmission(id, 'provenAbsent', {}, { at: MORNING })).toBe('review')
    },
  )

  it('done twice leaves a sound outbox as it is', async () => {
    const used = await usedFolder()
    rmSync(databaseIn(used.folder))
    await recoverOutbox(used.folder, Date.now())
    const again = await openWithManifests(used.folder)
    const before = again.outbox.listAudit({ limit: 1_000 }).length
    await again.end()
    expect(await recoverOutbox(used.folder, Date.now())).toEqual([SOUND])
    const third = await openWithManifests(used.folder)
    expect(third.outbox.listAudit({ limit: 1_000 })).toHaveLength(before)
    expect(third.outbox.openAlarms()).toHaveLength(1)
  })

  it('keeps a case whose manifest is damaged in doubt, so that no second one is made of its images', async () => {
    const used = await usedFolder()
    const path = manifestPath(used.folder, used.sent)
    const hash = /"sha256":"([0-9a-f]{64})"/.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
    writeFileSync(path, readFileSync(path, 'utf8').replace('"history_number', '"history_numbex'))
    rmSync(databaseIn(used.folder))
    const sentences = (await recoverOutbox(used.folder, Date.now())).join('\n')
    expect(sentences).toContain('Damaged notes, set aside: 1.')
    const again = await openWithManifests(used.folder)
    expect(stateOf(again, used.sent)).toBe('unconfirmed')
    expect(again.outbox.holdersOf(hash)).toMatchObject([{ submissionId: used.sent }])
    expect(again.outbox.matchesClearance(used.sent)).toBe(false)
    expect(stateOf(again, used.waiting)).toBe('unconfirmed')
  })

  it('shows of images whose files are gone, and of files that no case names', async () => {
    const used = await usedFolder()
    rmSync(databaseIn(used.folder))
    mkdirSync(join(used.folder, 'spool', 'ab'), { recursive: true })
    writeFileSync(join(used.folder, 'spool', 'ab', 'ab01'), 'no one knows')
    const sentences = (await recoverOutbox(used.folder, Date.now())).join('\n')
    expect(sentences).toContain('Copied files without a case, left in place: 1.')
    // Test images lie outside the folders of the spool.
    expect(sentences).toContain('Images with missing files: 4.')
    expect(existsSync(join(used.folder, 'spool', 'ab', 'ab01'))).toBe(true)
  })

  it.each<readonly [string, (folder: string) => void]>([
    [
      'after a kill cut one short',
      (folder) => {
        rmSync(databaseIn(folder))
        writeFileSync(join(folder, 'recovering.sqlite'), 'half of it')
      },
    ],
    [
      'of a folder that lost outbox and marker',
      (folder) => {
        for (const path of [databaseIn(folder), join(folder, 'station.json')]) rmSync(path)
      },
    ],
    [
      'with a marker that no one can read',
      (folder) => writeFileSync(join(folder, 'station.json'), '{"stationId":'),
    ],
  ])('makes an outbox that opens %s', async (_what, prepare) => {
    const used = await usedFolder()
    prepare(used.folder)
    await expect(openWithManifests(used.folder)).rejects.toMatchObject({ remedy: 'recover' })
    await recoverOutbox(used.folder, Date.now())
    const again = await openWithManifests(used.folder)
    expect([used.sent, used.waiting].map((id) => stateOf(again, id))).toEqual(['sent', 'unconfirmed'])
  })

  it('has nothing to do in a new data folder', async () => {
    const folder = temporaryFolder()
    expect(await recoverOutbox(folder, Date.now())).toHaveLength(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves an outbox alone that another process works with', async () => {
    const used = await usedFolder()
    const holder = openOutbox(used.folder)
    await expect(recoverOutbox(used.folder, Date.now())).rejects.toMatchObject({ remedy: null })
    holder.close()
  })
})

/** A data folder with enough cases for trees of several pages, all of them with manifests. */
async function manyPages() {
  const test = await openWithManifests()
  const ids = Array.from({ length: 40 }, () => addWaiting(test))
  await expect.poll(() => test.outbox.dueManifests(1), { timeout: 10_000 }).toEqual([])
  await test.end()
  return { folder: test.folder, ids }
}

/** Overwrites 1,600 bytes amid the last page of a table or index: more than one row. */
function damagePageOf(path: string, name: string): void {
  const database = new Database(path, { readonly: true })
  const page = database
    .prepare<[string], number>("SELECT max(pageno) FROM dbstat WHERE name = ? AND pagetype = 'leaf'")
    .pluck()
    .get(name)
  const size = Number(database.pragma('page_size', { simple: true }))
  database.close()
  if (page === undefined || page === null) throw new Error(`no page of ${name}`)
  const bytes = readFileSync(path)
  const end = page * size
  bytes.fill(0xa5, end - 1_700, end - 100)
  writeFileSync(path, bytes)
}

/** Only reading all of such an outbox shows that it is damaged. */
describe('one damaged page', () => {
  it.each(['submissions', 'audit', 'submissions_by_state', 'images'])(
    'of %s has the outbox built again',
    async (name) => {
      const { folder, ids } = await manyPages()
      damagePageOf(databaseIn(folder), name)
      await expect(openWithManifests(folder)).rejects.toMatchObject({ remedy: 'recover' })
      const sentences = await recoverOutbox(folder, Date.now())
      expect(sentences).not.toContain(SOUND)
      const again = await openWithManifests(folder)
      for (const id of ids) expect(stateOf(again, id)).toBe('unconfirmed')
    },
  )

  it('of the newest backup has it passed over', async () => {
    const { folder, ids } = await manyPages()
    const [kept] = ids
    mkdirSync(join(folder, 'backups'))
    for (const day of ['19', '20'])
      cpSync(databaseIn(folder), join(folder, 'backups', `outbox-2026-11-${day}.sqlite`))
    damagePageOf(join(folder, 'backups', 'outbox-2026-11-20.sqlite'), 'submissions')
    rmSync(databaseIn(folder))
    rmSync(manifestPath(folder, kept ?? ''))
    const sentences = (await recoverOutbox(folder, Date.now())).join('\n')
    expect(sentences).toContain('Backup outbox-2026-11-20.sqlite could not be used.')
    expect(sentences).toContain('rebuilt from backup outbox-2026-11-19.sqlite')
    openOutbox(folder).close()
    // Only the sound backup knows of it.
    expect(stateOf(await openWithManifests(folder), kept ?? '')).toBe('unconfirmed')
  })
})
