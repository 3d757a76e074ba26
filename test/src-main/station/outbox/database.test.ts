import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { createStore, readFact, writeFact } from '../../../../src-main/station/outbox/database.ts'
import { newSubmission, openMemoryOutbox, openTestOutbox } from '../../../tools/outbox-with.ts'
import { fc } from '../../../tools/property.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

describe('who listens to the outbox', () => {
  it('is notified once per commit, with every submission that it changed', () => {
    const test = openTestOutbox()
    const { outbox } = test
    const ids = outbox.write(() => {
      const made = [outbox.createSubmission(newSubmission()), outbox.createSubmission(newSubmission())]
      expect(test.notified).toEqual([])
      return made
    })
    expect(test.notified).toEqual([ids])
  })

  it('is notified after the commit, and finds there what was written', () => {
    const folder = temporaryFolder()
    const seen: unknown[] = []
    const opened = openOutbox(folder)
    opened.onCommitted((ids) => {
      for (const id of ids) seen.push(opened.outbox.submissionOf(id)?.state)
      // A second commit from within: impossible while the first is still open.
      opened.outbox.writeFact('existing', 'notified')
    })
    const id = opened.outbox.createSubmission(newSubmission())
    opened.outbox.moveSubmission(id, 'gatheredForReview', {}, { at: 1 })
    expect(seen).toEqual(['collecting', 'review'])
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
    expect(test.notified).toEqual([[id]])
  })

  it('hears nothing if nothing of a submission has changed', () => {
    const test = openTestOutbox()
    test.outbox.write(() => test.outbox.writeFact('pause', 'untilResumed'))
    expect(test.notified).toEqual([])
    expect(test.outbox.readFact('pause')).toBe('untilResumed')
    expect(test.outbox.readFact('lastSentAt')).toBeNull()
  })
})

describe('a write within a write', () => {
  it('that fails and is caught leaves nothing of itself, and all else', () => {
    const test = openTestOutbox()
    const { outbox } = test
    const effects: string[] = []
    const made = outbox.write(() => {
      const first = outbox.createSubmission(newSubmission())
      outbox.afterCommit(() => effects.push('first'))
      expect(() =>
        outbox.write(() => {
          outbox.createSubmission(newSubmission())
          outbox.setUrgent(first, 1)
          outbox.afterCommit(() => effects.push('undone'))
          throw new Error('undone')
        }),
      ).toThrow('undone')
      const second = outbox.write(() => {
        outbox.afterCommit(() => effects.push('second'))
        return outbox.createSubmission(newSubmission())
      })
      expect(effects).toEqual([])
      return [first, second]
    })
    expect(
      outbox
        .listSubmissions({ limit: 9 })
        .items.map(({ id }) => id)
        .toSorted(),
    ).toEqual(made.toSorted())
    expect(outbox.submissionOf(made[0] ?? '')?.urgent).toBe(false)
    expect(test.notified).toEqual([made])
    expect(effects).toEqual(['first', 'second'])
  })
})

