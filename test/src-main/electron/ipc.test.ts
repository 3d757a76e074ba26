/** Calls and events between the window and the main process. */
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  type CallEvent,
  createRouteSender,
  forwardEvents,
  serveCalls,
  withDesktopCalls,
} from '../../../src-main/electron/ipc.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { type DesktopRoute, desktopRouteSchema } from '../../../src-shared/desktop.ts'
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

describe('calls over IPC', () => {
  const ours: CallEvent = { senderFrame: { url: 'app://station/index.html#queue', parent: null } }

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
  ] satisfies [string, CallEvent][])('from %s are refused unread', async (_who, event) => {
    const { answered, send } = receiveCalls()
    expect(await send(event, 'station.status', {})).toMatchObject({
      ok: false,
      failure: { kind: 'notAllowed' },
    })
    expect(answered).toEqual([])
  })

  const circle: { self?: unknown } = {}
  circle.self = circle

  it.each([
    ['no name', undefined, {}],
    ['a number as its name', 17, {}],
    ['an object as its name', { toString: 'station.status' }, {}],
    ['a circle', 'submissions.list', circle],
    ['an integer without bounds', 'submissions.list', { limit: 1n }],
    ['more than four million characters', 'submissions.list', { search: 'x'.repeat(5_000_000) }],
  ])('with %s are refused unread', async (_what, name, input) => {
    const { answered, send } = receiveCalls()
    expect(await send(ours, name, input)).toMatchObject({ ok: false, failure: { kind: 'badRequest' } })
    expect(answered).toEqual([])
  })

  it('reach the station as they would over HTTP', async () => {
    const { answered, send } = receiveCalls()
    await send(ours, 'a', { at: new Date(0), map: new Map([[1, 2]]), left: undefined, list: [undefined] })
    await send(ours, 'b')
    expect(answered).toEqual([
      ['a', { at: '1970-01-01T00:00:00.000Z', map: {}, list: [null] }],
      ['b', null],
    ])
  })

  it('of the host stay with it, and all others pass on to the station', async () => {
    const chosen: unknown[] = []
    const asked: unknown[] = []
    const answer = withDesktopCalls(
      (name, input) => {
        asked.push([name, input])
        return Promise.resolve(succeed('of the station'))
      },
      new Map<string, (input: unknown) => unknown>([
        ['desktop.speaks', (choice) => void chosen.push(choice)],
        ['desktop.choose', async () => ({ path: null })],
      ]),
    )
    expect(await answer('desktop.choose', null)).toEqual({ ok: true, value: { path: null } })
    expect(await answer('desktop.speaks', 'es')).toEqual({ ok: true, value: {} })
    expect(await answer('station.status', {})).toEqual({ ok: true, value: 'of the station' })
    expect({ chosen, asked }).toEqual({ chosen: ['es'], asked: [['station.status', {}]] })
  })
})

it('events go to the window that is there, until listening ends', () => {
  const event: StationEvent = {
    name: 'reportArrived',
    revision: 7,
    payload: { caseId: '9', submissionId: 's-1' },
  }
  const listeners = new Set<(one: StationEvent) => void>()
  const sent: unknown[] = []
  let window: 'open' | 'destroyed' | 'none' = 'open'
  const stop = forwardEvents(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () =>
      window === 'none'
        ? null
        : {
            isDestroyed: () => window === 'destroyed',
            send: (channel, payload) => sent.push([channel, structuredClone(payload)]),
          },
  )
  const emit = (): void => listeners.forEach((listener) => listener(event))
  for (window of ['open', 'destroyed', 'none'] as const) emit()
  window = 'open'
  stop()
  emit()
  expect(sent).toEqual([['fundus-courier:event', event]])
})

describe('a route', () => {
  const at = (id: string): DesktopRoute => ({ screen: 'submission', id })

  function windowThat(state: { isLoading: boolean; isDestroyed: boolean }) {
    const sent: string[] = []
    const webContents = Object.assign(new EventEmitter(), {
      isLoading: () => state.isLoading,
      send: (channel: string, route: DesktopRoute) =>
        void sent.push(`${channel} ${JSON.stringify(desktopRouteSchema.parse(structuredClone(route)))}`),
    })
    return { sent, webContents, isDestroyed: () => state.isDestroyed }
  }

  it.each([
    [false, ['fundus-courier:place {"screen":"submission","id":"s2"}']],
    [true, []],
  ])('waits for a window that loads, only the latest one, unless it is gone (%s)', (isGone, expected) => {
    const state = { isLoading: true, isDestroyed: false }
    const window = windowThat(state)
    const send = createRouteSender(window)
    send(at('s1'))
    send(at('s2'))
    expect(window.sent).toEqual([])
    Object.assign(state, { isLoading: false, isDestroyed: isGone })
    window.webContents.emit('did-finish-load')
    window.webContents.emit('did-finish-load')
    expect(window.sent).toEqual(expected)
    // To a window that has loaded it goes at once.
    send(at('s2'))
    expect(window.sent).toEqual([...expected, ...expected])
  })
})
