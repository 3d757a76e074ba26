/** A station whose outbox is lost or damaged, and the desktop's question what to do. */
import { beforeEach, expect, it, vi } from 'vitest'
import { openDesktopStation } from '../../../src-main/electron/boot.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import type { Station } from '../../../src-main/station/api.ts'
import { StorageError } from '../../../src-main/station/lib/storage-faults.ts'
import type { Message } from '../../../src-shared/wording.ts'
import { stationPorts } from '../../tools/station-ports.ts'

const STATION = {} as Station
const DAMAGED = new StorageError('The outbox file is damaged.', { remedy: 'recover' })

/** What the host does, and what becomes of it: how the first opening fails, and what a person answers. */
const host = vi.hoisted(() => ({ done: [] as string[], first: null as Error | null, answer: 'quit' }))

vi.mock('../../../src-main/station/station.ts', () => ({
  openStation: () => {
    host.done.push('open')
    return host.first === null ? Promise.resolve(STATION) : Promise.reject(host.first)
  },
}))

vi.mock('../../../src-main/station/outbox/recovery/recover.ts', () => ({
  recoverOutbox: () => {
    host.done.push('recover')
    host.first = null
    return Promise.resolve([{ message: 'It was rebuilt.' }])
  },
}))

vi.mock('../../../src-main/electron/dialogs.ts', () => ({
  askForRecovery: ({ message }: Message) => {
    host.done.push(`ask: ${message}`)
    return Promise.resolve(host.answer)
  },
  showRecoveryResult: (messages: readonly Message[]) =>
    void host.done.push(`show: ${messages.map(({ message }) => message).join(' ')}`),
}))

const open = (isRecovering: boolean): Promise<Station | null> =>
  openDesktopStation({ dataFolder: '/data', config: null, ports: stationPorts() }, isRecovering, () =>
    hostTexts('en'),
  )

beforeEach(() => Object.assign(host, { done: [], first: null, answer: 'quit' }))

const ASKED = ['open', 'ask: The outbox file is damaged.']

it.each([
  ['recover', STATION, [...ASKED, 'recover', 'open', 'show: It was rebuilt.']],
  ['quit', null, ASKED],
] as const)('a lost outbox is recovered only if a person says so: %s', async (answer, station, done) => {
  Object.assign(host, { first: DAMAGED, answer })
  expect(await open(false)).toBe(station)
  expect(host.done).toEqual(done)
})

it.each([new StorageError('Another Fundus Courier already works here.'), new Error('a defect')])(
  'recovery is not offered if it does not help: %s',
  async (error) => {
    Object.assign(host, { first: error, answer: 'recover' })
    await expect(open(false)).rejects.toThrow(error.message)
    expect(host.done).toEqual(['open'])
  },
)

it('the command line recovers without a question', async () => {
  expect(await open(true)).toBe(STATION)
  expect(host.done).toEqual(['recover', 'open', 'show: It was rebuilt.'])
})
