import { expect, it, vi } from 'vitest'
import { all, click, find, openWindow, shows, type } from '../open-window.tsx'

const TEXT = ['Fundus Courier diagnostics', '', ...Array.from({ length: 300 }, (_, at) => `line ${at}`)].join(
  '\n',
)

it('the help explains every state and key, and shows the diagnostics before they are saved', async () => {
  openWindow('#/help', { 'station.diagnostics': { fileName: 'diagnostics.txt', text: TEXT } })
  const states = await find('region', 'What the states mean')
  expect(states.querySelectorAll('[data-state]')).toHaveLength(11)
  const keys = await find('region', 'Keyboard')
  for (const does of ['Red-free', 'Approve and send']) await shows(does, keys)
  await shows(/Left out, so that it can be given to other people/)
  await click('button', 'Make diagnostics')
  const text = await find('region', /This text is saved/)
  expect(text.textContent).toBe(TEXT)
  await type('searchbox', 'Search in the text', 'LINE 29')
  await shows('1 of 11')
  expect(text.textContent).toBe(TEXT)
  await vi.waitFor(() => expect(all('button', 'Save')).toHaveLength(1))
})
