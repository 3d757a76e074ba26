import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createRouteSender } from '../../../src-main/electron/ipc.ts'
import { type DesktopRoute, desktopRouteSchema } from '../../../src-shared/desktop.ts'

function windowThat(state: { isLoading: boolean; isDestroyed: boolean }) {
  const sent: string[] = []
  const webContents = Object.assign(new EventEmitter(), {
    isLoading: () => state.isLoading,
    send: (channel: string, place: DesktopRoute) =>
      void sent.push(`${channel} ${JSON.stringify(desktopRouteSchema.parse(structuredClone(place)))}`),
  })
  return { sent, webContents, isDestroyed: () => state.isDestroyed }
}

const at = (id: string): DesktopRoute => ({ screen: 'submission', id })

it('tells a window that is there at once', () => {
  const window = windowThat({ isLoading: false, isDestroyed: false })
  createRouteSender(window)(at('s1'))
  expect(window.sent).toEqual(['fundus-courier:place {"screen":"submission","id":"s1"}'])
})

it('tells a window that is loading once it has loaded, and only the latest place', () => {
  const state = { isLoading: true, isDestroyed: false }
  const window = windowThat(state)
  const tell = createRouteSender(window)
  tell(at('s1'))
  tell(at('s2'))
  expect(window.sent).toEqual([])
  state.isLoading = false
  window.webContents.emit('did-finish-load')
  expect(window.sent).toEqual(['fundus-courier:place {"screen":"submission","id":"s2"}'])
  window.webContents.emit('did-finish-load')
  expect(window.sent).toHaveLength(1)
})

it('says nothing to a window that is gone', () => {
  const state = { isLoading: true, isDestroyed: false }
  const window = windowThat(state)
  const tell = createRouteSender(window)
  tell(at('s1'))
  state.isDestroyed = true
  window.webContents.emit('did-finish-load')
  tell(at('s2'))
  expect(window.sent).toEqual([])
})
