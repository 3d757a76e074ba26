import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type DesktopBridge, openIpcLink, openLink } from '../../../src-renderer/link/transports.ts'
import type { LinkMessage } from '../../../src-renderer/link/link.ts'
import { syntheticStatus } from '../synthetic-submission.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function bridge(answer: () => Promise<unknown>) {
  let listener: ((event: unknown) => void) | null = null
  const made: DesktopBridge = {
    call: answer,
    onEvent: (options) => {
      listener = options
      return () => {
        listener = null
      }
    },
    onRoute: () => () => undefined,
    bytesUrl: (kind, id) => `app://station/bytes/${kind}/${id}`,
  }
  return { made, emit: (event: unknown) => listener?.(event), isHeard: () => listener !== null }
}

it('is open from the start and parses what comes through the bridge', async () => {
  const status = syntheticStatus()
  const { made } = bridge(async () => ({ ok: true, value: { ...status, surplus: true } }))
  const link = openIpcLink(made)
  const kinds: string[] = []
  link.onConnection(({ kind }) => kinds.push(kind))
  expect(kinds).toEqual(['open'])
  expect(await link.call('station.status', {})).toEqual({ ok: true, value: status })
})

it('makes a failure of a handler that threw', async () => {
  const { made } = bridge(async () => {
    throw new Error("Error invoking remote method 'call'")
  })
  const answer = await openIpcLink(made).call('station.status', {})
  expect(answer.ok ? null : [answer.failure.kind, answer.failure.message.includes('remote method')]).toEqual([
    'internal',
    false,
  ])
})

it('hands on events, says if one is none, and stops when it is closed', () => {
  const { made, emit, isHeard } = bridge(async () => null)
  const link = openIpcLink(made)
  const arrivals: LinkMessage['kind'][] = []
  link.onMessage(({ kind }) => arrivals.push(kind))
  emit({ name: 'reportArrived', revision: 3, payload: { caseId: '7', submissionId: 'a' } })
  emit({ name: 'nonsense' })
  expect(arrivals).toEqual(['event', 'unreadable'])
  link.close()
  expect(isHeard()).toBe(false)
})

it('is the link wherever a preload exposes the bridge, and lends addresses that the window alone can read', async () => {
  const { made } = bridge(async () => ({ ok: true, value: syntheticStatus() }))
  const link = openLink({ fundusCourier: made } as unknown as Window)
  expect((await link.call('station.status', {})).ok).toBe(true)
  const { url } = await link.createBytesUrl('thumbnail', 'i1')
  expect(url).toBe('app://station/bytes/thumbnail/i1')
})

it('shows within two seconds that the main process hangs, refuses calls meanwhile, and heals automatically', async () => {
  let release: ((answer: unknown) => void) | null = null
  let isHanging = false
  const asked: unknown[] = []
  const { made, emit } = bridge((...question: unknown[]) => {
    asked.push(question[0])
    if (!isHanging) return Promise.resolve({ ok: false, failure: { kind: 'notFound', message: '' } })
    return new Promise((resolve) => {
      release = resolve
    })
  })
  const link = openIpcLink(made)
  const kinds: string[] = []
  link.onConnection(({ kind }) => kinds.push(kind))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kinds).toEqual(['open'])
  isHanging = true
  await vi.advanceTimersByTimeAsync(2_000)
  expect(kinds).toEqual(['open', 'lost'])
  asked.length = 0
  const refused = await link.call('station.pause', {})
  expect(refused.ok ? null : refused.failure.message).toContain('nothing was done')
  await vi.advanceTimersByTimeAsync(60_000)
  // Neither the call nor a heap of questions lies before a process that hangs.
  expect(asked).toEqual([])
  release!(null)
  await vi.advanceTimersByTimeAsync(0)
  expect(kinds).toEqual(['open', 'lost', 'open'])
  // An event is a sign of life, too.
  await vi.advanceTimersByTimeAsync(5_000)
  expect(kinds.at(-1)).toBe('lost')
  link.onMessage(() => undefined)
  emit({ name: 'reportArrived', revision: 3, payload: { caseId: '7', submissionId: 'a' } })
  expect(kinds.at(-1)).toBe('open')
  link.close()
  expect(vi.getTimerCount()).toBe(0)
})
