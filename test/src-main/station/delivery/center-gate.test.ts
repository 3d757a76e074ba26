import { describe, expect, it } from 'vitest'
import { type CenterGate, createCenterGate } from '../../../../src-main/station/delivery/center-lease.ts'
import { fail, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { rest } from '../../../tools/manual-clock.ts'
import { SharedSwitch } from './shared-switch.ts'

function gateOf(service: SharedSwitch): CenterGate {
  return createCenterGate(service, new AbortController().signal)
}

/** A task that goes on until the test ends it. */
function openTask(): {
  readonly task: () => Promise<Result<string>>
  isRunning(): boolean
  end(): void
} {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isRunning = false
  return {
    task: async () => {
      isRunning = true
      await promise
      isRunning = false
      return succeed('done')
    },
    isRunning: () => isRunning,
    end: resolve,
  }
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

  it('lets tasks of one center run together and those of another wait until all are through', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    const [first, second, other, third] = [openTask(), openTask(), openTask(), openTask()]
    const all = [
      gate.runIn('101', first.task),
      gate.runIn('101', second.task),
      gate.runIn('102', other.task),
      // Of the first center again, but behind the other: nobody is overtaken for ever.
      gate.runIn('101', third.task),
    ]
    const running = (): boolean[] => [first, second, other, third].map((task) => task.isRunning())
    await rest()
    expect(running()).toEqual([true, true, false, false])
    first.end()
    await rest()
    expect(running()).toEqual([false, true, false, false])
    second.end()
    await rest()
    expect(running()).toEqual([false, false, true, false])
    expect(service.center).toBe('102')
    other.end()
    third.end()
    expect(await Promise.all(all)).toEqual(all.map(() => succeed('done')))
    expect(service.asked).toEqual(['token', 'set 101', 'set 102', 'set 101'])
  })

  it('sets the center again after a new token, and after it was told to forget', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    const ask = (): Promise<Result<string | null>> => gate.runIn('101', async () => succeed(service.center))
    await ask()
    service.renewToken()
    expect(await ask()).toEqual(succeed('101'))
    gate.invalidate()
    service.center = 'somebody else switched'
    expect(await ask()).toEqual(succeed('101'))
    expect(service.asked.filter((what) => what === 'set 101')).toHaveLength(3)
  })

  it('says that the center is no longer held after a new token in the middle of a task', async () => {
    const service = new SharedSwitch()
    const held = await gateOf(service).runIn('101', async (hold) => {
      const before = hold.isValid()
      service.renewToken()
      return succeed([before, hold.isValid()])
    })
    expect(held).toEqual(succeed([true, false]))
  })

  it('says so too where a station forgets in the middle of a task', async () => {
    const gate = gateOf(new SharedSwitch())
    const held = await gate.runIn('101', async (hold) => {
      gate.invalidate()
      return succeed(hold.isValid())
    })
    expect(held).toEqual(succeed(false))
  })

  it('sets the center anew for the next alone, and keeps the holds of those inside as long as they are true', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    const held: boolean[] = []
    const sets = (): number => service.asked.filter((what) => what === 'set 101').length
    await gate.runIn('101', async (hold) => {
      gate.refreshNext()
      held.push(hold.isValid())
      // Who joins meanwhile must not pull the center from under the other.
      await gate.runIn('101', async (joined) => {
        held.push(hold.isValid(), joined.isValid())
        return succeed(null)
      })
      expect(sets()).toBe(1)
      service.renewToken()
      held.push(hold.isValid())
      return succeed(null)
    })
    expect(held).toEqual([true, true, true, false])
    await gate.runIn('101', () => Promise.resolve(succeed(null)))
    gate.refreshNext()
    service.center = 'somebody else switched'
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
  ] as const)('runs no task where the switch ends with %s, and lets the next through', async (kind, told) => {
    const service = new SharedSwitch()
    service.refusals.set('101', failureOf(kind, { serviceSaid: 'no such center', status: 418 }))
    const gate = gateOf(service)
    const refused = gate.runIn('101', () => expect.unreachable('it must not run'))
    const others = gate.runIn('102', async () => succeed(service.center))
    expect(await refused).toMatchObject({ ok: false, failure: { kind: told, serviceSaid: 'no such center' } })
    expect(await others).toEqual(succeed('102'))
  })

  it('runs no task without a token', async () => {
    const service = new SharedSwitch()
    service.tokenFailure = failureOf('signedOut')
    expect(await gateOf(service).runIn('101', () => expect.unreachable())).toEqual(
      fail(failureOf('signedOut')),
    )
  })

  it('lets the next through where a task throws', async () => {
    const service = new SharedSwitch()
    const gate = gateOf(service)
    await expect(gate.runIn('101', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
    expect(await gate.runIn('102', async () => succeed(service.center))).toEqual(succeed('102'))
  })
})
