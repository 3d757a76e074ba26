import { expect, it } from 'vitest'
import { closingTogether, createSignal } from '../../../../src-main/station/lib/part.ts'

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

it('a part that cannot be closed leaves no other open, and is reported', async () => {
  const stack = new AsyncDisposableStack()
  const log: string[] = []
  stack.defer(() => void log.push('outbox'))
  const own = closingTogether(stack)
  own({
    close: () => {
      throw new Error('stuck')
    },
  })
  own({ close: () => Promise.resolve().then(() => void log.push('other')) })
  await expect(stack.disposeAsync()).rejects.toThrow('stuck')
  expect(log).toEqual(['other', 'outbox'])
})

it('a signal reaches all subscribers in their order', () => {
  const signal = createSignal<[count: number]>()
  const heard: string[] = []
  signal.emit(0)
  signal.subscribe((count) => void heard.push(`one ${count}`))
  signal.subscribe((count) => void heard.push(`two ${count}`))
  signal.emit(1)
  expect(heard).toEqual(['one 1', 'two 1'])
})

it('a signal reaches all subscribers although one of them throws, which its sender hears', () => {
  const signal = createSignal()
  const heard: string[] = []
  signal.subscribe(() => void heard.push('one'))
  signal.subscribe(() => {
    throw new Error('broken')
  })
  signal.subscribe(() => void heard.push('three'))
  expect(signal.emit).toThrow('broken')
  expect(heard).toEqual(['one', 'three'])
})
