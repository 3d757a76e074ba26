import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { privacy } from '../../../src-renderer/privacy/names.tsx'
import { MINUTE } from '../../../src-shared/durations.ts'
import { type Answers, click, find, openWindow, SETTINGS, shows } from '../open-window.tsx'
import { countsOf, syntheticSubmission } from '../synthetic-submission.ts'

const CASE = syntheticSubmission('one', {
  state: 'review',
  fields: { last_name: 'Sampleton', first_name: 'Synthia' },
})

const answersWith = (hideNamesAfterSeconds: number | null): Answers => ({
  'settings.get': { ...SETTINGS, screens: { hideNamesAfterSeconds } },
  'submissions.list': { items: [CASE], total: 1, counts: countsOf({ review: 1 }) },
})

const HIDDEN = 'S\u2022\u2022\u2022, S\u2022\u2022\u2022'
const isShown = (): boolean =>
  document.querySelector('main')?.textContent.includes('Sampleton, Synthia') === true

async function passes(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})
afterEach(() => privacy.setState({ isHiddenByHand: false, isIdle: false }))

it('names are hidden once no one was there for so long, and shown with the next touch', async () => {
  const { emit } = openWindow('#/queue', answersWith(300))
  await shows('Sampleton, Synthia')
  window.dispatchEvent(new Event('keydown'))
  await passes(4 * MINUTE)
  window.dispatchEvent(new PointerEvent('pointermove', { screenX: 3, screenY: 4 }))
  await passes(4 * MINUTE)
  expect(isShown()).toBe(true)
  // The page moves under a pointer that rests.
  window.dispatchEvent(new PointerEvent('pointermove', { screenX: 3, screenY: 4 }))
  await passes(MINUTE)
  await shows(HIDDEN)
  window.dispatchEvent(new Event('wheel'))
  await shows('Sampleton, Synthia')
  await passes(5 * MINUTE)
  await shows(HIDDEN)
  // No one has come because the setting has changed.
  emit('settingsChanged', { ...SETTINGS, screens: { hideNamesAfterSeconds: 60 } })
  await passes(1)
  expect(isShown()).toBe(false)
  emit('settingsChanged', { ...SETTINGS, screens: { hideNamesAfterSeconds: null } })
  await shows('Sampleton, Synthia')
})

it('names stay if the settings say so', async () => {
  openWindow('#/queue', answersWith(null))
  await shows('Sampleton, Synthia')
  await passes(60 * MINUTE)
  expect(isShown()).toBe(true)
})

it('names that a person hides stay hidden until a person shows them again', async () => {
  openWindow('#/queue', answersWith(300))
  await shows('Sampleton, Synthia')
  await click('button', 'Hide names')
  await shows(HIDDEN)
  expect(window.sessionStorage.getItem('fundus-courier.names')).toBe('hide')
  window.dispatchEvent(new Event('pointerdown'))
  await passes(MINUTE)
  await shows(HIDDEN)
  ;(await find('button', 'Hide names')).click()
  await shows('Sampleton, Synthia')
  expect(window.sessionStorage.getItem('fundus-courier.names')).toBe('show')
})
