import { expect, it } from 'vitest'
import { retryUntilReachable } from '../../../src-renderer/shell/load-screen.ts'

it('asks for a part of the screens once, and not before the station can be reached', async () => {
  const done: string[] = []
  let tries = 0
  const module = await retryUntilReachable(
    async () => {
      done.push('fetch')
      return 'there'
    },
    async () => {
      tries += 1
      return tries > 2
    },
    async (milliseconds) => void done.push(`wait ${milliseconds}`),
  )
  expect(module).toBe('there')
  expect(done).toEqual(['wait 1000', 'wait 1000', 'fetch'])
})

it('passes on what is a fault of the part itself', async () => {
  const broken = async (): Promise<never> => {
    throw new TypeError('x is not a function')
  }
  await expect(retryUntilReachable(broken, () => Promise.resolve(true))).rejects.toThrow(
    'x is not a function',
  )
})
