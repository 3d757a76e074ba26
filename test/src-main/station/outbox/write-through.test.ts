import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newSubmission, openTestOutbox } from '../../../tools/outbox-with.ts'
import { openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { createWriteThrough } from '../../../../src-main/station/outbox/write-through.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

describe('who listens to the outbox', () => {
  it('is told once per commit, with every submission that it changed', () => {
    const test = openTestOutbox()
    const { outbox } = test
    const ids = outbox.write(() => {
      const made = [outbox.createSubmission(newSubmission()), outbox.createSubmission(newSubmission())]
      expect(test.told).toEqual([])
      return made
    })
    expect(test.told).toEqual([ids])
  })

  it('is told after the commit, and finds there what was written', () => {
    const folder = temporaryFolder()
    const seen: unknown[] = []
    const opened = openOutbox(folder, (ids) => {
      for (const id of ids) seen.push(opened.outbox.submissionOf(id)?.state)
      // A second commit from within: impossible while the first is still open.
      opened.outbox.writeFact('existing', 'told')
    })
    const id = opened.outbox.createSubmission(newSubmission())
    opened.outbox.moveSubmission(id, 'gatheredToSend', {}, { at: 1 })
    expect(seen).toEqual(['collecting', 'waiting'])
    opened.close()
  })

  it('hears nothing of what was undone, neither then nor with the next commit', () => {
    const test = openTestOutbox()
    const { outbox } = test
    let undone = ''
    expect(() =>
      outbox.write(() => {
        undone = outbox.createSubmission(newSubmission())
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(outbox.rowOf(undone)).toBeUndefined()
    expect(outbox.listAudit({ limit: 10 })).toEqual([])
    const id = outbox.createSubmission(newSubmission())
    expect(test.told).toEqual([[id]])
  })

  it('hears nothing where nothing of a submission has changed', () => {
    const test = openTestOutbox()
    test.outbox.write(() => test.outbox.writeFact('pause', 'untilResumed'))
    expect(test.told).toEqual([])
    expect(test.outbox.readFact('pause')).toBe('untilResumed')
    expect(test.outbox.readFact('lastSentAt')).toBeNull()
  })
})

describe('a statement that is shared', () => {
  const storeInMemory = (): ReturnType<typeof createWriteThrough> => {
    const sql = new Database(':memory:')
    onTestFinished(() => void sql.close())
    return createWriteThrough(sql, () => undefined)
  }
  const TEXT = 'SELECT 1 AS one'

  it('is read as rows and as values by the same text', () => {
    const { sql } = storeInMemory()
    const rows = sql.prepare(TEXT)
    expect(sql.prepare(TEXT).pluck().get()).toBe(1)
    expect(rows.get()).toEqual({ one: 1 })
    expect(sql.prepare(TEXT).get()).toEqual({ one: 1 })
    expect(sql.prepare(TEXT).pluck().pluck(false).all()).toEqual([{ one: 1 }])
  })

  it('is prepared once for each way of reading it', () => {
    const { sql } = storeInMemory()
    expect(sql.prepare(TEXT)).toBe(sql.prepare(TEXT))
    expect(sql.prepare(TEXT).pluck()).toBe(sql.prepare(TEXT).pluck())
  })

  it.each(['raw', 'expand', 'safeIntegers', 'bind'] as const)('refuses to be changed by %s', (name) => {
    const { sql } = storeInMemory()
    expect(() => sql.prepare(TEXT)[name]()).toThrow('stays as it was prepared')
  })
})
