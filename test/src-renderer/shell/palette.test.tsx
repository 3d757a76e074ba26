/** Ctrl+K: one field for cases, screens and the actions of the screen, which does no more than a click would. */
import { beforeEach, expect, it, vi } from 'vitest'
import { TEXTS_OF_SETTINGS } from '../../../src-renderer/shell/palette.tsx'
import settings from '../../../src-shared/texts/en/settings.json' with { type: 'json' }
import { all, find, openWindow, shows, type } from '../open-window.tsx'
import { countsOf } from '../synthetic-submission.ts'
import { caseOf, isPainted, link, showFor, startClock, withCases } from '../desk/open-desk.tsx'

beforeEach(startClock)

const NAME = 'Find a case, screen or action'

function pressCtrlK(): void {
  document.documentElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }),
  )
}

async function openPalette(): Promise<void> {
  await find('heading', 'Queue')
  pressCtrlK()
  await find('dialog', NAME)
}

const options = (): readonly string[] => all('option').map(({ textContent }) => textContent)

function enter(): void {
  const event = new KeyboardEvent('keydown', {
    key: 'Enter',
    code: 'Enter',
    bubbles: true,
    cancelable: true,
  })
  document.querySelector('[role="dialog"] input')?.dispatchEvent(event)
  // Else the key would press what has the focus next.
  expect(event.defaultPrevented).toBe(true)
  window.dispatchEvent(new Event('hashchange'))
}

it('finds a screen by its name, and goes there', async () => {
  openWindow('#/queue')
  await openPalette()
  await type('combobox', NAME, 'ACTIV')
  await vi.waitFor(() => expect(options()).toEqual(['Activity']))
  enter()
  await find('heading', 'Activity')
  expect(all('dialog')).toEqual([])
})

it('finds a part of the settings by any word on it, and has each text of the settings in a part', async () => {
  const parts = Object.values(TEXTS_OF_SETTINGS).flat()
  const groups = Object.entries(settings).flatMap(([name, texts]) =>
    typeof texts === 'string' ? [] : [name],
  )
  expect([...parts, 'section', 'managed'].toSorted()).toEqual(groups.toSorted())
  openWindow('#/queue')
  await openPalette()
  await type('combobox', NAME, 'total transf')
  await vi.waitFor(() => expect(options()).toEqual(['Settings · Service']))
  enter()
  await find('heading', 'Service')
})

it.each(['ecking', 'H-00021'])(
  'finds no setting for %s: Enter opens the case that is meant',
  async (text) => {
    expect(JSON.stringify(settings).includes(text)).toBe(true)
    openWindow('#/queue')
    await openPalette()
    await type('combobox', NAME, 'total transf')
    await vi.waitFor(() => expect(options()).toEqual(['Settings · Service']))
    await type('combobox', NAME, text)
    await vi.waitFor(() => expect(options()).toEqual([]))
  },
)

it('finds a case of any state by the search of the station', async () => {
  const far = caseOf('far', {
    state: 'sent',
    fields: { history_number: 'H-77', last_name: 'Etxeberria', first_name: 'Ane' },
  })
  const { inputsOf } = openWindow(
    '#/queue',
    withCases([far], {
      'submissions.list': ({ search }) => ({
        items: search === 'etxe 77' ? [far] : [],
        total: 0,
        counts: countsOf(),
      }),
    }),
  )
  await openPalette()
  await type('combobox', NAME, 'etxe 77')
  await vi.waitFor(() => expect(options()).toEqual([`H-77 Etxeberria, Ane ${far.reference} Sent`]))
  expect(inputsOf('submissions.list').at(-1)).toEqual({ search: 'etxe 77', limit: 8 })
  enter()
  await vi.waitFor(() => expect(window.location.hash).toBe('#/queue/far'))
})

it('presses a button of the screen that is shown; what needs a case in view is only focused', async () => {
  const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2')]))
  await link('H-1')
  await showFor('H-1', 5_000)
  await find('button', /^Approve/)
  await openPalette()
  await vi.waitFor(() => expect(isPainted()).toBe(false))
  await type('combobox', NAME, 'approve')
  await vi.waitFor(() => expect(options()).toEqual(['Approve']))
  enter()
  const approve = await find('button', /^Approve/)
  await vi.waitFor(() => expect(document.activeElement).toBe(approve))
  await showFor('H-1', 5_000)
  expect(inputsOf('submissions.approve')).toEqual([])
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true })
  approve.dispatchEvent(held)
  expect(held.defaultPrevented).toBe(true)
  await openPalette()
  await type('combobox', NAME, 'skip')
  await vi.waitFor(() => expect(options()).toEqual(['Skip']))
  enter()
  await find('heading', /H-2/)
})

it('of two buttons with one name none is offered', async () => {
  openWindow('#/queue', withCases([caseOf('H-1')]))
  await link('H-1')
  await showFor('H-1', 0)
  await find('button', /^Approve/)
  document.querySelector('main')?.append(document.createElement('button'), document.createElement('button'))
  for (const one of document.querySelectorAll('main > button')) one.textContent = 'Twice'
  await openPalette()
  expect(options()).toContain('Approve')
  expect(options()).not.toContain('Twice')
})

it('is among the keys that ? lists, and does not open over them', async () => {
  openWindow('#/queue')
  await find('heading', 'Queue')
  document.documentElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: '?', shiftKey: true, bubbles: true }),
  )
  const keys = await find('dialog', 'Keyboard')
  await shows(NAME, keys)
  pressCtrlK()
  for (let frame = 0; frame < 9; frame += 1) await new Promise((next) => requestAnimationFrame(next))
  expect(all('dialog')).toEqual([keys])
})
