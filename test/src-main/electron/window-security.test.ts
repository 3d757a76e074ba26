/** What the pages may do: download, open links, use permissions and the network, navigate, run without a sandbox. */
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import {
  closeNetwork,
  createOutsideLinks,
  type DownloadingSession,
  type DownloadItem,
  guardAllContents,
  guardSession,
  mayLoad,
  mayNavigate,
  maySave,
  mayUse,
  offerDownloads,
  type PermissionRequest,
  refuseUnsafeStart,
  safeHttpsAddress,
} from '../../../src-main/electron/window-security.ts'
import { succeed } from '../../../src-shared/failure.ts'
import type { Report } from '../../../src-shared/report.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'

describe('a file that is saved', () => {
  const OWN = 'blob:app://station/1b671a64-40d5-491e-99b0-da01ff1f3341'

  function session() {
    let listener: Parameters<DownloadingSession['on']>[1]
    offerDownloads({ on: (_event, added) => (listener = added) }, join('home', 'Documents'))
    /** Downloads a file; a person saves it in a folder, or not at all. */
    return (address: string, fileName: string, savedIn: string | null = null) => {
      let isCancelled = false
      const offered: string[] = []
      const item: DownloadItem = {
        getURL: () => address,
        getFilename: () => fileName,
        getSavePath: () => (savedIn === null ? '' : join(savedIn, fileName)),
        setSaveDialogOptions: ({ defaultPath }) => offered.push(defaultPath ?? ''),
        once: (_event, done) => done({}, savedIn === null ? 'cancelled' : 'completed'),
      }
      listener({ preventDefault: () => (isCancelled = true) }, item)
      return { isCancelled, offered }
    }
  }

  it.each([
    [OWN, true],
    ['blob:app://elsewhere/1', false],
    ['blob:null/1', false],
    ['blob:https://service.example/1', false],
    ['app://station/bytes/report/r-1', false],
    ['data:text/html,x', false],
    ['https://service.example/report.exe', false],
    ['', false],
  ])('comes from %s: %j', (address, isOurs) => {
    expect(maySave(address)).toBe(isOurs)
    expect(session()(address, 'report.pdf').isCancelled).toBe(!isOurs)
  })

  it('is offered the folder of the last one', () => {
    const download = session()
    expect(download(OWN, 'one.pdf', join('usb', 'reports')).offered).toEqual([
      join('home', 'Documents', 'one.pdf'),
    ])
    expect(download(OWN, 'two.pdf').offered).toEqual([join('usb', 'reports', 'two.pdf')])
    expect(download(OWN, 'three.pdf').offered).toEqual([join('usb', 'reports', 'three.pdf')])
  })

  it('never chooses its folder by its name', () => {
    expect(session()(OWN, '../../autostart/run.desktop').offered).toEqual([
      join('home', 'Documents', 'run.desktop'),
    ])
  })
})

