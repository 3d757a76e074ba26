import { expect, it } from 'vitest'
import { patiently } from '../../../src-renderer/shell/patiently.ts'

it.each([
  new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/x.js'),
  new TypeError('error loading dynamically imported module: http://127.0.0.1/assets/x.js'),
  new TypeError('Importing a module script failed.'),
  new Error('Unable to preload CSS for /assets/x.css'),
])('asks again until a part of the screens has come: %s', async (refusal) => {
  let tries = 0
  const waits: number[] = []
  const module = await patiently(
    async () => {
      tries += 1
      if (tries < 3) throw refusal
      return 'there'
    },
    async (milliseconds) => void waits.push(milliseconds),
  )
  expect([module, tries, waits]).toEqual(['there', 3, [1_000, 1_000]])
})

it('passes on what is a fault of the part itself', async () => {
  const broken = async (): Promise<never> => {
    throw new TypeError('x is not a function')
  }
  await expect(patiently(broken)).rejects.toThrow('x is not a function')
})
