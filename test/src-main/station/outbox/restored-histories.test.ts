/**
 * Random histories of a station on the real outbox, cut off and with an older copy put back at any moment: whatever any
 * service or manifest may know as sent never waits again.
 */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recoverOutbox } from '../../../../src-main/station/outbox/recovery/recover.ts'
import type { SubmissionEvent } from '../../../../src-shared/states.ts'
import { addWaiting, endAttempt, startAttempt, MORNING, newSubmission } from '../../../tools/outbox-with.ts'
import { fc, runs } from '../../../tools/property.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import {
  copyDatabase,
  cutOff,
  type OutboxWithManifests,
  openWithManifests,
  putBack,
  THERE,
} from './manifests-with.ts'

type Step =
  | { readonly do: 'add' | 'gather' | 'copy' | 'settleDisk' | 'reopen' | 'kill' }
  | { readonly do: 'hold' | 'discard' | 'edit' | 'moveImage'; readonly which: number }
  | {
      readonly do: 'send'
      readonly which: number
      readonly until: 'announced' | 'opened' | 'handedOver' | 'ended'
      readonly arrives: boolean
    }

const which = fc.nat({ max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Step>({ do: 'add' }, { do: 'gather' }, { do: 'copy' }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'settleDisk' }, { do: 'reopen' }, { do: 'kill' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('hold', 'discard', 'edit', 'moveImage'),
      which,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      which,
      until: fc.constantFrom('announced', 'opened', 'handedOver', 'ended'),
      arrives: fc.boolean(),
    }),
  },
)

/** Something to send, a copy, and something that happens after it. */
const history = fc
  .tuple(fc.array(step, { maxLength: 12 }), fc.array(step, { minLength: 3, maxLength: 10 }))
  .map(([before, after]): Step[] => [{ do: 'add' }, { do: 'add' }, ...before, { do: 'copy' }, ...after])

/** A station, what the service may have got of it, and the copies that someone has made. */
class History {
  test: OutboxWithManifests
  /** References whose last bytes were released: the service may hold them. */
  readonly mayHaveArrived = new Set<string>()
  readonly copies: string[] = []

  private constructor(test: OutboxWithManifests) {
    this.test = test
  }

  static async begin(): Promise<History> {
    return new History(await openWithManifests())
  }

  async run(one: Step): Promise<void> {
    const { outbox } = this.test
    switch (one.do) {
      case 'add':
        addWaiting(this.test)
        return
      case 'gather':
        outbox.createSubmission(newSubmission())
        return
      case 'copy':
        this.copies.push(copyDatabase(this.test.folder))
        return
      case 'settleDisk':
        await expect.poll(() => outbox.dueManifests(1), { interval: 5, timeout: 4_000 }).toEqual([])
        return
      case 'reopen':
        await this.test.end()
        this.test = await openWithManifests(this.test.folder)
        return
      case 'kill': {
        const { folder } = this.test
        const after = cutOff(folder)
        await this.test.end()
        this.test = await openWithManifests(after)
        return
      }
      case 'hold':
        return this.move(one.which, 'held')
      case 'discard':
        return this.move(one.which, 'discarded')
      case 'edit': {
        const id = this.pick('waiting', one.which)
        if (id !== null) outbox.setUrgent(id, MORNING)
        return
      }
      case 'moveImage': {
        const from = this.pick('waiting', one.which)
        const to = this.pick('waiting', one.which + 1)
        if (from === null || to === null) return
        outbox.moveImages(
          outbox.imageRowsOf(from).map(({ id }) => id),
          to,
        )
        return
      }
      case 'send':
        return this.send(one)
    }
  }

  async send(one: Extract<Step, { do: 'send' }>): Promise<void> {
    const { outbox, keeper } = this.test
    const id = this.pick('waiting', one.which)
    if (id === null) return
    const announced = await keeper.announce(id, THERE)
    if (announced.kind !== 'announced' || one.until === 'announced') return keeper.settle(id)
    startAttempt(this.test, id)
    const attempt = outbox.attemptsOf(id).at(-1)?.id ?? ''
    if (one.until === 'opened') return
    outbox.markPhase(attempt, 'handedOver')
    // From here on the last bytes may be with the service.
    if (one.arrives) this.mayHaveArrived.add(outbox.rowOf(id)?.reference ?? '')
    if (one.until === 'handedOver') return
    endAttempt(this.test, id, one.arrives ? 'delivered' : 'unsent', { caseId: `case-${id}` })
    keeper.settle(id)
  }

  move(whichOne: number, event: SubmissionEvent): void {
    const id = this.pick('waiting', whichOne)
    if (id !== null) this.test.outbox.moveSubmission(id, event, {}, { at: MORNING })
  }

  pick(state: 'waiting', number: number): string | null {
    const ids = this.test.outbox.submissionIdsIn(state)
    return ids.length === 0 ? null : (ids[number % ids.length] ?? null)
  }
}

/** No sender would choose any of what may have arrived, and a case that is not known any more holds its images still. */
async function expectNothingGoesTwice(
  test: OutboxWithManifests,
  mayHaveArrived: ReadonlySet<string>,
): Promise<void> {
  const waiting = test.outbox.dueSubmissions(Number.MAX_SAFE_INTEGER, 1_000)
  for (const row of waiting) expect(mayHaveArrived).not.toContain(row.reference)
  const known = test.outbox.listSubmissions({ limit: 500 }).items.map(({ reference }) => reference)
  for (const reference of mayHaveArrived) expect(known).toContain(reference)
  await test.end()
}

it.each(['put back', 'lost'] as const)(
  'whatever may have arrived never waits again if the outbox was %s',
  async (what) => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), fc.boolean(), async (steps, chosen, isClean) => {
        const station = await History.begin()
        for (const one of steps) await station.run(one)
        const { copies, mayHaveArrived } = station
        const copy = copies[chosen % Math.max(copies.length, 1)]
        let folder = temporaryFolder()
        if (isClean) {
          await station.test.end()
          folder = station.test.folder
        } else {
          cpSync(station.test.folder, folder, { recursive: true })
          await station.test.end()
        }
        if (what === 'put back') {
          if (copy === undefined) return
          putBack(copy, folder)
        } else {
          rmSync(join(folder, 'outbox.sqlite'))
          rmSync(join(folder, 'outbox.sqlite-wal'), { force: true })
          await recoverOutbox(folder, MORNING)
        }
        await expectNothingGoesTwice(await openWithManifests(folder), mayHaveArrived)
      }),
      { numRuns: runs(100) },
    )
  },
  120_000,
)