describe('an address outside', () => {
  const REPORT = 'https://service.example/reports/88403?page=1'

  function linkReport(text: string, kind: 'link' | 'text' = 'link'): Report {
    const version = { id: 'r1', contentType: 'text/plain', sizeBytes: 1, sha256: '', fetchedAt: 0 }
    return { caseId: '9', submissionId: 's1', versions: [{ ...version, kind, text }] }
  }

  function open() {
    const opened: string[] = []
    const logger = createRecordingLogger()
    const outside = createOutsideLinks({
      openExternal: (address) => {
        opened.push(address)
        return address.includes('broken') ? Promise.reject(new Error('no program')) : Promise.resolve()
      },
      logger,
    })
    const show = (report: Report, name = 'reports.get') =>
      outside.remembering(() => Promise.resolve(succeed(report)))(name, {})
    return { opened, logger, outside, show }
  }

  it.each([
    [REPORT, REPORT],
    ['  https://service.example  ', 'https://service.example/'],
    ['http://service.example/', null],
    ['https://name:password@service.example/', null],
    ['file:///C:/Windows/System32/calc.exe', null],
    ['\\\\server\\share\\run.exe', null],
    ['ms-msdt:/id', null],
    ['mailto:person@service.example', null],
    ['javascript:alert(1)', null],
    ['app://station/index.html', null],
    ['', null],
  ])('%j may be opened as %j', (text, address) => {
    expect(safeHttpsAddress(text)).toBe(address)
  })

  it('is opened only after the station has shown it as a report, and the answer is what it was', async () => {
    const { opened, outside, show } = open()
    outside.openIfShown(REPORT)
    expect(opened).toEqual([])
    expect(await show(linkReport(`${REPORT}\n`))).toEqual(succeed(linkReport(`${REPORT}\n`)))
    outside.openIfShown(REPORT)
    expect(opened).toEqual([REPORT])
  })

  it.each([
    ['another address of the same service', linkReport('https://service.example/other')],
    ['an address in a text', linkReport(REPORT, 'text')],
    ['an address that is none', linkReport('http://service.example/reports/88403?page=1')],
    ['the answer of another call', linkReport(REPORT), 'cases.get'],
  ])('is not opened for %s, and not written into the log', async (_what, report, name = 'reports.get') => {
    const { opened, logger, outside, show } = open()
    await show(report, name)
    outside.openIfShown(REPORT)
    expect(opened).toEqual([])
    expect(logger.lines).toMatchObject([{ level: 'warn' }])
    expect(JSON.stringify(logger.lines)).not.toContain('service.example')
  })

  it('is not remembered for ever', async () => {
    const { opened, outside, show } = open()
    await show(linkReport(REPORT))
    for (let number = 0; number < 100; number += 1)
      await show(linkReport(`https://service.example/${number}`))
    outside.openIfShown(REPORT)
    outside.openIfShown('https://service.example/0')
    expect(opened).toEqual(['https://service.example/0'])
  })

  it('that the system cannot open is logged, without the address', async () => {
    const { logger, outside, show } = open()
    await show(linkReport('https://broken.example/'))
    outside.openIfShown('https://broken.example/')
    await expect.poll(() => logger.lines.length).toBe(1)
    expect(JSON.stringify(logger.lines)).not.toContain('broken.example')
  })
})

