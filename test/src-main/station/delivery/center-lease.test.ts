import { describe, expect, it } from 'vitest'
import { type CenterGate, createCenterGate } from '../../../../src-main/station/delivery/center-lease.ts'
import type { ServiceClient } from '../../../../src-main/station/service/client.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { rest } from '../../../tools/manual-clock.ts'
import { fc, runs } from '../../../tools/property.ts'

/**
 * The worst service there may be: one switch for all calls, which every new token sets back. As a client, the part
 * that the gate uses.
 */
class SharedSwitch implements Pick<
  ServiceClient,
  'authorise' | 'changeCenter' | 'listCases' | 'tokenNumber'
> {
  center: string | null = null
  readonly asked: string[] = []
  readonly refusals = new Map<string, Failure>()
  tokenFailure: Failure | null = null
  #tokens = 0
  /** A test that wants the worst takes the steps of each call apart here. */
  readonly step: (what: string) => Promise<void>

  constructor(step: (what: string) => Promise<void> = () => Promise.resolve()) {
    this.step = step
  }

  tokenNumber = (): number => this.#tokens

  renewToken(): void {
    this.#tokens += 1
    this.center = null
  }

  listCases: ServiceClient['listCases'] = () => Promise.resolve(succeed({ cases: [], isComplete: true }))

  authorise: ServiceClient['authorise'] = async (): Promise<Result<null>> => {
    await this.step('token')
    if (this.tokenFailure) return fail(this.tokenFailure)
    if (this.#tokens === 0) {
      this.asked.push('token')
      this.renewToken()
    }
    return succeed(null)
  }

  changeCenter: ServiceClient['changeCenter'] = async (centerId): Promise<Result<null>> => {
    this.asked.push(`set ${centerId}`)
    await this.step(`request ${centerId}`)
    const refusal = this.refusals.get(centerId)
    if (refusal) return fail(refusal)
    this.center = centerId
    await this.step(`answer ${centerId}`)
    return succeed(null)
  }
}

/** A service that marks no center as current. */
const UNMARKED = { isElsewhere: () => Promise.resolve(false) }

function gateOf(service: SharedSwitch): CenterGate {
  return createCenterGate(service, new AbortController().signal, UNMARKED, { monotonicMs: () => 0 })
}

