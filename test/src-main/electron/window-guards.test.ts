import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { guardAllContents, mayNavigate } from '../../../src-main/electron/window-security.ts'
import { WINDOW_PREFERENCES } from '../../../src-main/electron/window.ts'

type OpenHandler = (details: { readonly url: string }) => { readonly action: string }

/** Contents as `app` tells of them, and what becomes of an event there: `true` where it goes its way. */
function guarded() {
  const app = new EventEmitter()
  const wishes: string[] = []
  guardAllContents(app, (address) => wishes.push(address))
  const open = () => {
    const handlers: OpenHandler[] = []
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: OpenHandler) => handlers.push(handler),
    })
    app.emit('web-contents-created', {}, contents)
    const goesOn = (event: string, details: object = {}): boolean => {
      let isAllowed = true
      contents.emit(event, { ...details, preventDefault: () => (isAllowed = false) })
      return isAllowed
    }
    return { goesOn, wantWindow: (url: string) => handlers.map((handler) => handler({ url }).action) }
  }
  return { open, wishes }
}

describe('what a page may do', () => {
  it.each([
    // A page reloads itself this way.
    ['app://station/index.html', true, true],
    ['app://station/index.html#/queue/s1', true, true],
    ['app://station/assets/index.js', true, false],
    ['app://station/bytes/report/r-1', true, false],
    ['app://elsewhere/index.html', true, false],
    ['https://service.example/', true, false],
    // As a file or a link is, that somebody drops on the window.
    ['file:///home/somebody/picture.jpg', true, false],
    ['about:blank', true, false],
    ['about:srcdoc', false, true],
    ['about:blank', false, true],
    ['app://station/index.html', false, false],
    ['app://station/bytes/report/r-1', false, false],
    ['https://service.example/report', false, false],
    ['file:///etc/passwd', false, false],
    ['data:text/html,x', false, false],
    ['javascript:alert(1)', false, false],
    ['blob:app://station/1', false, false],
  ])('going to %s in the main frame (%j): %j', (address, isMainFrame, isAllowed) => {
    expect(mayNavigate(address, isMainFrame)).toBe(isAllowed)
  })

  it('is guarded in everything that shows a page, not only in the first window', () => {
    const { open, wishes } = guarded()
    for (const contents of [open(), open()]) {
      for (const event of ['will-frame-navigate', 'will-redirect']) {
        expect(contents.goesOn(event, { url: 'https://service.example/', isMainFrame: true })).toBe(false)
        expect(contents.goesOn(event, { url: 'https://service.example/', isMainFrame: false })).toBe(false)
        expect(contents.goesOn(event, { url: 'app://station/index.html', isMainFrame: true })).toBe(true)
      }
      expect(contents.goesOn('will-attach-webview')).toBe(false)
      expect(contents.wantWindow('https://service.example/report')).toEqual(['deny'])
    }
    expect(wishes).toEqual(['https://service.example/report', 'https://service.example/report'])
  })

  it('reloads where a page would rather stay: nobody would be asked', () => {
    expect(guarded().open().goesOn('will-prevent-unload')).toBe(false)
  })

  it('is limited by a sandbox without Node, in a world apart from the preload', () => {
    expect(WINDOW_PREFERENCES).toEqual({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    })
  })
})