describe('a permission', () => {
  const ours: PermissionRequest = { isMainFrame: true, requestingUrl: 'app://station/index.html#/reports' }

  const GRANTED = ['fullscreen', 'clipboard-sanitized-write']
  const DENIED =
    `clipboard-read deprecated-sync-clipboard-read media display-capture geolocation notifications openExternal
    fileSystem local-fonts usb hid serial unknown ofALaterElectron`.split(/\s+/)

  it('is granted to our page only to fill the screen and to write to the clipboard', () => {
    expect([...GRANTED, ...DENIED].filter((permission) => mayUse(permission, ours))).toEqual(GRANTED)
  })

  it.each<[string, PermissionRequest]>([
    ['a frame', { isMainFrame: false, requestingUrl: 'app://station/index.html' }],
    ['a report that became a page', { isMainFrame: true, requestingUrl: 'app://station/bytes/report/1' }],
    ['the web', { isMainFrame: true, requestingUrl: 'https://station/index.html' }],
    ['an unnamed page', { isMainFrame: true }],
  ])('is denied to all others: %s', (_who, asking) => {
    expect(GRANTED.filter((permission) => mayUse(permission, asking))).toEqual([])
  })

  it('is checked and requested by one rule; no device is granted, no dictionary fetched', () => {
    const handlers: Partial<Record<string, (...parameters: unknown[]) => unknown>> = {}
    const save =
      (name: string) =>
      (handler: unknown): void =>
        void (handlers[name] = handler as (...parameters: unknown[]) => unknown)
    let hasSpellChecker = true
    guardSession({
      setPermissionRequestHandler: save('request'),
      setPermissionCheckHandler: save('check'),
      setDevicePermissionHandler: save('device'),
      setSpellCheckerEnabled: (isEnabled: boolean) => (hasSpellChecker = isEnabled),
    })
    const asked = (permission: string, asking: PermissionRequest): unknown[] => {
      let answer: unknown
      handlers['request']?.(null, permission, (isGranted: unknown) => (answer = isGranted), asking)
      return [answer, handlers['check']?.(null, permission, 'app://station', asking)]
    }
    expect(asked('clipboard-sanitized-write', ours)).toEqual([true, true])
    expect(asked('media', ours)).toEqual([false, false])
    expect(asked('fullscreen', { ...ours, isMainFrame: false })).toEqual([false, false])
    expect(handlers['device']?.({ deviceType: 'usb' })).toBe(false)
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

describe('a page that navigates', () => {
  it.each([
    // A page reloads itself this way.
    ['app://station/index.html', true, true],
    ['app://station/index.html#/queue/s1', true, true],
    ['app://station/assets/index.js', true, false],
    ['app://station/bytes/report/r-1', true, false],
    ['app://elsewhere/index.html', true, false],
    ['https://service.example/', true, false],
    // A file or a link that is dropped on the window.
    ['file:///home/person/picture.jpg', true, false],
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
  ])('to %s in the main frame (%j): %j', (address, isMainFrame, isAllowed) => {
    expect(mayNavigate(address, isMainFrame)).toBe(isAllowed)
  })

  it('is guarded in everything that shows a page, not only in the first window', () => {
    const app = new EventEmitter()
    const requested: string[] = []
    guardAllContents(app, (address) => requested.push(address))
    const REPORT = 'https://service.example/report'
    for (let count = 0; count < 2; count += 1) {
      const handlers: ((details: { readonly url: string }) => { readonly action: string })[] = []
      const contents = Object.assign(new EventEmitter(), {
        setWindowOpenHandler: (handler: (typeof handlers)[number]) => handlers.push(handler),
      })
      app.emit('web-contents-created', {}, contents)
      const isAllowed = (event: string, details: object = {}): boolean => {
        let isPrevented = false
        contents.emit(event, { ...details, preventDefault: () => (isPrevented = true) })
        return !isPrevented
      }
      for (const event of ['will-frame-navigate', 'will-redirect']) {
        expect(isAllowed(event, { url: REPORT, isMainFrame: true })).toBe(false)
        expect(isAllowed(event, { url: REPORT, isMainFrame: false })).toBe(false)
        expect(isAllowed(event, { url: 'app://station/index.html', isMainFrame: true })).toBe(true)
      }
      expect(isAllowed('will-attach-webview')).toBe(false)
      // The page reloads although it wants to stay: no person would be asked.
      expect(isAllowed('will-prevent-unload')).toBe(false)
      expect(handlers.map((handler) => handler({ url: REPORT }).action)).toEqual(['deny'])
    }
    expect(requested).toEqual([REPORT, REPORT])
  })
})

it.each([
  [true, 'en', 'Install the deb package'],
  [true, 'es', 'Instale el paquete deb'],
  // A developer's own build may run without one.
  [false, 'en', null],
] as const)(
  'a packaged app (%s) refuses to start without a sandbox, in %s',
  (isPackaged, language, message) => {
    const start = (...switches: string[]) =>
      refuseUnsafeStart(
        { isPackaged, commandLine: { hasSwitch: (name) => switches.includes(name) } },
        hostTexts(language),
      )
    if (message === null) expect(() => start('no-sandbox')).not.toThrow()
    else expect(() => start('no-sandbox')).toThrow(message)
    expect(() => start()).not.toThrow()
  },
)

it.each([
  'remote-debugging-port',
  'remote-debugging-pipe',
  'disable-web-security',
  'proxy-server',
  'log-net-log',
])('a packaged app refuses to start with --%s, and names it', (option) => {
  const startAs = (isPackaged: boolean) => () =>
    refuseUnsafeStart({ isPackaged, commandLine: { hasSwitch: (name) => name === option } }, hostTexts('en'))
  expect(startAs(true)).toThrow(`--${option} gives other programs access`)
  expect(startAs(false)).not.toThrow()
})