describe('the gate of the centers', () => {
  it('sets the center before the task, once for all that follow', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    for (let count = 0; count < 3; count += 1)
      expect(await gate.runIn('101', async () => succeed(service.center))).toEqual(succeed('101'))
    expect(service.asked).toEqual(['token', 'set 101'])
  })

  it('never switches for a station that never switches', async () => {
    const service = new SharedSwitch()
    expect(await gateOf(service).runIn(null, async (hold) => succeed(hold.isValid()))).toEqual(succeed(true))
    expect(service.asked).toEqual([])
  })

  it('lets tasks of one center run together, and none overtakes those that wait for another', async () => {
    const gate = gateOf(new SharedSwitch())
    const running: string[] = []
    const begin = (centerId: string, name: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      void gate.runIn(centerId, async () => {
        running.push(name)
        await promise
        running.splice(running.indexOf(name), 1)
        return succeed(null)
      })
      return resolve
    }
    const endFirst = begin('101', 'first')
    const endSecond = begin('101', 'second')
    const endOther = begin('102', 'other')
    // Of the first center again, but behind the other.
    const endThird = begin('101', 'third')
    for (const [end, expected] of [
      [() => undefined, ['first', 'second']],
      [endFirst, ['second']],
      [endSecond, ['other']],
      [endOther, ['third']],
      [endThird, []],
    ] as const) {
      end()
      await rest()
      expect(running).toEqual(expected)
    }
  })

  it('sets the center again after a new token, and after it was asked to forget', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    const ask = (): Promise<Result<string | null>> => gate.runIn('101', async () => succeed(service.center))
    await ask()
    service.renewToken()
    expect(await ask()).toEqual(succeed('101'))
    gate.invalidate()
    service.center = 'switched by another client'
    expect(await ask()).toEqual(succeed('101'))
    expect(service.asked.filter((what) => what === 'set 101')).toHaveLength(3)
  })

  it.each(['a new token', 'a request to forget'])(
    'invalidates the lease of a task after %s in its middle',
    async (what) => {
      const service = new SharedSwitch()
      const gate = gateOf(service)
      const held = await gate.runIn('101', async (lease) => {
        const before = lease.isValid()
        if (what === 'a new token') service.renewToken()
        else gate.invalidate()
        return succeed([before, lease.isValid()])
      })
      expect(held).toEqual(succeed([true, false]))
    },
  )

  it('sets the center again for the next alone, and keeps the holds of those inside as long as they are true', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    const held: boolean[] = []
    const sets = (): number => service.asked.filter((what) => what === 'set 101').length
    await gate.runIn('101', async (hold) => {
      gate.refreshNext()
      held.push(hold.isValid())
      // Who joins meanwhile must not pull the center from under the other.
      await gate.runIn('101', async (joined) => {
        held.push(hold.isValid(), joined.isValid(), hold.isNew, joined.isNew)
        return succeed(null)
      })
      expect(sets()).toBe(1)
      service.renewToken()
      held.push(hold.isValid())
      return succeed(null)
    })
    // The center was set for the one, and not again for the one that joined.
    expect(held).toEqual([true, true, true, true, false, false])
    await gate.runIn('101', () => Promise.resolve(succeed(null)))
    gate.refreshNext()
    service.center = 'switched by another client'
    const before = sets()
    expect(await gate.runIn('101', async () => succeed(service.center))).toEqual(succeed('101'))
    expect(await gate.runIn('101', async () => succeed(service.center))).toEqual(succeed('101'))
    expect(sets() - before).toBe(1)
  })

  it.each([
    ['serviceRefused', 'centerNotChanged'],
    ['answerUnreadable', 'centerNotChanged'],
    ['centerNotChanged', 'centerNotChanged'],
    ['offline', 'offline'],
    ['notAnswering', 'notAnswering'],
    ['throttled', 'throttled'],
  ] as const)(
    'runs no task if the switch ends with %s, and lets the next through',
    async (kind, reported) => {
      const service = new SharedSwitch()
      service.refusals.set('101', failureOf(kind, { serviceSaid: 'no such center', status: 418 }))
      const gate = gateOf(service)
      const refused = gate.runIn('101', () => expect.unreachable('it must not run'))
      const others = gate.runIn('102', async () => succeed(service.center))
      expect(await refused).toMatchObject({
        ok: false,
        failure: { kind: reported, serviceSaid: 'no such center' },
      })
      expect(await others).toEqual(succeed('102'))
    },
  )

  it('runs no task without a token', async () => {
    const service = new SharedSwitch()
    service.tokenFailure = failureOf('signedOut')
    expect(await gateOf(service).runIn('101', () => expect.unreachable())).toEqual(
      fail(failureOf('signedOut')),
    )
  })

  it('lets the next through if a task throws', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    await expect(gate.runIn('101', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
    expect(await gate.runIn('102', async () => succeed(service.center))).toEqual(succeed('102'))
  })
})

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
async function faultsOf(s: fc.Scheduler, tasks: readonly Planned[], isRefused: boolean) {
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
  const gate = gateOf(service)
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

describe('the gate of the centers, in whatever order things happen', () => {
  it('runs one center at a time, in turn and to the end, and no task believes in one that is not set', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(planned, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (s, tasks, isRefused) => {
          const { faults, ended, starts } = await faultsOf(s, tasks, isRefused)
          expect(ended).toBe(tasks.length)
          expect(faults.filter((fault) => !isRefused || !fault.includes('believes'))).toEqual([])
          const overtaken = starts.filter((index, order) =>
            starts
              .slice(order + 1)
              .some((later) => later < index && tasks[later]?.centerId !== tasks[index]?.centerId),
          )
          expect(isRefused ? [] : overtaken).toEqual([])
        },
      ),
      // Half of them with a center that is refused.
      { numRuns: runs(3_000) },
    )
  })

  it('runs what signs in separately beside no task of a center, and sets the center again behind it', async () => {
    const tasks = fc.array(fc.constantFrom('101', '102', 'exclusive'), { minLength: 2, maxLength: 6 })
    const property = fc.asyncProperty(fc.scheduler(), tasks, async (s, ids) => {
      const faults: string[] = []
      let inside = 0
      const service = new SharedSwitch((what) => s.schedule(Promise.resolve(), what))
      const gate = gateOf(service)
      const signIn = async (): Promise<Result<null>> => {
        if (inside > 0) faults.push('signed in amid a task of a center')
        service.center = null
        await s.schedule(Promise.resolve(), 'sign-in')
        if (inside > 0) faults.push('a task of a center began amid the sign-in')
        return succeed(null)
      }
      const run = (id: string): Promise<unknown> =>
        id === 'exclusive'
          ? gate.runExclusive(signIn)
          : gate.runIn(id, async (lease) => {
              inside += 1
              await s.schedule(Promise.resolve(), 'step')
              if (lease.isValid() && service.center !== id) faults.push('believes in what is not set')
              inside -= 1
              return succeed(null)
            })
      await s.waitFor(Promise.all(ids.map(run)))
      expect(faults).toEqual([])
    })
    await fc.assert(property, { numRuns: runs(500) })
  })
})
