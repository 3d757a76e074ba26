import { expect, it } from 'vitest'
import { closingTogether, createSignal } from '../../../../src-main/station/lib/part.ts'
import { serially } from '../../../../src-main/station/lib/schedule.ts'

it('parts of one step close at the same time, after what was added later and before what was added earlier', async () => {
  const stack = new AsyncDisposableStack()
  const log: string[] = []
  const slow = Promise.withResolvers<void>()
  stack.defer(() => void log.push('first'))
  const own = closingTogether(stack)
  own({
    close: async () => {
      log.push('slow begins')
      await slow.promise
      log.push('slow ends')
    },
  })
  own({
    close: () => {
      log.push('quick')
      slow.resolve()
    },
  })
  stack.defer(() => void log.push('last'))
  await stack.disposeAsync()
  expect(log).toEqual(['last', 'slow begins', 'quick', 'slow ends', 'first'])
})

it('a part that cannot be closed keeps no other open, and is reported', async () => {
  const stack = new AsyncDisposableStack()
  const log: string[] = []
  stack.defer(() => void log.push('outbox'))
  const own = closingTogether(stack)
  own({
    close: () => {
      throw new Error('stuck')
    },
  })
  own({
    close: async () => {
      await Promise.resolve()
      log.push('other')
    },
  })
  await expect(stack.disposeAsync()).rejects.toThrow('stuck')
  expect(log).toEqual(['other', 'outbox'])
})

it('tasks of one queue run one after the other, also after one that failed', async () => {
  const inTurn = serially()
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = inTurn(async () => {
    await first.promise
    log.push('first')
    throw new Error('failed')
  })
  const second = inTurn(() => {
    log.push('second')
    return Promise.resolve(2)
  })
  first.resolve()
  await expect(failing).rejects.toThrow('failed')
  expect(await second).toBe(2)
  expect(log).toEqual(['first', 'second'])
})

it('a signal reaches all who have subscribed, in their order', () => {
  const signal = createSignal<[count: number]>()
  const heard: string[] = []
  signal.emit(0)
  signal.subscribe((count) => void heard.push(`one ${count}`))
  signal.subscribe((count) => void heard.push(`two ${count}`))
  signal.emit(1)
  expect(heard).toEqual(['one 1', 'two 1'])
})
