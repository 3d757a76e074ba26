import { describe, expect, it } from 'vitest'
import { guardSession, mayNavigate } from '../../../src-main/electron/window-guards.ts'
import { WINDOW_PREFERENCES } from '../../../src-main/electron/window-preferences.ts'

describe('what a page may do', () => {
  it.each([
    ['app://station/index.html', true, false],
    ['https://service.example/', true, false],
    ['app://station/bytes/report/r-1', false, true],
    ['about:srcdoc', false, true],
    ['about:blank', false, true],
    ['https://service.example/report', false, false],
    ['file:///etc/passwd', false, false],
    ['data:text/html,x', false, false],
    ['javascript:alert(1)', false, false],
    ['blob:app://station/1', false, false],
  ])('going to %s in the main frame (%j): %j', (address, isMainFrame, isAllowed) => {
    expect(mayNavigate(address, isMainFrame)).toBe(isAllowed)
  })

  it.each([
    ['fullscreen', true],
    ['media', false],
    ['geolocation', false],
    ['notifications', false],
    ['clipboard-read', false],
    ['unknown', false],
  ])('using %s: %j', (permission, isAllowed) => {
    let mayUse: unknown
    type Asked = (contents: null, permission: string, answer: (isAllowed: boolean) => void) => void
    const session = {
      setPermissionRequestHandler: (asked: Asked) => asked(null, permission, (given) => (mayUse = given)),
      setPermissionCheckHandler: () => undefined,
      setDevicePermissionHandler: () => undefined,
    }
    guardSession(session as unknown as Parameters<typeof guardSession>[0])
    expect(mayUse).toBe(isAllowed)
  })

  it('is limited by a sandbox without Node, in a world apart from the preload', () => {
    expect(WINDOW_PREFERENCES).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    })
  })
})
