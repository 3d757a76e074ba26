import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createStore, readFact } from '../../../../src-main/station/outbox/database.ts'
import { migrate } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import {
  beginSession,
  detectRestore,
  endSession,
  type StationMarker,
} from '../../../../src-main/station/outbox/restored-copy.ts'
import { createSubmission } from '../../../../src-main/station/outbox/submissions.ts'
import {
  addTestImage,
  addWaiting,
  endAttempt,
  startAttempt,
  MORNING,
  newSubmission,
  openTestOutbox,
  SERVICE,
  someBytes,
  stateOf,
} from '../../../tools/outbox-with.ts'
import {
  copyDatabase,
  cutOff,
  manifestIn,
  manifestPath,
  openWithManifests,
  withOneCase,
  type OutboxWithManifests,
  putBack,
  send,
  THERE,
} from './manifests-with.ts'

const RECORD = {
  folderPath: '/exports',
  relativePath: 'case.json',
  form: 'case',
  content: '{"fields":{}}',
  trouble: null,
  pathKey: 'case.json',
  statedBefore: null,
  matches: [],
  at: MORNING,
} as const

const kindsOf = (test: OutboxWithManifests, id: string): (string | undefined)[] =>
  (test.outbox.detailsOf(id)?.evidence ?? []).map((evidence) => evidence.kind)

describe('an older copy of the outbox', () => {
  it('is known at the next opening, also if nothing in it was ever sent', async () => {
    const test = await openWithManifests()
    const waiting = addWaiting(test)
    const open = test.outbox.createSubmission(newSubmission())
    const gone = addWaiting(test)
    test.outbox.moveSubmission(gone, 'discarded', {}, { at: MORNING })
    const sent = addWaiting(test)
    await send(test, sent, 'case-0')
    await test.end()
    const copy = copyDatabase(test.folder)
    const between = await openWithManifests(test.folder)
    await send(between, waiting, 'case-1')
    await between.end()

    putBack(copy, test.folder)
    const again = await openWithManifests(test.folder)
    // The manifest knows that it was sent, so it is not even looked for.
    expect(stateOf(again, waiting)).toBe('sent')
    expect(stateOf(again, open)).toBe('unconfirmed')
    expect(kindsOf(again, open)).toEqual(['restored'])
    expect(again.outbox.attemptsOf(open)).toMatchObject([
      {
        outcome: 'unknown',
        phase: 'ended',
        base_url: SERVICE.baseUrl,
        client_id: SERVICE.clientId,
      },
    ])
    expect(stateOf(again, sent)).toBe('sent')
    expect(stateOf(again, gone)).toBe('discarded')
    expect(again.outbox.hasUnresolvedAttempt(gone)).toBe(true)
    expect(again.outbox.openAlarms()).toMatchObject([{ kind: 'outboxRestored', submissionId: null }])
    expect(again.logger.errors()).toContain('the outbox is older than what happened')
  })

  it('brings back what was added since, so that no second case is made of its images', async () => {
    const test = await openWithManifests()
    await test.end()
    const copy = copyDatabase(test.folder)
    const between = await openWithManifests(test.folder)
    const bytes = someBytes()
    const id = addWaiting(between, { images: [{ bytes, eye: 'left' }] })
    const [image] = between.outbox.imageRowsOf(id)
    await send(between, id, 'case-1')
    await between.end()

    putBack(copy, test.folder)
    const again = await openWithManifests(test.folder)
    expect(again.outbox.rowOf(id)).toMatchObject({ state: 'sent', case_id: 'case-1' })
    expect(again.outbox.imageRowsOf(id)).toMatchObject([{ id: image?.id, eye: 'left' }])
    expect(again.outbox.holdersOf(image?.sha256 ?? '')).toMatchObject([{ submissionId: id }])
    expect(again.outbox.dueReportWatches(Date.now())).toMatchObject([
      { case_id: 'case-1', base_url: SERVICE.baseUrl },
    ])
  })

  it('of this very session, put in place after a kill, is known by the manifests', async () => {
    const { test, id } = await withOneCase()
    const other = addWaiting(test)
    const copy = copyDatabase(test.folder)
    const late = addWaiting(test)
    await send(test, late, 'case-1')
    expect(await test.keeper.announce(id, THERE)).toEqual({ kind: 'announced' })
    startAttempt(test, id)
    const after = cutOff(test.folder)
    putBack(copy, after)
    const again = await openWithManifests(after)
    expect(stateOf(again, id)).toBe('unconfirmed')
    expect(stateOf(again, other)).toBe('unconfirmed')
    expect(stateOf(again, late)).not.toBe('waiting')
    expect(again.outbox.rowOf(id)?.attempts).toBeGreaterThan(1)
    expect(again.outbox.openAlarms()).toHaveLength(1)
  })

  it('that is a backup of ours is known by its mark, in a folder of its own, too', async () => {
    const { test, id } = await withOneCase()
    await test.end()
    const copy = copyDatabase(test.folder)
    const backup = new Database(join(copy, 'outbox.sqlite'))
    backup.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('backupOf', '2026-11-20T09:00:00Z')")
    backup.close()
    rmSync(join(copy, 'outbox.sqlite.seal'), { force: true })
    const again = await openWithManifests(copy)
    expect(stateOf(again, id)).toBe('unconfirmed')
    // Dealt with once, it is the outbox.
    await again.end()
    const third = await openWithManifests(copy)
    expect(third.outbox.rowOf(id)?.attempts).toBe(1)
    expect(third.outbox.openAlarms()).toHaveLength(1)
  })

  it('may be any if the marker is lost: the station stays the same, and what a person stopped goes to one again', async () => {
    const { test, id } = await withOneCase()
    const held = addWaiting(test)
    test.outbox.moveSubmission(held, 'held', {}, { at: MORNING })
    const station = test.outbox.readFact('stationId')
    await test.end()
    rmSync(join(test.folder, 'station.json'))
    const again = await openWithManifests(test.folder)
    expect([id, held].map((one) => stateOf(again, one))).toEqual(['unconfirmed', 'unconfirmed'])
    expect([id, held].map((one) => again.outbox.matchesClearance(one))).toEqual([true, false])
    expect(again.outbox.readFact('stationId')).toBe(station)
  })

  it('is no false alarm: not after a clean end, not after a kill, not after a kill amid opening', async () => {
    const { test, id } = await withOneCase()
    const marker = join(test.folder, 'station.json')
    const cut = cutOff(test.folder)
    // What a kill and other programs leave beside the manifests is no case.
    for (const name of ['._a.json', `${id}.json.half.tmp`])
      writeFileSync(join(dirname(manifestPath(cut, id)), name), 'nothing')
    const killed = await openWithManifests(cut)
    expect(stateOf(killed, id)).toBe('waiting')
    await test.end()
    const before = cutOff(test.folder)
    const clean = await openWithManifests(test.folder)
    expect(stateOf(clean, id)).toBe('waiting')
    // The outbox was written and the marker was not.
    const amid = cutOff(test.folder)
    cpSync(join(before, 'station.json'), join(amid, 'station.json'))
    expect(stateOf(await openWithManifests(amid), id)).toBe('waiting')
    expect(clean.outbox.openAlarms()).toEqual([])
    writeFileSync(marker, '{"stationId":"x","generation":"another"}')
    await clean.end()
  })
})

