/** The list of the files that are no part of a case: opened from the queue, searched, and read page by page. */
import { expect, it, vi } from 'vitest'
import type { CallInput, CallOutput } from '../../../src-shared/contract.ts'
import { all, click, find, openWindow, shows, type } from '../open-window.tsx'
import { syntheticStatus, WATCHED_FOLDER } from '../synthetic-submission.ts'

type Asked = CallInput<'folders.leftAside'>
type Page = CallOutput<'folders.leftAside'>

const FILES: Page['items'] = Array.from({ length: 119 }, (_, index) => ({
  id: 119 - index,
  folderPath: '/camera',
  fileName: `visit/${119 - index}.jpg`,
  kind: 'notAnImage',
  message: 'This file holds text.',
  at: 1,
}))

function pageOf({ search = '', after = Infinity }: Asked): Page {
  const found = FILES.filter(({ fileName }) => fileName.includes(search))
  const rest = found.filter(({ id }) => id < after)
  const items = rest.slice(0, 50)
  return { items, total: found.length, next: rest.length > 50 ? (items.at(-1)?.id ?? null) : null }
}

const statusWith = (noteCounts: (typeof WATCHED_FOLDER)['noteCounts']) =>
  syntheticStatus({ folders: [{ ...WATCHED_FOLDER, noteCounts }] })

it('shows each of 119 ignored files, page by page, and finds one by a part of its path', async () => {
  const { inputsOf, emit } = openWindow('#/queue', {
    'station.status': statusWith({ notAnImage: 100, truncated: 19, arriving: 2 }),
    'folders.leftAside': pageOf,
  })
  await shows('Ignored files: 119')
  expect(inputsOf('folders.leftAside')).toEqual([])
  await click('button', 'Ignored files: 119')
  const list = await find('list', 'Ignored files')
  const names = (): number[] =>
    all('listitem', /visit/, list).map((item) => Number(/visit\/(\d+)\.jpg/.exec(item.textContent)?.[1]))
  for (const [shown, button] of [
    [50, true],
    [100, true],
    [119, false],
  ] as const) {
    await vi.waitFor(() => expect(names()).toHaveLength(shown))
    if (button) {
      await shows(`${shown} of 119`, list)
      await click('button', 'Load more', list)
    }
  }
  expect(names()).toEqual(FILES.map(({ id }) => id))
  expect(all('button', 'Load more', list)).toEqual([])

  const before = inputsOf('folders.leftAside').length
  emit('stationChanged', statusWith({ notAnImage: 99, truncated: 19, arriving: 2 }))
  await shows('Ignored files: 118')
  await vi.waitFor(() => expect(inputsOf('folders.leftAside').length).toBe(before + 3))

  await type('searchbox', 'Find file', 'visit/7.')
  await vi.waitFor(() => expect(names()).toEqual([7]))
  await type('searchbox', 'Find file', 'nowhere')
  await shows('No file found', list)
})

it('names files that only arrive still, and shows nothing if there is no such file', async () => {
  openWindow('#/queue', { 'station.status': statusWith({ arriving: 1 }), 'folders.leftAside': pageOf })
  await shows('Files still arriving: 1')
})

it('shows nothing if every file is part of a case', async () => {
  openWindow('#/queue', { 'station.status': statusWith({}) })
  await shows('No open cases')
  expect(all('button', /files/)).toEqual([])
})

it('has a file that was set aside read again', async () => {
  const [first] = FILES
  const aside = { ...first!, kind: 'setAside', message: 'Reading this file has hung.' } as const
  const { inputsOf } = openWindow('#/queue', {
    'station.status': statusWith({ setAside: 1, notAnImage: 1 }),
    'folders.leftAside': () => ({ items: [aside, FILES[1]!], total: 2, next: null }),
    'folders.tryAgain': () => ({}),
  })
  await click('button', 'Ignored files: 2')
  await shows('Set aside')
  expect(all('button', 'Try again')).toHaveLength(1)
  await click('button', 'Try again')
  expect(inputsOf('folders.tryAgain')).toEqual([{ path: '/camera', fileName: aside.fileName }])
})
