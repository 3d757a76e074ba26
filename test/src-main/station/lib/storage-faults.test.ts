import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  storageFaultOf,
  type StorageState,
  StorageStopped,
} from '../../../../src-main/station/lib/storage-faults.ts'
import { createStore } from '../../../../src-main/station/outbox/database.ts'
import { migrate, openDatabase } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import { bindOutbox, type Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import { openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { MORNING, newSubmission, NO_IDENTITY, SERVICE } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { FaultySql } from '../outbox/faulty-sql.ts'

describe('an error of SQLite', () => {
  it.each([
    ['SQLITE_FULL', 'full'],
    ['SQLITE_IOERR', 'broken'],
    ['SQLITE_IOERR_FSYNC', 'broken'],
    ['SQLITE_CORRUPT', 'broken'],
    ['SQLITE_CORRUPT_INDEX', 'broken'],
    ['SQLITE_NOTADB', 'broken'],
    ['SQLITE_READONLY_DBMOVED', 'broken'],
    ['SQLITE_CONSTRAINT_CHECK', null],
    ['SQLITE_BUSY', null],
    ['SQLITE_ERROR', null],
  ] as const)('%s means for the storage: %s', (code, expected) => {
    expect(storageFaultOf(new Database.SqliteError('x', code))).toBe(expected)
  })

  it('is no other error, whatever code that bears', () => {
    expect(storageFaultOf(Object.assign(new Error('x'), { code: 'SQLITE_FULL' }))).toBeNull()
    expect(storageFaultOf(null)).toBeNull()
  })
})

/** The file of an empty outbox, built once: some tests need one for each write that can fail. */
let empty: Buffer | null = null
function emptyOutbox(): Buffer {
  if (empty !== null) return empty
  const path = join(temporaryFolder(), 'outbox.sqlite')
  const sql = openDatabase(path)
  migrate(sql, path)
  sql.close()
  return (empty = readFileSync(path))
}

function opened(
  folder: string,
  faults: FaultySql,
  giveUpSpace: () => boolean,
  isOutOfSpace = (): boolean => false,
) {
  const path = join(folder, 'outbox.sqlite')
  writeFileSync(path, emptyOutbox())
  const sql = openDatabase(path)
  onTestFinished(() => void sql.close())
  const states: StorageState[] = []
  const store = createStore(faults.over(sql), () => undefined, {
    isOutOfSpace,
    giveUpSpace,
    onState: (state) => void states.push(state),
    onFollowingFailed: (error) => {
      throw error
    },
  })
  return { outbox: bindOutbox(store), states, sql, close: () => void sql.close() }
}

/** What the outbox holds of the one case, without ids that differ from run to run. */
function held(outbox: Outbox): unknown {
  return outbox.listSubmissions({ limit: 10 }).items.map((item) => ({
    state: item.state,
    images: item.images.map(({ fileName, excludedBecause }) => [fileName, excludedBecause]),
    notBefore: item.notBefore,
    caseId: item.caseId,
    attempts: outbox.attemptsOf(item.id).map(({ phase, outcome }) => [phase, outcome]),
    trail: outbox.listAudit({ limit: 50, submissionId: item.id }).map(({ what }) => what),
    lastSentAt: outbox.readFact('lastSentAt'),
  }))
}

/** A case from its images to its delivery in small steps, each a write of its own. */
function stepsOf(outbox: Outbox): readonly (() => void)[] {
  let id = ''
  let imageId = ''
  let attemptId = ''
  const end = { handedOverBytes: 9, failure: null, answer: null, at: MORNING }
  return [
    () => {
      id = outbox.createSubmission(newSubmission())
    },
    () => {
      imageId = outbox.addImage({
        submissionId: id,
        folderPath: '/exports',
        fileName: 'a.jpg',
        eye: 'right',
        eyeSource: 'fileName',
        sizeBytes: 1,
        sha256: 'a',
        spoolName: 'a',
        contentType: 'image/jpeg',
        at: MORNING,
      })
    },
    () => outbox.setExcluded(imageId, 'blurred'),
    () => outbox.moveSubmission(id, 'gatheredForReview', {}, { at: MORNING }),
    () => outbox.moveSubmission(id, 'approved', {}, { at: MORNING }),
    () => outbox.setNotBefore(id, MORNING),
    () => {
      attemptId = outbox.openAttempt({
        submissionId: id,
        destination: { ...SERVICE, centerId: null },
        requestBytes: 9,
        at: MORNING,
      }).attemptId
    },
    () => outbox.markPhase(attemptId, 'sending'),
    () => outbox.markPhase(attemptId, 'handedOver'),
    () =>
      outbox.write(() => {
        outbox.endAttempt(attemptId, { ...end, outcome: 'delivered' }, 'deliveredNow', {
          caseId: '77',
          sentAt: MORNING,
        })
        outbox.writeFact('lastSentAt', String(MORNING))
      }),
  ]
}

/** What the outbox holds after each step of a case that nothing disturbs. */
function undisturbed(): unknown[] {
  const { outbox } = opened(temporaryFolder(), new FaultySql(), () => false)
  return [held(outbox), ...stepsOf(outbox).map((step) => (step(), held(outbox)))]
}

function run(steps: readonly (() => void)[], faults: FaultySql) {
  let done = 0
  try {
    for (const step of steps) {
      step()
      done += 1
    }
    return { done, error: null, isOver: !faults.hasFailed() }
  } catch (error) {
    return { done, error, isOver: false }
  }
}

describe('a case whose outbox fails at any write', () => {
  it.each(['SQLITE_CORRUPT', 'SQLITE_IOERR_FSYNC'])(
    '(%s) stays as last written, also after a restart, and is written no more',
    (code) => {
      const expected = undisturbed()
      for (let at = 1; ; at += 1) {
        const folder = temporaryFolder()
        const faults = new FaultySql()
        const { outbox, states, close } = opened(folder, faults, () => true)
        faults.failAt(at, code, 1)
        const ran = run(stepsOf(outbox), faults)
        if (ran.isOver) return expect(at).toBeGreaterThan(20)
        expect(ran.error, `write ${at}`).toMatchObject({ code })
        expect(states).toEqual(['broken'])
        // The fault is over, and still nothing is written: by no single statement, and by no commit.
        expect(() => outbox.writeFact('pause', 'x')).toThrow(StorageStopped)
        expect(() => outbox.createSubmission(newSubmission())).toThrow(StorageStopped)
        expect(held(outbox), `write ${at}`).toEqual(expected[ran.done])
        close()
        const after = openOutbox(folder)
        expect(held(after.outbox), `write ${at}`).toEqual(expected[ran.done])
        after.close()
      }
    },
  )

  it('(SQLITE_FULL) goes on if space is given up for it, and nothing is written twice', () => {
    const expected = undisturbed()
    for (let at = 1; ; at += 1) {
      const faults = new FaultySql()
      let asked = 0
      const { outbox, states } = opened(temporaryFolder(), faults, () => (asked += 1) === 1)
      faults.failAt(at, 'SQLITE_FULL', 1)
      const ran = run(stepsOf(outbox), faults)
      if (ran.isOver) return expect(at).toBeGreaterThan(20)
      expect(ran.error).toBeNull()
      expect(held(outbox), `write ${at}`).toEqual(expected.at(-1))
      expect([asked, states]).toEqual([1, []])
    }
  })

  it('(SQLITE_FULL) stays as it was while there is no space, reports it, and goes on when there is', () => {
    const expected = undisturbed()
    for (let at = 1; ; at += 1) {
      const folder = temporaryFolder()
      const faults = new FaultySql()
      const { outbox, states } = opened(folder, faults, () => false)
      faults.failAt(at, 'SQLITE_FULL')
      const steps = stepsOf(outbox)
      const ran = run(steps, faults)
      if (ran.isOver) return expect(at).toBeGreaterThan(20)
      expect(ran.error).toMatchObject({ code: 'SQLITE_FULL' })
      expect(held(outbox), `write ${at}`).toEqual(expected[ran.done])
      expect([states, outbox.tryWrite(MORNING)]).toEqual([['full'], false])
      faults.failAt(Infinity, '')
      expect(outbox.tryWrite(MORNING)).toBe(true)
      expect(states).toEqual(['full', 'well'])
      expect(run(steps.slice(ran.done), faults)).toMatchObject({ error: null })
      expect(held(outbox), `write ${at}`).toEqual(expected.at(-1))
    }
  })
})

describe('a write that is refused without a reason that SQLite knows', () => {
  /** With a step within a transaction (1) and with its commit (2). */
  it.each([1, 2])('is a full disk if the volume takes nothing more (step %s)', (at) => {
    const faults = new FaultySql()
    let isOut = true
    const asked: string[] = []
    const giveUpSpace = (): boolean => {
      asked.push('space')
      return false
    }
    const { outbox, states } = opened(temporaryFolder(), faults, giveUpSpace, () => isOut)
    const write = (): void => outbox.write(() => outbox.writeFact('pause', 'untilResumed'))
    faults.failAt(at, 'SQLITE_IOERR_WRITE')
    expect(write).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }) as Error)
    expect([states, asked, outbox.readFact('pause')]).toEqual([['full'], ['space'], null])
    isOut = false
    faults.failAt(Infinity, '')
    write()
    expect([states, outbox.readFact('pause')]).toEqual([['full', 'well'], 'untilResumed'])
  })

  it.each([
    ['SQLITE_IOERR_WRITE', false],
    // After a failed flush the content of the disk is unknown.
    ['SQLITE_IOERR_FSYNC', true],
  ] as const)('is a disk that has failed: %s, no space left: %s', (code, isOut) => {
    const faults = new FaultySql()
    const giveUpSpace = (): boolean => true
    const { outbox, states } = opened(temporaryFolder(), faults, giveUpSpace, () => isOut)
    faults.failAt(1, code, 1)
    expect(() => outbox.writeFact('pause', 'x')).toThrow('injected')
    expect(states).toEqual(['broken'])
    expect(() => outbox.writeFact('pause', 'x')).toThrow(StorageStopped)
  })
})

