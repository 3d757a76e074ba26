import { describe, expect, it } from 'vitest'
import { openOrRecover, recoverAndOpen } from '../../../src-main/electron/recovery.ts'
import type { Station } from '../../../src-main/station/api.ts'
import { StorageError } from '../../../src-main/station/lib/errors.ts'

const STATION = {} as Station
const DAMAGED = new StorageError('The outbox file is damaged.', { remedy: 'recover' })

/** A host whose station opens once `mended`, with a person who answers as told. */
function hostWith(given: { readonly first: Error | null; readonly answer?: 'recover' | 'quit' }) {
  const did: string[] = []
  let isMended = given.first === null
  return {
    did,
    open: () => {
      did.push('open')
      return isMended || given.first === null ? Promise.resolve(STATION) : Promise.reject(given.first)
    },
    recover: () => {
      did.push('recover')
      isMended = true
      return Promise.resolve(['It was built anew.'])
    },
    ask: (message: string) => {
      did.push(`ask: ${message}`)
      return Promise.resolve(given.answer ?? ('quit' as const))
    },
    showResult: (sentences: readonly string[]) => void did.push(`tell: ${sentences.join(' ')}`),
  }
}

describe('a station whose outbox is lost or damaged', () => {
  it('is recovered where a person says so', async () => {
    const host = hostWith({ first: DAMAGED, answer: 'recover' })
    expect(await openOrRecover(host)).toBe(STATION)
    expect(host.did).toEqual([
      'open',
      'ask: The outbox file is damaged.',
      'recover',
      'open',
      'tell: It was built anew.',
    ])
  })

  it('is left as it is where a person would rather quit', async () => {
    const host = hostWith({ first: DAMAGED, answer: 'quit' })
    expect(await openOrRecover(host)).toBeNull()
    expect(host.did).not.toContain('recover')
  })
})

it.each([new StorageError('Another Fundus Courier already works here.'), new Error('a defect')])(
  'does not offer to recover from what recovery does not mend: %s',
  async (error) => {
    const host = hostWith({ first: error, answer: 'recover' })
    await expect(openOrRecover(host)).rejects.toBe(error)
    expect(host.did).toEqual(['open'])
  },
)

it('recovers without a question where the command line asks for it', async () => {
  const host = hostWith({ first: null })
  expect(await recoverAndOpen(host)).toBe(STATION)
  expect(host.did).toEqual(['recover', 'open', 'tell: It was built anew.'])
})
