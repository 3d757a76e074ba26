/** A station whose outbox is lost or damaged, and the desktop's question what to do. */
import { expect, it } from 'vitest'
import { openOrRecover } from '../../../src-main/electron/boot.ts'
import type { Station } from '../../../src-main/station/api.ts'
import { StorageError } from '../../../src-main/station/lib/storage-faults.ts'
import type { Message } from '../../../src-shared/wording.ts'

const STATION = {} as Station
const DAMAGED = new StorageError('The outbox file is damaged.', { remedy: 'recover' })

/** A host whose station opens once it was recovered, with a person who gives this answer. */
function hostWith(first: Error | null, answer: 'recover' | 'quit') {
  const done: string[] = []
  let isRecovered = first === null
  return {
    done,
    open: () => {
      done.push('open')
      return isRecovered || first === null ? Promise.resolve(STATION) : Promise.reject(first)
    },
    recover: () => {
      done.push('recover')
      isRecovered = true
      return Promise.resolve([{ message: 'It was rebuilt.' }])
    },
    ask: ({ message }: Message) => {
      done.push(`ask: ${message}`)
      return Promise.resolve(answer)
    },
    showResult: (messages: readonly Message[]) =>
      void done.push(`show: ${messages.map(({ message }) => message).join(' ')}`),
  }
}

const ASKED = ['open', 'ask: The outbox file is damaged.']

it.each([
  ['recover', STATION, [...ASKED, 'recover', 'open', 'show: It was rebuilt.']],
  ['quit', null, ASKED],
] as const)('a lost outbox is recovered only if a person says so: %s', async (answer, station, done) => {
  const host = hostWith(DAMAGED, answer)
  expect(await openOrRecover(host, false)).toBe(station)
  expect(host.done).toEqual(done)
})

it.each([new StorageError('Another Fundus Courier already works here.'), new Error('a defect')])(
  'recovery is not offered if it does not help: %s',
  async (error) => {
    const host = hostWith(error, 'recover')
    await expect(openOrRecover(host, false)).rejects.toBe(error)
    expect(host.done).toEqual(['open'])
  },
)

it('the command line recovers without a question', async () => {
  const host = hostWith(null, 'quit')
  expect(await openOrRecover(host, true)).toBe(STATION)
  expect(host.done).toEqual(['recover', 'open', 'show: It was rebuilt.'])
})
