import { describe, expect, it } from 'vitest'
import { type CallEvent, forwardEvents, serveCalls } from '../../../src-main/electron/ipc.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { succeed } from '../../../src-shared/failure.ts'

type Listener = (event: CallEvent, ...parameters: unknown[]) => unknown

/** Receives as `ipcMain` does; both directions copy as the real one does, so what cannot be cloned fails here, too. */
function receiveCalls() {
  const listeners = new Map<string, Listener>()
  const answered: [string, unknown][] = []
  serveCalls({ handle: (channel, listener) => listeners.set(channel, listener) }, (name, input) => {
    answered.push([name, input])
    return Promise.resolve(succeed({ name }))
  })
  return {
    channels: [...listeners.keys()],
    answered,
    send: async (event: CallEvent, ...parameters: unknown[]): Promise<unknown> =>
      structuredClone(await listeners.get('fundus-courier:call')?.(event, ...structuredClone(parameters))),
  }
}

const ours: CallEvent = { senderFrame: { url: 'app://station/index.html#queue', parent: null } }

describe('calls over IPC', () => {
  it('are taken on one channel and answered to the main frame of our own pages', async () => {
    const { channels, answered, send } = receiveCalls()
    expect(channels).toEqual(['fundus-courier:call'])
    expect(await send(ours, 'station.status', {})).toEqual({ ok: true, value: { name: 'station.status' } })
    expect(answered).toEqual([['station.status', {}]])
  })

  it.each([
    ['a frame that is gone', { senderFrame: null }],
    ['a frame inside the page', { senderFrame: { url: 'app://station/index.html', parent: {} } }],
    ['a report in a frame', { senderFrame: { url: 'app://station/bytes/report/1', parent: {} } }],
    ['a report that became the page', { senderFrame: { url: 'app://station/bytes/report/1', parent: null } }],
    ['another host', { senderFrame: { url: 'app://station.example/index.html', parent: null } }],
    ['the web', { senderFrame: { url: 'https://station/index.html', parent: null } }],
    ['a file', { senderFrame: { url: 'file:///tmp/app://station/index.html', parent: null } }],
    ['an empty document', { senderFrame: { url: 'about:blank', parent: null } }],
  ] satisfies [string, CallEvent][])('from %s are refused unheard', async (_who, event) => {
    const { answered, send } = receiveCalls()
    expect(await send(event, 'station.status', {})).toMatchObject({
      ok: false,
      failure: { kind: 'notAllowed' },
    })
    expect(answered).toEqual([])
  })

  it.each([[undefined], [17], [{ toString: 'station.status' }]])(
    'without a name are refused: %j',
    async (name) => {
      const { answered, send } = receiveCalls()
      expect(await send(ours, name, {})).toMatchObject({ ok: false, failure: { kind: 'badRequest' } })
      expect(answered).toEqual([])
    },
  )
})

describe('what a call over IPC carries', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle

  it.each([
    ['a circle', circle],
    ['an integer without bounds', { limit: 1n }],
    ['more than four million characters', { search: 'x'.repeat(5_000_000) }],
  ])('is refused unheard where it is %s', async (_what, input) => {
    const { answered, send } = receiveCalls()
    expect(await send(ours, 'submissions.list', input)).toMatchObject({
      ok: false,
      failure: { kind: 'badRequest' },
    })
    expect(answered).toEqual([])
  })

  it('reaches the station as it would over HTTP', async () => {
    const { answered, send } = receiveCalls()
    await send(ours, 'a', { at: new Date(0), map: new Map([[1, 2]]), left: undefined, list: [undefined] })
    await send(ours, 'b')
    expect(answered).toEqual([
      ['a', { at: '1970-01-01T00:00:00.000Z', map: {}, list: [null] }],
      ['b', null],
    ])
  })
})

describe('events over IPC', () => {
  const event: StationEvent = {
    name: 'reportArrived',
    revision: 7,
    payload: { caseId: '9', submissionId: 's-1' },
  }

  it('go to the window that is there, until listening ends', () => {
    const listeners = new Set<(event: StationEvent) => void>()
    const sent: unknown[] = []
    let isDestroyed = false
    const stop = forwardEvents(
      (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      () => ({
        isDestroyed: () => isDestroyed,
        send: (channel, told) => sent.push([channel, structuredClone(told)]),
      }),
    )
    const tell = (): void => listeners.forEach((listener) => listener(event))
    tell()
    isDestroyed = true
    tell()
    isDestroyed = false
    stop()
    tell()
    expect(sent).toEqual([['fundus-courier:event', event]])
  })

  it('are dropped where there is no window', () => {
    forwardEvents(
      (listener) => {
        listener(event)
        return () => undefined
      },
      () => null,
    )
  })
})
