import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { StationParts } from '../../../../src-main/station/api.ts'
import { decisionCalls } from '../../../../src-main/station/calls/decisions.ts'
import type { Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import type { BulkResult, EventPayload } from '../../../../src-shared/contract.ts'
import type { Result } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { addCase, partsWith, type TestParts, trailOf } from './parts-with.ts'

/** A clock on which each case takes five milliseconds, so that a slice of twenty holds four. */
class ClockOfCases extends ManualClock {
  #readings = 0
  override monotonicMs = (): number => (this.#readings += 5)
}

const IN_A_SLICE = 4
const MANY = 100
/** So many complete cases in a state; made in one commit. */
function complete(test: TestParts, count: number, state: SubmissionState = 'review'): string[] {
  return test.outbox.write(() => Array.from({ length: count }, () => addCase(test, state)))
}

function statesOf(outbox: Outbox): Partial<Record<SubmissionState, number>> {
  return Object.fromEntries(Object.entries(outbox.countSubmissions()).filter(([, count]) => count > 0))
}

/** Awaits the work, and counts the turns of the event loop until it is done. */
async function countTurns<Value>(work: Promise<Value>): Promise<[Value, number]> {
  const done = new AbortController()
  let count = 0
  const turns = (async () => {
    while (!done.signal.aborted) {
      await setImmediate()
      count += 1
    }
  })()
  const value = await work
  done.abort()
  await turns
  return [value, count]
}

/** The call as it is, with some of what it works with replaced. */
function callWith(
  test: TestParts,
  replaced: Partial<StationParts>,
  ids: string[],
  name: 'submissions.approve' | 'submissions.hold' = 'submissions.hold',
): Promise<Result<BulkResult>> {
  return decisionCalls({ ...test.parts, ...replaced })[name]({ ids })
}

describe('a call on very many cases', () => {
  it.each([
    ['submissions.approve', 'review', 'waiting'],
    ['submissions.hold', 'waiting', 'held'],
    ['submissions.release', 'held', 'review'],
    ['submissions.retry', 'waiting', 'waiting'],
  ] as const)('%s commits in slices and says how far it is', async (name, from, to) => {
    const test = await partsWith({}, { clock: new ClockOfCases() })
    const ids = complete(test, MANY, from)
    const before = test.notified.length
    const [answer, turns] = await countTurns(test.call(name, { ids }))
    expect(answer).toEqual({ ok: true, value: { changed: ids, refused: [] } })
    expect(statesOf(test.outbox)).toEqual({ [to]: MANY })
    const commits = test.notified.slice(before)
    expect(commits.flat()).toEqual(ids)
    expect(Math.max(...commits.map((changed) => changed.length))).toBe(IN_A_SLICE)
    expect(test.progress).toHaveLength(MANY / IN_A_SLICE)
    expect(test.progress.at(-1)).toEqual({ done: MANY, total: MANY })
    // Others had the thread between any two slices.
    expect(turns).toBeGreaterThanOrEqual(MANY / IN_A_SLICE - 1)
  })

  it('leaves every case whole if it is killed between two slices, and the same call finishes it', async () => {
    const test = await partsWith({}, { clock: new ClockOfCases() }, temporaryFolder())
    const ids = complete(test, 40)
    const afterKill = temporaryFolder()
    const copyDisk = ({ done }: EventPayload<'callProgressed'>): void => {
      // What is on the disk now is what a kill leaves.
      if (done === 12) cpSync(test.folder, join(afterKill, 'data'), { recursive: true })
    }
    mkdirSync(afterKill, { recursive: true })
    await callWith(test, { emitCallProgress: copyDisk }, ids, 'submissions.approve')
    test.close()
    const restarted = openTestOutbox(join(afterKill, 'data'))
    const { outbox } = restarted
    expect(statesOf(outbox)).toEqual({ waiting: 12, review: 28 })
    for (const [index, id] of ids.entries()) {
      expect(outbox.matchesClearance(id)).toBe(index < 12)
      const approvals = outbox.listAudit({ submissionId: id, what: ['approved'], limit: 9 })
      expect(approvals).toHaveLength(index < 12 ? 1 : 0)
    }
    const cases = { ...test.parts.cases, settle: nothingAsked(outbox), noteApproved: () => undefined }
    const again = await callWith(test, { outbox, cases }, ids, 'submissions.approve')
    expect(again).toEqual({ ok: true, value: { changed: ids, refused: [] } })
    expect(statesOf(outbox)).toEqual({ waiting: 40 })
    restarted.close()
  })
})

const nothingAsked =
  (outbox: Outbox): StationParts['cases']['settle'] =>
  (id) => {
    const candidate = outbox.candidateOf(id)
    const evidence = { pictures: [], verdict: null, eyes: new Map(), recordsOfPatient: [] }
    return candidate && { reasons: [], isClear: true, evidence, candidate, hasChanged: false }
  }

describe('a call on many cases', () => {
  it('refuses a case without a trace of it, and changes the others of its slice', async () => {
    const test = await partsWith()
    const ids = complete(test, 3)
    const { moveSubmission } = test.outbox
    const outbox: Outbox = {
      ...test.outbox,
      moveSubmission: (id, event, patch, options) => {
        const state = moveSubmission(id, event, patch, options)
        // It was written, and then something is found that forbids it.
        if (id === ids[1])
          for (const later of ['claimed', 'held'] as const) moveSubmission(id, later, {}, options)
        return state
      },
    }
    expect(await callWith(test, { outbox }, ids, 'submissions.approve')).toMatchObject({
      value: { changed: [ids[0], ids[2]], refused: [{ id: ids[1], failure: { kind: 'notAllowed' } }] },
    })
    expect(ids.map((id) => test.outbox.rowOf(id)?.state)).toEqual(['waiting', 'review', 'waiting'])
    expect(trailOf(test, ids[1] ?? '').map(({ what }) => what)).not.toContain('approved')
  })

  it('goes on after a case that cannot be read', async () => {
    const test = await partsWith()
    const ids = complete(test, 3)
    const outbox: Outbox = {
      ...test.outbox,
      rowOf: (id: string) => {
        if (id === ids[1]) throw new SyntaxError('a row that cannot be read')
        return test.outbox.rowOf(id)
      },
    }
    expect(await callWith(test, { outbox }, ids)).toMatchObject({
      value: { changed: [ids[0], ids[2]], refused: [{ id: ids[1], failure: { kind: 'internal' } }] },
    })
  })

  it('reports a slice that was not committed as refused, and what follows it', async () => {
    const test = await partsWith({}, { clock: new ClockOfCases() })
    const ids = complete(test, 12)
    let depth = 0
    let commits = 0
    const outbox: Outbox = {
      ...test.outbox,
      write: (work) => {
        depth += 1
        try {
          return test.outbox.write(() => {
            const value = work()
            if (depth === 1 && (commits += 1) === 2) throw new Database.SqliteError('full', 'SQLITE_FULL')
            return value
          })
        } finally {
          depth -= 1
        }
      },
    }
    const answer = await callWith(test, { outbox }, ids)
    expect(answer.ok && answer.value.changed).toEqual(ids.slice(0, IN_A_SLICE))
    expect(answer.ok && answer.value.refused.map(({ id, failure }) => [id, failure.kind])).toEqual(
      ids.slice(IN_A_SLICE).map((id) => [id, 'diskLow']),
    )
    expect(statesOf(test.outbox)).toEqual({ held: IN_A_SLICE, review: 12 - IN_A_SLICE })
  })

  it('begins nothing more once the station is ending, and says so of each case', async () => {
    const test = await partsWith({}, { clock: new ClockOfCases() })
    const ids = complete(test, 12)
    const answer = await callWith(test, { emitCallProgress: () => void (test.isStopping = true) }, ids)
    expect(answer.ok && answer.value.changed).toEqual(ids.slice(0, IN_A_SLICE))
    expect(answer.ok && answer.value.refused).toHaveLength(12 - IN_A_SLICE)
    expect(answer.ok && answer.value.refused[0]?.failure.message).toContain('The station is closing')
    expect(statesOf(test.outbox)).toEqual({ held: IN_A_SLICE, review: 12 - IN_A_SLICE })
  })

  it('fails as a whole if nothing was changed at all, and reports no progress of a single slice', async () => {
    const test = await partsWith()
    const ids = complete(test, 3)
    test.isStopping = true
    expect(await test.call('submissions.hold', { ids })).toMatchObject({ failure: { kind: 'notAllowed' } })
    expect(statesOf(test.outbox)).toEqual({ review: 3 })
    test.isStopping = false
    await test.call('submissions.hold', { ids })
    expect([statesOf(test.outbox), test.progress]).toEqual([{ held: 3 }, []])
  })
})
