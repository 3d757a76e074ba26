import { describe, expect, it } from 'vitest'
import { createCenterGate } from '../../../../src-main/station/delivery/center-lease.ts'
import { failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { fc, runs } from '../../../tools/property.ts'
import { SharedSwitch } from './shared-switch.ts'

type Planned = {
  readonly centerId: string | null
  readonly steps: number
  /** A 401 in the middle of the task, or a token that has ended before it: both make a new token. */
  readonly renewsAt: number | null
  /** "Try now" in the middle of the task. */
  readonly isTriedNow: boolean
}

const planned: fc.Arbitrary<Planned> = fc.record({
  centerId: fc.constantFrom('101', '102', null),
  steps: fc.integer({ min: 1, max: 3 }),
  renewsAt: fc.option(fc.integer({ min: 0, max: 2 })),
  isTriedNow: fc.boolean(),
})

type Running = { readonly index: number; readonly centerId: string | null }

/** Runs all tasks in an order of steps that the scheduler makes up, and says what must never be. */
async function faultsOf(
  s: fc.Scheduler,
  tasks: readonly Planned[],
  isRefused: boolean,
): Promise<{
  readonly faults: readonly string[]
  readonly ended: number
  readonly starts: readonly number[]
}> {
  const faults: string[] = []
  const starts: number[] = []
  const running = new Set<Running>()
  const service = new SharedSwitch(async (what) => {
    const wanted = what.split(' ')[1]
    const isOthers = [...running].some(({ centerId }) => centerId !== wanted)
    if (what.startsWith('request') && isOthers) faults.push(`${what} while another center was in use`)
    await s.schedule(Promise.resolve(), what)
  })
  if (isRefused) service.refusals.set('102', failureOf('serviceRefused'))
  const gate = createCenterGate(service, new AbortController().signal)
  let ended = 0
  const run = async ({ centerId, steps, renewsAt, isTriedNow }: Planned, index: number): Promise<void> => {
    await gate.runIn(centerId, async (hold) => {
      starts.push(index)
      const self = { index, centerId }
      running.add(self)
      for (let step = 0; step < steps; step += 1) {
        if ([...running].some((other) => other.centerId !== centerId)) faults.push('two centers at a time')
        if (centerId !== null && hold.isValid() && service.center !== centerId)
          faults.push(`task ${index} believes in ${centerId} under ${service.center}`)
        const wasHeld = hold.isValid()
        if (isTriedNow) gate.refreshNext()
        if (hold.isValid() !== wasHeld) faults.push(`task ${index} lost its hold by a mere precaution`)
        if (renewsAt === step) service.renewToken()
        await s.schedule(Promise.resolve(), `step of ${index}`)
      }
      running.delete(self)
      return succeed(null)
    })
    ended += 1
  }
  const all = Promise.all(tasks.map(run))
  await s.waitFor(all)
  return { faults, ended, starts }
}

const RUNS = { numRuns: runs(1_500) }

describe('the gate of the centers, in whatever order things happen', () => {
  it('never runs two centers at a time, never switches below a running task, and ends every task', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(planned, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (s, tasks, isRefused) => {
          const { faults, ended } = await faultsOf(s, tasks, isRefused)
          expect(faults.filter((fault) => !fault.includes('believes'))).toEqual([])
          expect(ended).toBe(tasks.length)
        },
      ),
      RUNS,
    )
  })

  it('never lets a task believe in a center that is not set', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(planned, { minLength: 1, maxLength: 6 }),
        async (s, tasks) => {
          const { faults } = await faultsOf(s, tasks, false)
          expect(faults).toEqual([])
        },
      ),
      RUNS,
    )
  })

  it('lets nobody of another center overtake', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(planned, { minLength: 2, maxLength: 6 }),
        async (s, tasks) => {
          const { starts } = await faultsOf(s, tasks, false)
          const overtaken = starts.filter((index, place) =>
            starts
              .slice(place + 1)
              .some((later) => later < index && tasks[later]?.centerId !== tasks[index]?.centerId),
          )
          expect(overtaken).toEqual([])
        },
      ),
      RUNS,
    )
  })

  it('keeps what signs in by itself apart from every task of a center, and sets the center anew behind it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('101', '102', 'apart'), { minLength: 2, maxLength: 6 }),
        async (s, tasks) => {
          const faults: string[] = []
          let inside = 0
          const service = new SharedSwitch((what) => s.schedule(Promise.resolve(), what))
          const gate = createCenterGate(service, new AbortController().signal)
          const step = (): Promise<void> => s.schedule(Promise.resolve(), 'step')
          const signIn = async (): Promise<Result<null>> => {
            if (inside > 0) faults.push('signed in amid a task of a center')
            service.center = null
            await step()
            if (inside > 0) faults.push('a task of a center began amid the sign-in')
            return succeed(null)
          }
          const run = (centerId: string): Promise<unknown> =>
            centerId === 'apart'
              ? gate.runExclusive(signIn)
              : gate.runIn(centerId, async (hold) => {
                  inside += 1
                  await step()
                  if (hold.isValid() && service.center !== centerId)
                    faults.push('believes in what is not set')
                  inside -= 1
                  return succeed(null)
                })
          await s.waitFor(Promise.all(tasks.map(run)))
          expect(faults).toEqual([])
        },
      ),
      RUNS,
    )
  })
})