describe('before an attempt', () => {
  it('a manifest that knows more puts the one case in doubt, with the case that it knows of', async () => {
    const { test, id } = await withOneCase()
    const other = addWaiting(test)
    await test.keeper.announce(id, THERE)
    const copy = cutOff(test.folder)
    startAttempt(test, id)
    endAttempt(test, id, 'delivered', { caseId: 'case-1' })
    await expect.poll(() => manifestIn(test.folder, id)?.submission.state).toBe('sent')
    // The outbox of before beside the manifests of after.
    cpSync(join(test.folder, 'spool', 'manifests'), join(copy, 'spool', 'manifests'), { recursive: true })
    const older = await openWithManifests(copy, false)
    expect(await older.keeper.announce(id, THERE)).toEqual({ kind: 'notWaiting' })
    expect(stateOf(older, id)).toBe('unconfirmed')
    expect(older.outbox.detailsOf(id)?.evidence).toMatchObject([{ kind: 'restored', caseIds: ['case-1'] }])
    expect(older.outbox.openAlarms()).toMatchObject([{ kind: 'outboxRestored', submissionId: id }])
    expect(await older.keeper.announce(other, THERE)).toEqual({ kind: 'announced' })
  })

  it('a manifest that knows more is never written over', async () => {
    const { test, id } = await withOneCase()
    const copy = cutOff(test.folder)
    await test.keeper.announce(id, THERE)
    startAttempt(test, id)
    await expect.poll(() => manifestIn(test.folder, id)?.attempts.length).toBe(1)
    cpSync(join(test.folder, 'spool', 'manifests'), join(copy, 'spool', 'manifests'), { recursive: true })
    const older = await openWithManifests(copy, false)
    addTestImage(older, id, { bytes: someBytes() })
    await expect.poll(() => stateOf(older, id), { timeout: 5_000 }).toBe('unconfirmed')
  })
})

