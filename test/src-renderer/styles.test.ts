import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const source = readFileSync(new URL('../../src-renderer/main.tsx', import.meta.url), 'utf8')

// In another order a button loses its colors to the sheet of what it is made of, and no other test notices.
it('begins the page with the sheets of the components, then ours', () => {
  const paths = [...source.matchAll(/^import [^']*'([^']+)'/gm)].map(([, path]) => path)
  expect(paths.slice(0, 3)).toEqual([
    '@mantine/core/styles.css',
    '@mantine/notifications/styles.css',
    './styles.css',
  ])
})