describe('an effect outside the outbox', () => {
  it('follows the commit, and happens once although the work runs twice', () => {
    const sql = new Database(':memory:')
    onTestFinished(() => void sql.close())
    let mayGiveUp = true
    const store = createStore(sql, () => undefined, {
      isOutOfSpace: () => false,
      giveUpSpace: () => mayGiveUp,
      onState: () => undefined,
      onFollowingFailed: () => undefined,
    })
    const effects: boolean[] = []
    let runs = 0
    store.write(() => {
      runs += 1
      store.afterCommit(() => effects.push(sql.inTransaction))
      if (runs === 1) throw new Database.SqliteError('full', 'SQLITE_FULL')
      mayGiveUp = false
    })
    expect({ runs, effects }).toEqual({ runs: 2, effects: [false] })
  })

  it.each([
    ['the first effect', 'one', ['one', 'two', 'changed']],
    ['the last effect', 'two', ['one', 'two', 'changed']],
    ['a listener', 'changed', ['one', 'two', 'changed']],
    ['none', 'nothing', ['one', 'two', 'changed']],
  ])(
    'runs with all that follows although %s throws, and the caller hears that it is stored',
    (_, bad, all) => {
      const ran: string[] = []
      const failed: unknown[] = []
      const run = (name: string): void => {
        ran.push(name)
        if (name === bad) throw new Error(name)
      }
      const sql = new Database(':memory:')
      onTestFinished(() => void sql.close())
      const store = createStore(sql, () => run('changed'), {
        isOutOfSpace: () => false,
        giveUpSpace: () => false,
        onState: () => undefined,
        onFollowingFailed: (error) => failed.push(error),
      })
      const answer = store.write(() => {
        store.touch('a case')
        store.afterCommit(() => run('one'))
        store.afterCommit(() => run('two'))
        return 'stored'
      })
      expect({ answer, ran, failed: failed.length }).toEqual({
        answer: 'stored',
        ran: all,
        failed: bad === 'nothing' ? 0 : 1,
      })
      // Nothing of it is left for the next commit.
      ran.length = 0
      store.write(() => undefined)
      expect(ran).toEqual([])
    },
  )

  it('does not happen if nothing is committed, and at once if nothing is open', () => {
    const { outbox } = openTestOutbox()
    const effects: string[] = []
    expect(() =>
      outbox.write(() => {
        outbox.afterCommit(() => effects.push('never'))
        throw new Error('undone')
      }),
    ).toThrow('undone')
    outbox.write(() => undefined)
    outbox.afterCommit(() => effects.push('at once'))
    expect(effects).toEqual(['at once'])
  })
})

it('a statement is read as rows and as values by the same text, and prepared once for each', () => {
  const sql = new Database(':memory:')
  onTestFinished(() => void sql.close())
  const prepare = vi.spyOn(sql, 'prepare')
  const store = createStore(sql, () => undefined)
  for (let time = 0; time < 2; time += 1) {
    expect(store.value('SELECT ? AS one', 1)).toBe(1)
    expect(store.row('SELECT ? AS one', 1)).toEqual({ one: 1 })
    expect([store.rows('SELECT ? AS one', 1), store.values('SELECT ? AS one', 1)]).toEqual([
      [{ one: 1 }],
      [1],
    ])
  }
  expect(prepare).toHaveBeenCalledTimes(2)
})

describe('what a transaction has read', () => {
  const ACTS = ['write', 'remove', 'undone', 'behind'] as const

  it('is never older than what it wrote and undid, and than what it found at its begin', () => {
    const act = fc.tuple(
      fc.constantFrom(...ACTS),
      fc.constantFrom('pause', 'session'),
      fc.constantFrom('a', 'b'),
    )
    const { sql } = openMemoryOutbox()
    const store = createStore(sql, () => undefined)
    const truth = sql.prepare('SELECT value FROM facts WHERE name = ?').pluck()
    const check = (): void => {
      for (const name of ['pause', 'session'] as const)
        expect(readFact(store, name)).toBe(truth.get(name) ?? null)
    }
    const change = ([kind, name, value]: readonly [string, 'pause' | 'session', string]): void => {
      check()
      if (kind === 'remove') store.run`DELETE FROM facts WHERE name = ${name}`
      else writeFact(store, name, value)
      check()
      if (kind === 'undone') throw new Error('undone')
    }
    fc.assert(
      fc.property(fc.array(fc.array(act, { maxLength: 8 }), { maxLength: 4 }), (transactions) => {
        for (const acts of transactions) {
          store.write(() => {
            for (const one of acts.filter(([kind]) => kind !== 'behind')) {
              if (one[0] === 'undone') expect(() => store.write(() => change(one))).toThrow('undone')
              else change(one)
              check()
            }
          })
          for (const [kind, name, value] of acts)
            if (kind === 'behind')
              sql.prepare('REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, value)
          check()
        }
      }),
    )
  })

  it('is asked again of tables that triggers write, which are two', () => {
    const { sql } = openMemoryOutbox()
    const texts = sql
      .prepare<[], string>("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
      .pluck()
      .all()
    const written = texts.flatMap((text) =>
      [...text.slice(text.indexOf('BEGIN')).matchAll(/(?:INTO|UPDATE|DELETE FROM) (?!SET)(\w+)/g)].map(
        ([, table]) => table,
      ),
    )
    expect(new Set(written)).toEqual(new Set(['manifests', 'submission_counts']))
    expect(sql.serialize().toString('latin1')).not.toMatch(/ON (DELETE|UPDATE) (CASCADE|SET)/)
  })
})
