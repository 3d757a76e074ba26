import { describe, expect, it } from 'vitest'
import {
  closeNetwork,
  guardSession,
  mayLoad,
  mayUse,
  type PermissionRequest,
} from '../../../src-main/electron/window-security.ts'

const ours: PermissionRequest = { isMainFrame: true, requestingUrl: 'app://station/index.html#/reports' }

describe('a permission', () => {
  it.each([
    ['fullscreen', true],
    ['clipboard-sanitized-write', true],
    ['clipboard-read', false],
    ['deprecated-sync-clipboard-read', false],
    ['media', false],
    ['display-capture', false],
    ['geolocation', false],
    ['notifications', false],
    ['openExternal', false],
    ['fileSystem', false],
    ['local-fonts', false],
    ['usb', false],
    ['hid', false],
    ['serial', false],
    ['unknown', false],
    ['what a later Electron brings', false],
  ])('%s is granted to our page: %j', (permission, isGranted) => {
    expect(mayUse(permission, ours)).toBe(isGranted)
  })

  it.each<[string, PermissionRequest]>([
    ['a frame', { isMainFrame: false, requestingUrl: 'app://station/index.html' }],
    ['a report that became a page', { isMainFrame: true, requestingUrl: 'app://station/bytes/report/1' }],
    ['the web', { isMainFrame: true, requestingUrl: 'https://station/index.html' }],
    ['nobody in particular', { isMainFrame: true }],
  ])('is granted to nobody else: %s', (_who, asking) => {
    for (const permission of ['fullscreen', 'clipboard-sanitized-write'])
      expect(mayUse(permission, asking)).toBe(false)
  })

  it('is checked and asked for by the same rule, no device is given away, and no dictionary fetched', () => {
    const set: Partial<Record<string, (...given: unknown[]) => unknown>> = {}
    const keep =
      (name: string) =>
      (handler: unknown): void =>
        void (set[name] = handler as (...given: unknown[]) => unknown)
    let hasSpellChecker = true
    guardSession({
      setPermissionRequestHandler: keep('request'),
      setPermissionCheckHandler: keep('check'),
      setDevicePermissionHandler: keep('device'),
      setSpellCheckerEnabled: (isEnabled: boolean) => (hasSpellChecker = isEnabled),
    })
    const asked = (permission: string, asking: PermissionRequest): unknown[] => {
      let answer: unknown
      set['request']?.(null, permission, (given: unknown) => (answer = given), asking)
      return [answer, set['check']?.(null, permission, 'app://station', asking)]
    }
    expect(asked('clipboard-sanitized-write', ours)).toEqual([true, true])
    expect(asked('media', ours)).toEqual([false, false])
    expect(asked('fullscreen', { ...ours, isMainFrame: false })).toEqual([false, false])
    expect(set['device']?.({ deviceType: 'usb' })).toBe(false)
    expect(hasSpellChecker).toBe(false)
  })
})

describe('the network of the pages', () => {
  it.each([
    ['app://station/assets/index.js', true],
    ['blob:app://station/1', true],
    ['data:image/png;base64,AA', true],
    ['devtools://devtools/bundled/inspector.html', true],
    ['app://elsewhere/index.html', false],
    ['https://service.example/pixel.png', false],
    ['http://127.0.0.1:4100/', false],
    ['ws://127.0.0.1:4100/', false],
    ['file:///etc/passwd', false],
    ['', false],
  ])('%j is loaded: %j', (address, isLoaded) => {
    expect(mayLoad(address)).toBe(isLoaded)
    const answers: unknown[] = []
    closeNetwork({
      webRequest: {
        onBeforeRequest: (listener) => listener({ url: address }, (answer) => answers.push(answer)),
      },
    })
    expect(answers).toEqual([{ cancel: !isLoaded }])
  })
})
