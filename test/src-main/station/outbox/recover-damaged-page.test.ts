/** One page of an outbox that opens without a word is damaged: only reading all of it shows that. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { recoverOutbox } from '../../../../src-main/station/outbox/recovery/recover.ts'
import { openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { manifestPath, openWithManifests } from './manifests-with.ts'

const SOUND = 'The outbox is sound, so it was left as it is.'
const databaseIn = (folder: string): string => join(folder, 'outbox.sqlite')

/** A data folder with enough cases for trees of several pages, all of them with manifests. */
async function usedFolder(): Promise<{ readonly folder: string; readonly ids: readonly string[] }> {
  const test = await openWithManifests(temporaryFolder())
  const ids = Array.from({ length: 40 }, () => addWaiting(test))
  await test.end()
  return { folder: test.folder, ids }
}

/** Overwrites 600 bytes amid the last page of a table or index. */
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
  bytes.fill(0xa5, end - 700, end - 100)
  writeFileSync(path, bytes)
}

describe('a recovery', () => {
  it.each(['submissions', 'audit', 'submissions_by_state', 'images'])(
    'builds an outbox again of which one page of %s is damaged',
    async (name) => {
      const { folder, ids } = await usedFolder()
      damagePageOf(databaseIn(folder), name)
      await expect(openWithManifests(folder)).rejects.toMatchObject({ remedy: 'recover' })
      const sentences = (await recoverOutbox(folder, Date.now())).map(({ message }) => message)
      expect(sentences).not.toContain(SOUND)
      const again = await openWithManifests(folder)
      for (const id of ids) expect(stateOf(again, id)).toBe('unconfirmed')
    },
  )

  it('passes over a newest backup of which one page is damaged', async () => {
    const { folder, ids } = await usedFolder()
    const [kept] = ids
    mkdirSync(join(folder, 'backups'))
    for (const day of ['19', '20'])
      copyFileSync(databaseIn(folder), join(folder, 'backups', `outbox-2026-11-${day}.sqlite`))
    damagePageOf(join(folder, 'backups', 'outbox-2026-11-20.sqlite'), 'submissions')
    rmSync(databaseIn(folder))
    rmSync(manifestPath(folder, kept ?? ''))
    const sentences = (await recoverOutbox(folder, Date.now())).map(({ message }) => message).join('\n')
    expect(sentences).toContain('The backup outbox-2026-11-20.sqlite could not be used.')
    expect(sentences).toContain('built on the backup outbox-2026-11-19.sqlite')
    openOutbox(folder).close()
    // Only the sound backup knows of it.
    expect(stateOf(await openWithManifests(folder), kept ?? '')).toBe('unconfirmed')
  })
})
