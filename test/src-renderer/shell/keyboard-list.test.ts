import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { KeyboardList } from '../../../src-renderer/shell/keyboard-help.tsx'

const ARROWS = ['\u2190', '\u2191', '\u2192', '\u2193']

/** The keys that stand under a heading, arrows by what they are called. */
function keysOf(heading: string): string[] {
  const page = renderToStaticMarkup(
    createElement(MantineProvider, { env: 'test' }, createElement(KeyboardList)),
  )
  const section = page.split('<section').find((one) => one.includes(`>${heading}</h3>`)) ?? ''
  return [...section.matchAll(/<kbd[^>]*>(.*?)<\/kbd>/g)].map(
    ([, inside = '']) => /aria-label="(.)"/.exec(inside)?.[1] ?? inside,
  )
}

test.each([
  ['In the queue', [...ARROWS, 'Enter', 'E', 'Space', 'A', 'R', 'H', 'Del']],
  ['In the image viewer', [...ARROWS, ...'+ \u2212 0 1 G I S L C F P M R U [ ]'.split(' ')]],
])('%s, every key is told', (heading, keys) => {
  expect(new Set(keysOf(heading))).toEqual(new Set(keys))
})