describe('a copy of an image that a manifest names', () => {
  const mark = (relativePath: string) => ({
    folderPath: '/exports',
    relativePath,
    sizeBytes: 1,
    mtimeMs: MORNING,
  })

  it('stays the older one of its name, and bound to its record', () => {
    const { outbox, ...test } = openTestOutbox()
    const imageId = addTestImage({ outbox, ...test }, outbox.createSubmission(newSubmission()), {
      bytes: someBytes(),
    })
    const recordId = outbox.saveSidecarRecord(RECORD, null)
    outbox.markSeen(mark('b.jpg'), 'copy', MORNING, { imageId, stemKey: 'b', recordId })
    const manifest = outbox.manifestOf(outbox.imageById(imageId)?.submission_id ?? '')
    const later = { ...mark('b.jpg'), sizeBytes: 2 }
    outbox.markSeen(later, 'leftAlone', MORNING)
    outbox.applyManifests(manifest ? [{ ...manifest, revision: 99 }] : [], MORNING)
    expect(outbox.copiesOf(imageId)).toMatchObject([{ file_name: 'b.jpg', record_id: recordId }])
    expect(outbox.hasSeen(later)).toBe(true)
  })

  it('stays if an older manifest that does not name it follows', () => {
    const { outbox, ...test } = openTestOutbox()
    const [from, to] = [1, 2].map(() => outbox.createSubmission(newSubmission())) as [string, string]
    const imageId = addTestImage({ outbox, ...test }, from, { bytes: someBytes() })
    outbox.markSeen(mark('b.jpg'), 'copy', MORNING, { imageId, stemKey: 'b' })
    const older = outbox.manifestOf(from)
    outbox.moveImages([imageId], to)
    outbox.markSeen(mark('c.jpg'), 'copy', MORNING, { imageId, stemKey: 'c' })
    const newer = outbox.manifestOf(to)
    const both =
      newer && older
        ? [
            { ...newer, revision: 99 },
            { ...older, revision: 98 },
          ]
        : []
    outbox.applyManifests(both, MORNING)
    expect(outbox.copiesOf(imageId).map(({ file_name: name }) => name)).toEqual(['b.jpg', 'c.jpg'])
    expect(outbox.imageById(imageId)?.submission_id).toBe(to)
  })
})

const generations = (
  backupOf: string | null,
  generation: string | null,
  previousGeneration: string | null,
  hasSubmissions = true,
) => ({ backupOf, generation, previousGeneration, hasSubmissions })
it.each([
  ['a new station', generations(null, null, null), undefined, null],
  ['a station of an earlier version', generations(null, null, null), null, null],
  ['the outbox used last', generations(null, 'b', 'a'), 'b', null],
  ['a kill before the marker was written', generations(null, 'b', 'a'), 'a', null],
  ['the same, at the first opening of this version', generations(null, 'a', null), null, null],
  ['an older copy', generations(null, 'b', 'a'), 'c', 'otherCopy'],
  ['a copy of an earlier version', generations(null, null, null), 'c', 'otherCopy'],
  ['a lost marker', generations(null, 'b', 'a'), undefined, 'otherCopy'],
  ['a first start that was cut off', generations(null, 'b', null, false), undefined, null],
  ['a first outbox that lost its marker', generations(null, 'b', null), undefined, 'otherCopy'],
  ['an empty outbox that was used', generations(null, 'b', 'a', false), undefined, 'otherCopy'],
  ['a backup', generations('2026-11-20', 'b', 'a'), 'b', 'backup'],
] as const)('shows the outbox by its generation: %s', (_what, outbox, marked, expected) => {
  expect(detectRestore(outbox, marked)).toBe(expected)
})

type Step = 'open' | 'cutOpening' | 'add' | 'end' | 'cutEnd' | 'copy' | 'putBack'

/** Openings and ends of a session, in which a commit and the marker that follows it are two steps. */
function restoredAfter(steps: readonly Step[]): string | null {
  let sql = new Database(':memory:')
  migrate(sql, ':memory:')
  let store = createStore(sql, () => undefined)
  let marker: StationMarker | null = null
  let copy = sql.serialize()
  for (const step of steps) {
    if (step === 'cutOpening') beginSession(store, marker)
    else if (step === 'open') marker = beginSession(store, marker)
    else if (step === 'add') createSubmission(store, newSubmission())
    else if (step === 'copy') copy = sql.serialize()
    else if (step === 'putBack') {
      sql = new Database(copy)
      store = createStore(sql, () => undefined)
    } else if (marker !== null) {
      const ended = endSession(store, marker)
      if (step === 'end') marker = ended
    }
  }
  return readFact(store, 'restored')
}

const CUT = ['cutOpening', 'cutOpening', 'cutOpening'] as const
it.each<readonly [string, readonly Step[], boolean]>([
  ['openings are cut off again and again', ['open', 'add', 'end', ...CUT, 'open'], false],
  ['so are the first ones', [...CUT, 'open', 'add', 'end', 'open'], false],
  ['an end is cut off, too', ['open', 'add', 'cutEnd', ...CUT, 'open', 'cutEnd', 'open'], false],
  ['a copy is made and not put back', ['open', 'add', 'copy', 'end', 'open'], false],
  ['a copy is put back', ['open', 'add', 'copy', 'end', 'putBack', 'open'], true],
  [
    'a copy is put back, and openings are cut off',
    ['open', 'add', 'copy', 'open', 'end', 'putBack', ...CUT],
    true,
  ],
  ['an old copy is put back', ['open', 'add', 'end', 'copy', 'open', 'end', 'open', 'putBack', 'open'], true],
])('an outbox is another one only after a copy was put back: %s', (_what, steps, isOther) => {
  expect(restoredAfter(steps) === 'otherCopy').toBe(isOther)
})