describe('a transaction in which a statement failed', () => {
  it('keeps nothing, also if the work caught the error and went on', () => {
    const faults = new FaultySql()
    const { outbox } = opened(temporaryFolder(), faults, () => false)
    faults.failAt(1, 'SQLITE_FULL', 1)
    expect(() =>
      outbox.write(() => {
        try {
          outbox.writeFact('pause', 'first')
        } catch {
          // As a loop does in which one bad case must not delay the others.
        }
        outbox.writeFact('lastSentAt', 'second')
      }),
    ).toThrow('injected')
    expect([outbox.readFact('pause'), outbox.readFact('lastSentAt')]).toEqual([null, null])
  })
})

describe('a database file that is damaged below a running station', () => {
  it('is written no more, and what can be read of it is read', () => {
    const folder = temporaryFolder()
    const { outbox, states, sql } = opened(folder, new FaultySql(), () => true)
    const identity = { ...NO_IDENTITY, idsInPaths: ['x'.repeat(20_000)] }
    const ids = Array.from({ length: 40 }, () => outbox.createSubmission(newSubmission({ identity })))
    sql.pragma('wal_checkpoint(TRUNCATE)')
    sql.pragma('shrink_memory')
    const path = join(folder, 'outbox.sqlite')
    const file = openSync(path, 'r+')
    // The schema lies before it, and the newest cases behind.
    const junk = Buffer.alloc(statSync(path).size / 2, 0x5a)
    writeSync(file, junk, 0, junk.length, 400_000)
    closeSync(file)
    const errors = ids.flatMap((id) => {
      try {
        outbox.setNotBefore(id, MORNING)
        return []
      } catch (error) {
        return [error instanceof StorageStopped ? error.name : (error as { code: string }).code]
      }
    })
    expect(states).toEqual(['broken'])
    expect([...new Set(errors)]).toEqual(['SQLITE_CORRUPT', 'StorageStopped'])
    expect(outbox.rowOf(ids.at(-1) ?? '')?.state).toBe('collecting')
  })
})
