import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { chooseLanguage } from '../../../src-renderer/i18n/i18n.ts'
import type { DesktopBridge } from '../../../src-renderer/link/transports.ts'
import { crashText } from '../../../src-renderer/shell/error-boundary.tsx'
import { isCenterGone } from '../../../src-renderer/shell/header-menus.tsx'
import {
  followDesktop,
  readRoute,
  retryUntilReachable,
  type Route,
  writeRoute,
} from '../../../src-renderer/shell/navigation.tsx'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import { browserOf, speak } from '../speak.ts'

const ROUTES: readonly Route[] = [
  { screen: 'queue' },
  { screen: 'submission', id: 's/1 \u00e9%' },
  { screen: 'help' },
  { screen: 'cases' },
  { screen: 'cases', caseId: '#88/7' },
  { screen: 'reports', caseId: null },
  { screen: 'reports', caseId: '#88/7' },
  { screen: 'reports', caseId: '#88/7', submissionId: 's/1 \u00e9%' },
  { screen: 'activity' },
  { screen: 'activity', reference: 's/1 \u00e9%' },
  { screen: 'settings', section: null },
  { screen: 'settings', section: 'it' },
  { screen: 'settings', section: 'folders' },
  { screen: 'settings', section: 'folders', folder: 'D:\\Export/2026 \u00e9%' },
]

it.each(ROUTES.map((route) => [writeRoute(route), route] as const))(
  'reads %s as it was written',
  (hash, route) => {
    expect(readRoute(hash)).toEqual(route)
  },
)

it.each<[string, Route]>([
  ...['', '#', '#/nowhere', '#/queue/', '#token=abc'].map((hash): [string, Route] => [
    hash,
    { screen: 'queue' },
  ]),
  // Cut in the middle of an escape.
  ['#/reports/88%2', { screen: 'reports', caseId: '88%2' }],
])('takes %j for %j', (hash, route) => {
  expect(readRoute(hash)).toEqual(route)
})

describe('a part of the screens', () => {
  let tries = 0
  const reachableAt = (count: number): void => {
    tries = 0
    vi.stubGlobal('window', { location: { origin: 'http://station.example' } })
    vi.stubGlobal('fetch', () => {
      tries += 1
      return tries < count ? Promise.reject(new TypeError('away')) : Promise.resolve(new Response())
    })
  }
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is fetched once the station can be reached: a browser never asks again for what failed', async () => {
    reachableAt(3)
    const fetched = vi.fn(() => Promise.resolve('there'))
    const module = retryUntilReachable(fetched)
    await vi.advanceTimersByTimeAsync(1_999)
    expect([tries, fetched.mock.calls.length]).toEqual([2, 0])
    await vi.advanceTimersByTimeAsync(1)
    expect(await module).toBe('there')
    expect(tries).toBe(3)
  })

  it('passes on its own fault', async () => {
    reachableAt(1)
    const broken = async (): Promise<never> => {
      throw new TypeError('x is not a function')
    }
    await expect(retryUntilReachable(broken)).rejects.toThrow('x is not a function')
  })
})

class QuixwoodError extends Error {
  override readonly name = 'Quixwood, Zacarias'
}

function errorWith(stack: string): Error {
  const error = new TypeError('Cannot read properties of Quixwood')
  error.stack = stack
  return error
}

describe('what is shown of a screen that could not be drawn', () => {
  it('is the screen, the kind of error and the places in our code', () => {
    const error = errorWith(
      [
        "TypeError: Cannot read properties of undefined (reading 'Quixwood')",
        '    at rowOf (http://127.0.0.1:4711/assets/queue-3fa2c1.js:12:345)',
        '    at http://127.0.0.1:4711/assets/queue-3fa2c1.js?v=2:1:7',
        'QuixwoodFrame@app://station/assets/index.js:9:9',
      ].join('\n'),
    )
    const componentStack = '\n    at QueueRow (app://station/assets/queue-3fa2c1.js:3:21)\n    at main\n'
    expect(crashText({ screen: '#/queue/H-00017', error, componentStack })).toBe(
      [
        '== Screens ==',
        'screen: queue',
        'error: TypeError',
        'thrown:',
        '  at rowOf (queue-3fa2c1.js:12:345)',
        '  at unnamed (queue-3fa2c1.js:1:7)',
        '  at QuixwoodFrame (index.js:9:9)',
        'drawn in:',
        '  at QueueRow (queue-3fa2c1.js:3:21)',
        '  at main',
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['words of the error', errorWith('TypeError: Quixwood\n    at Zacarias\n  Zacarias'), ''],
    ['a name that is none of a program', new QuixwoodError(), ''],
    ['what is no error at all', 'Quixwood', 'Zacarias Quixwood was here'],
  ])('has no %s', (_what, error, componentStack) => {
    const text = crashText({ screen: 'Quixwood/5', error, componentStack })
    expect(text.replace('screen: Quixwood', '')).not.toMatch(/quixwood|zacarias/i)
  })

  it('ends after as many frames as say something', () => {
    const componentStack = '    at Row (a.js:1:1)\n'.repeat(500)
    expect(crashText({ screen: 'queue', error: null, componentStack }).split('\n')).toHaveLength(36)
  })
})

const NORTH = { centerId: '101', name: 'North Eye Centre', isCurrent: true }

it.each([
  [null, [NORTH], false],
  ['101', [NORTH], false],
  ['999', [NORTH], true],
  // A service that lists nothing, or did not answer, proves nothing.
  ['999', [], false],
] as const)('the center %s is gone from a list: %j %s', (centerId, centers, isGone) => {
  expect(isCenterGone(centerId, centers)).toBe(isGone)
})

/** As much of a window as this needs. */
function stage() {
  const location = { hash: '' }
  vi.stubGlobal('window', { location })
  const called: unknown[] = []
  let lead: (route: unknown) => void = () => undefined
  const bridge: DesktopBridge = {
    call: (...texts) => {
      called.push(texts)
      return Promise.reject(new Error('gone'))
    },
    onEvent: () => () => undefined,
    onRoute: (listener) => {
      lead = listener
      return () => undefined
    },
    bytesUrl: () => '',
  }
  followDesktop(bridge)
  return { location, called, leadTo: (route: unknown) => lead(route) }
}

afterEach(async () => {
  vi.unstubAllGlobals()
  await speak('en')
})

test.each<[DesktopRoute, string]>([
  [{ screen: 'queue' }, '#/queue'],
  [{ screen: 'help' }, '#/help'],
  [{ screen: 'submission', id: 's/1' }, '#/queue/s%2F1'],
  [{ screen: 'reports', of: null }, '#/reports'],
  [{ screen: 'reports', of: { caseId: '17', submissionId: 's1' } }, '#/reports/17/s1'],
  [{ screen: 'settings', section: 'it' }, '#/settings/it'],
])('a notice of %j leads to %s', (route, hash) => {
  const { location, leadTo } = stage()
  leadTo(structuredClone(route))
  expect(location.hash).toBe(hash)
})

test.each([
  null,
  'queue',
  { screen: 'elsewhere' },
  { screen: 'submission' },
  { screen: 'settings', section: 'x' },
])('what is no route leads nowhere: %j', (value) => {
  const { location, leadTo } = stage()
  leadTo(value)
  expect(location.hash).toBe('')
})

test('the host learns which language was chosen here, and need not answer', async () => {
  const { called } = stage()
  const { window } = browserOf(['en'])
  await chooseLanguage('es', window)
  await chooseLanguage('auto', window)
  expect(called).toEqual([
    ['desktop.speaks', 'es'],
    ['desktop.speaks', 'auto'],
  ])
})
